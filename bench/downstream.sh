#!/usr/bin/env bash
# Is the mock downstream on time at 5,000 calls a second? For each of CASES (20ms-100 50ms-250 5ms-25: latency and number
# of connections, which together ask for 5,000/s), REPETITIONS (5) interleaved repetitions of SECONDS_EACH (3) seconds with
# wrk. Prints medians: calls/s, the downstream's CPU per call (/proc/PID/task/*/schedstat), p50 and p99 of the overshoot,
# the share of late calls, and in how many repetitions the downstream called itself late. What else ran on the machine
# meanwhile is in "other CPU": cores used by neither the downstream nor wrk.
set -euo pipefail
cd "$(dirname "$0")/.."
repetitions=${REPETITIONS:-5} seconds=${SECONDS_EACH:-3} cases=${CASES:-20ms-100 50ms-250 5ms-25}
for program in wrk curl python3; do
  command -v $program >/dev/null || { echo "downstream.sh: $program is missing; install it" >&2; exit 1; }
done

work=$(mktemp -d)
trap 'kill "${downstream:-}" 2>/dev/null || true; wait; rm -rf "$work"' EXIT
go build -o "$work/downstream" ./downstream
"$work/downstream" --addr 127.0.0.1:0 --admin 127.0.0.1:0 --log-format json 2>"$work/log" & downstream=$!
for _ in $(seq 100); do grep -q '"message":"listening"' "$work/log" && break; sleep 0.05; done
field() { sed -n "s/.*\"$1\":\"\([^\"]*\)\".*\"message\":\"listening\".*/\1/p" "$work/log"; }
url=http://$(field addr)/customers/c-000001 admin=http://$(field admin)

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
printf '%-10s %8s %12s %14s %14s %8s %8s %10s\n' case calls/s "CPU us/call" "overshoot p50" "overshoot p99" "late %" late "other CPU"
for case in $cases; do
  python3 - "$case" "$work/$case" <<'PYTHON'
import statistics, sys
rows = [list(map(float, line.split())) for line in open(sys.argv[2])]
rate, cpu, p50, p99, share, _, other = (statistics.median(column) for column in zip(*rows))
late = f"{sum(row[5] for row in rows):.0f}/{len(rows)}"
print(f"{sys.argv[1]:<10} {rate:8.0f} {cpu:12.1f} {p50:11.3f} ms {p99:11.3f} ms {share:8.2f} {late:>8} {other:10.2f}")
PYTHON
done
