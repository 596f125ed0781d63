#!/usr/bin/env bash
# Is the mock downstream on time at 5,000 calls a second? For each of CASES (20ms-100 50ms-250 5ms-25: latency and number
# of connections, which together ask for 5,000/s), REPETITIONS (5) interleaved repetitions of SECONDS_EACH (3) seconds with
# wrk. Prints medians: calls/s, the downstream's CPU per call (/proc/PID/task/*/schedstat), p50 and p99 of the overshoot,
# the share of late calls, and in how many repetitions the downstream called itself late. What else ran on the machine
# meanwhile is in "other CPU": cores used by neither the downstream nor wrk.
set -euo pipefail
cd "$(dirname "$0")/.."
repetitions=${REPETITIONS:-5} seconds=${SECONDS_EACH:-3} cases=${CASES:-20ms-100 50ms-250 5ms-25}
. bench/lib.sh
need wrk curl python3

go build -o "$work/downstream" ./downstream
start downstream "$work/downstream"; downstream=$pid
url=http://$addr/customers/c-000001 admin=http://$admin

nanoseconds() { awk '{sum += $1} END {printf "%.0f", sum}' /proc/"$downstream"/task/*/schedstat; }
busy() { awk 'NR == 1 {print ($2 + $3 + $4 + $7 + $8) / 100}' /proc/stat; }

# once CASE: one repetition; appends its figures to CASE.
once() {
  local case=$1 before busy_before TIMEFORMAT='%U %S'
  curl -sf -X PUT -d "{\"latency\":\"${case%-*}\"}" "$admin/config" >/dev/null
  wrk -t1 -c"${case#*-}" -d1s "$url" >/dev/null
  curl -sf -X POST "$admin/reset" >/dev/null
  before=$(nanoseconds) busy_before=$(busy)
  { time wrk -t1 -c"${case#*-}" -d"${seconds}s" "$url" >"$work/wrk"; } 2>"$work/time"
  echo "$before $(nanoseconds) $busy_before $(busy) $(cat "$work/time")" >"$work/cpu"
  curl -sf "$admin/ledger" >"$work/ledger"
  python3 - "$work" "$seconds" >>"$work/$case" <<'PYTHON'
import json, sys
work, seconds = sys.argv[1], float(sys.argv[2])
ledger = json.load(open(f"{work}/ledger"))
before, after, busy_before, busy_after, user, system = map(float, open(f"{work}/cpu").read().split())
calls, used = ledger["calls"], (after - before) / 1e9
if ledger["answered"] + ledger["in_flight"] != calls:
    sys.exit("downstream.sh: the ledger does not add up")
print(calls / seconds, used * 1e6 / calls, ledger["overshoot_ms"]["p50"], ledger["overshoot_ms"]["p99"],
      100 * ledger["late_calls"] / calls, int(ledger["late"]),
      max(0, (busy_after - busy_before - used - user - system) / seconds))
PYTHON
}

for repetition in $(seq "$repetitions"); do
  for case in $cases; do once "$case"; done
done

# middle CASE COLUMN: the median over the repetitions.
middle() { cut -d ' ' -f "$2" "$work/$1" | median; }

printf '%-10s %8s %12s %14s %14s %8s %8s %10s\n' case calls/s "CPU us/call" "overshoot p50" "overshoot p99" "late %" late "other CPU"
for case in $cases; do
  printf '%-10s %8.0f %12.1f %11.3f ms %11.3f ms %8.2f %8s %10.2f\n' "$case" "$(middle "$case" 1)" "$(middle "$case" 2)" \
    "$(middle "$case" 3)" "$(middle "$case" 4)" "$(middle "$case" 5)" \
    "$(awk '{late += $6} END {print late "/" NR}' "$work/$case")" "$(middle "$case" 7)"
done
