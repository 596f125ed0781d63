#!/usr/bin/env bash
# Does the comparison name winners where there are none, and find a difference that is there? AA (20) comparisons of the
# thread pool with itself, and SLOWED (10) in which the second process burns HANDICAP iterations of CPU in each request: by
# default about 10 % of the time of a request. Each has ROUNDS (10) rounds of REQUESTS (200) requests. Prints for each metric
# how often it was called a tie, inconclusive, for the first and for the second process, and how many runs were not valid:
# those decide nothing, and are done again, RETRIES (5) times in all.
set -euo pipefail
cd "$(dirname "$0")/.."
aa=${AA:-20} slowed=${SLOWED:-10} rounds=${ROUNDS:-10} requests=${REQUESTS:-200} handicap=${HANDICAP:-1100000}
retries=${RETRIES:-5}
. bench/lib.sh
need python3

go build -o "$work/" ./servers/threadpool ./servers/eventloop ./downstream ./loadrunner

# once KIND NUMBER FLAGS…: one comparison, into a folder of its own.
once() {
  local kind=$1 number=$2
  shift 2
  timeout 120 "$work/loadrunner" compare --same threadpool -k -c 4 -n "$requests" --rounds "$rounds" --fresh 0 --order random \
    --seed "$number" --warmup 300ms --latency-a 10ms --latency-b 10ms --quiet --results "$work/$kind" --name "n$number" "$@" \
    >/dev/null 2>>"$work/log" || [ $? = 1 ]
}

# series KIND COUNT FLAGS…: that many valid comparisons.
series() {
  local kind=$1 count=$2 number=0
  shift 2
  mkdir -p "$work/$kind"
  while [ "$(valid "$kind")" -lt "$count" ] && [ $number -lt $((count + retries)) ]; do
    number=$((number + 1))
    once "$kind" "$number" "$@"
  done
}

# valid KIND: how many valid runs there are.
valid() { grep -l '"valid": true' "$work/$1"/*/run.json 2>/dev/null | wc -l; }

series alike "$aa"
series slowed "$slowed" --handicap "$handicap"

python3 - "$work" <<'PYTHON'
import collections, glob, json, sys
for kind in "alike", "slowed":
    runs = [json.load(open(path)) for path in glob.glob(f"{sys.argv[1]}/{kind}/*/run.json")]
    good = [run for run in runs if run["valid"]]
    print(f"{kind}: {len(good)} valid runs, {len(runs) - len(good)} not valid")
    for run in runs:
        if not run["valid"]:
            print("  not valid:", "; ".join(run["invalid_reasons"])[:150])
    print(f"  {'':28} {'tie':>5} {'inconclusive':>13} {'first':>6} {'second':>7}  median ratio")
    for row in range(len(good[0]["comparison"]) if good else 0):
        verdicts = collections.Counter(run["comparison"][row]["verdict"] for run in good)
        ratios = sorted(run["comparison"][row]["ratio"] or 0 for run in good)
        print(f"  {good[0]['comparison'][row]['metric']:28} {verdicts['tie']:5} {verdicts['inconclusive']:13} "
              f"{verdicts['threadpool']:6} {verdicts['threadpool2']:7}  {ratios[len(ratios) // 2]:.3f}")
PYTHON
