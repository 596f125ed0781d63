#!/usr/bin/env bash
# Server CPU per request of every model, side by side: wrk with 200 keep-alive connections, downstreams of 5 ms, a real
# redis-server, REPETITIONS (7) interleaved repetitions of SECONDS_EACH (3) seconds. Prints the median of each and the
# ratio to the event loop. CPU is summed over the server's threads (/proc/PID/task/*/schedstat), switches likewise.
set -euo pipefail
cd "$(dirname "$0")/.."
repetitions=${REPETITIONS:-7} seconds=${SECONDS_EACH:-3} connections=${CONNECTIONS:-200} latency=${LATENCY:-5ms}
. bench/lib.sh
need wrk redis-server redis-cli python3
go build -o "$work/" ./servers/threadpool ./servers/eventloop ./downstream

# cost PID: CPU nanoseconds and voluntary switches so far, over all threads.
cost() {
  cat /proc/"$1"/task/*/schedstat 2>/dev/null | awk '{ns += $1} END {printf "%.0f ", ns}'
  cat /proc/"$1"/task/*/status 2>/dev/null | awk '/^voluntary/ {n += $2} END {printf "%.0f\n", n}'
}

# measure NAME PROGRAM FLAGS…: one repetition; appends "CPU µs per request, switches per request, req/s" to NAME.tsv.
measure() {
  local name=$1 path=/v1/sync before after
  [ "$name" = loop ] && path=/v1/async
  start "$@" --downstream-a "$a" --downstream-b "$b" --redis "$redis"
  wrk -t1 -c "$connections" -d 1s -s bench/order.lua "http://$addr$path" >/dev/null
  before=$(cost "$pid")
  wrk -t1 -c "$connections" -d "${seconds}s" -s bench/order.lua "http://$addr$path" >"$work/wrk.txt"
  after=$(cost "$pid")
  kill "$pid" && wait "$pid" 2>/dev/null || true
  if grep -q 'Non-2xx\|Socket errors' "$work/wrk.txt"; then
    grep 'Non-2xx\|Socket errors' "$work/wrk.txt" >&2
    echo "servers.sh: $name failed requests; no figure" >&2
    exit 1
  fi
  awk -v before="$before" -v after="$after" '/requests in/ {
    split(before, x, " "); split(after, y, " "); sub("s,", "", $4)
    printf "%.2f\t%.3f\t%.0f\n", (y[1] - x[1]) / 1000 / $1, (y[2] - x[2]) / $1, $1 / $4 }' "$work/wrk.txt" >>"$work/$name.tsv"
}

# middle NAME COLUMN: the median over the repetitions.
middle() { cut -f "$2" "$work/$1.tsv" | median; }

start_redis
start a "$work/downstream" --name a --latency "$latency"; a=http://$addr
start b "$work/downstream" --name b --latency "$latency"; b=http://$addr

names=(loop goroutine thread fiber fiber-thread)
for repetition in $(seq "$repetitions"); do
  order=("${names[@]}")
  [ $((repetition % 2)) = 0 ] && order=($(printf '%s\n' "${names[@]}" | tac))
  for name in "${order[@]}"; do
    case $name in
      loop) measure loop "$work/eventloop" ;;
      goroutine) measure goroutine "$work/threadpool" --workers 200 --worker goroutine ;;
      thread) measure thread "$work/threadpool" --workers 200 --worker thread ;;
      fiber) measure fiber "$work/threadpool" --workers 200 --worker goroutine --stack fiber ;;
      fiber-thread) measure fiber-thread "$work/threadpool" --workers 200 --worker thread --stack fiber ;;
    esac
  done
done

printf '%-14s %14s %10s %18s %8s\n' server "CPU µs/request" "loop is ×" switches/request req/s
for name in "${names[@]}"; do
  printf '%-14s %14.1f %10.2f %18.2f %8.0f\n' "$name" "$(middle "$name" 1)" \
    "$(awk -v l="$(middle loop 1)" -v x="$(middle "$name" 1)" 'BEGIN {print l / x}')" "$(middle "$name" 2)" "$(middle "$name" 3)"
done
