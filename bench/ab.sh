#!/usr/bin/env bash
# Runs the real ab and loadrunner ab side by side on both servers, REQUESTS (200) requests by 10 clients each: GET and POST,
# with and without -k, with and without -l. Compares exit codes, and reports and progress line by line; only figures of
# time, which differ from run to run, are masked. Prints a line for each pair, and exits with 1 when one differs.
set -euo pipefail
cd "$(dirname "$0")/.."
requests=${REQUESTS:-200}
. bench/lib.sh
need ab curl redis-server redis-cli python3
go build -o "$work/" ./servers/threadpool ./servers/eventloop ./downstream ./loadrunner
ln -s loadrunner "$work/ab"
printf '{"customer_id":"c-1","sku":"s-1","quantity":2}' >"$work/order.json"

# masked: hides the figures of time, and the remarks that depend on them.
masked() {
  sed -E -e '/^(WARNING|ERROR): The median and mean/d' -e '/^ +These results are probably not that reliable/d' \
    -e '/^(Time taken|Requests per second|Time per request|Transfer rate):? /s/ +[0-9]+(\.[0-9]+)?/ N/g' \
    -e '/^(Connect|Processing|Waiting|Total): /s/ +[0-9]+(\.[0-9]+)?/ N/g' \
    -e '/kb\/s (sent|total)/s/ +[0-9]+(\.[0-9]+)?/ N/g' -e '/^ +[0-9]+% /s/ +[0-9]+( \(longest|$)/ N\1/'
}

# one PROGRAM OUT ARGUMENTS…: what a program says, masked, and its exit code.
one() {
  local program=$1 out=$2 code=0
  shift 2
  timeout 60 "$program" "$@" >"$out.stdout" 2>"$out.stderr" || code=$?
  { masked <"$out.stdout"; echo "== stderr"; masked <"$out.stderr"; echo "== exit code $code"; } >"$out"
}

# beside NAME ARGUMENTS…: both programs with the same arguments.
differ=0
beside() {
  local name=$1
  shift
  one ab "$work/theirs" "$@"
  one "$work/ab" "$work/ours" "$@"
  if diff -u --label ab --label "loadrunner ab" "$work/theirs" "$work/ours" >"$work/diff"; then
    echo "same   $name"
  else
    echo "DIFFER $name"
    cat "$work/diff"
    differ=1
  fi
}

start_redis
start a "$work/downstream" --name a --latency 1ms; a=http://$addr
start b "$work/downstream" --name b --latency 1ms; b=http://$addr
for server in threadpool eventloop; do
  start "$server" "$work/$server" --downstream-a "$a" --downstream-b "$b" --redis "$redis"
  path=/v1/sync
  [ "$server" = eventloop ] && path=/v1/async
  curl -sf -d @"$work/order.json" "http://$addr$path" >/dev/null # the key is in the cache from now on
  for flags in "" "-k" "-l" "-k -l"; do
    # shellcheck disable=SC2086
    beside "$server GET  $flags" -n "$requests" -c 10 $flags "http://$addr/healthz"
    # shellcheck disable=SC2086
    beside "$server POST $flags" -n "$requests" -c 10 $flags -p "$work/order.json" -T application/json "http://$addr$path"
  done
done
exit $differ
