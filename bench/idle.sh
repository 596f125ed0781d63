#!/usr/bin/env bash
# Memory of an idle keep-alive connection: each server serves 50 busy clients, first alone, then beside IDLE (10000) idle
# connections. Prints both resident sizes, their difference per connection, and the failed requests, which must be none.
set -euo pipefail
cd "$(dirname "$0")/.."
idle=${IDLE:-10000} seconds=${SECONDS_EACH:-8}
. bench/lib.sh
need redis-server redis-cli python3
[ "$(ulimit -n)" -ge $((idle + 1000)) ] || { echo "idle.sh: ulimit -n is $(ulimit -n); raise it to $((idle + 1000))" >&2; exit 1; }

go build -o "$work/" ./servers/threadpool ./servers/eventloop ./downstream ./loadrunner

# resident PID: its resident memory in kB.
resident() { awk '/^VmRSS/ {print $2}' /proc/"$1"/status; }

# load IDLE: runs the busy clients beside so many idle connections; sets rss to the server's size two seconds before the end.
load() {
  "$work/loadrunner" run -k -c 50 -t "${seconds}s" --idle "$1" --quiet --format json --fail-if 'errors>0' \
    -H 'Content-Type: application/json' --body '{"customer_id":"c-000123","sku":"sku-00042","quantity":3}' \
    "http://$addr$path" >"$work/run.json" &
  local runner=$!
  sleep $((seconds - 2))
  rss=$(resident "$pid")
  wait "$runner" || { tail -5 "$work/run.json" >&2; return 1; }
}

start_redis
start a "$work/downstream" --name a --latency 5ms; a=http://$addr
start b "$work/downstream" --name b --latency 5ms; b=http://$addr
printf '%-12s %14s %18s %18s\n' server "busy alone kB" "beside $idle kB" "kB per connection"
for server in goroutine loop; do
  case $server in
    goroutine) program="threadpool --worker goroutine" path=/v1/sync ;;
    loop) program=eventloop path=/v1/async ;;
  esac
  # shellcheck disable=SC2086
  start "$server" "$work"/$program --max-conns $((idle + 500)) --header-timeout 10m --idle-timeout 10m \
    --downstream-a "$a" --downstream-b "$b" --redis "$redis"
  load 0; alone=$rss
  load "$idle"; beside=$rss
  awk -v s="$server" -v a="$alone" -v b="$beside" -v n="$idle" 'BEGIN {printf "%-12s %14d %18d %18.2f\n", s, a, b, (b - a) / n}'
  kill "$pid" && wait "$pid" 2>/dev/null || true
done
