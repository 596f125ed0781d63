#!/usr/bin/env bash
# Predictions held against measurements, about 20 minutes on a quiet machine: a closed loop with waits of 5 and 50 ms, 10, 50
# and 200 workers, 50 and 500 clients, on both servers, and Poisson arrivals at 0.9, 1.1 and 1.5 times the capacity of 20
# workers with an exponential service of 60 ms. Prints predicted, measured and error of throughput and mean of each closed
# cell, of throughput, wait in the accept queue and share of rejections of each open one, and how many are within 10 %.
# CELLS=closed or CELLS=open measures one half; SECONDS_OPEN (240) is the time of the open cell of 0.9.
set -euo pipefail
cd "$(dirname "$0")/.."
cells=${CELLS:-closed open} seconds=${SECONDS_OPEN:-240}
. bench/lib.sh
need python3 redis-server redis-cli
go build -o "$work/" ./servers/threadpool ./servers/eventloop ./downstream ./loadrunner
start_redis
echo "load of the machine: $(cut -d' ' -f1-3 /proc/loadavg)"

# compared CELL JSON VALID: the rows of a results folder's prediction.json.
compared() {
  python3 - "$@" "$work/rows.tsv" <<'PYTHON'
import json, sys
cell, file, valid, rows = sys.argv[1:]
with open(rows, "a") as out:
    for p in json.load(open(file)):
        of_open = p["inputs"]["rate_rps"] > 0
        if of_open and p["server"] == "eventloop":
            continue  # it lets in whatever comes: nothing waits, nothing is rejected
        for side in p["predicted"], p["measured"]:
            side["wait_ms"] = 1000 * side["queue_length"] / side["throughput_rps"] if of_open else None  # Little's law
        names = ("req/s", "throughput_rps"), ("mean ms", "mean_ms")
        if of_open:
            names = ("req/s", "throughput_rps"), ("wait ms", "wait_ms"), ("rejected", "blocked_share")
        for name, key in names:
            print(cell, p["server"], name, p["predicted"][key], p["measured"][key], valid, sep="\t", file=out)
PYTHON
}

# closed S N C: one comparison; waits of S ms are split evenly over A and B.
closed() {
  local s=$1 n=$2 c=$3 time valid=ok
  time=$(python3 -c "print(round(max(5, min(30, 12 * $c * $s / 1000 / $n))))")
  "$work/loadrunner" compare --workers "$n" --queue 1000 -c "$c" -t "$time" --rounds 1 --quiet --redis "$redis" \
    --latency-a "$((s * 500))us" --latency-b "$((s * 500))us" --results "$work/results" --name "s$s-n$n-c$c" >"$work/out" 2>&1 ||
    valid=INVALID
  [ $valid = ok ] || grep -m1 -A2 INVALID "$work/out" >&2 || cat "$work/out" >&2
  compared "closed S=$s N=$n c=$c" "$(echo "$work"/results/*"-s$s-n$n-c$c"/prediction.json)" $valid
}

# open LOAD TIME: Poisson arrivals at LOAD times what 20 workers with an exponential service of 60 ms can serve.
open() {
  local load=$1 time=$2 rate valid=ok
  rate=$(python3 -c "print(round($load * 20 / 0.06))")
  "$work/loadrunner" compare --workers 20 --queue 100 --rate "$rate" -t "$time" --rounds 1 --quiet --redis "$redis" \
    --latency-a 0s --latency-b exp:60ms --hit-ratio 1 --results "$work/results" --name "open-$load" >"$work/out" 2>&1 ||
    valid=INVALID
  [ $valid = ok ] || grep -m1 -A2 INVALID "$work/out" >&2 || cat "$work/out" >&2
  compared "open $load x capacity" "$(echo "$work"/results/*"-open-$load"/prediction.json)" $valid
}

for kind in $cells; do
  case $kind in
    closed)
      for s in 5 50; do for n in 10 50 200; do for c in 50 500; do closed $s $n $c; done; done; done
      ;;
    open)
      open 0.9 "$seconds" # a queue near its capacity needs long until its mean means something
      open 1.1 "$((seconds / 2))"
      open 1.5 "$((seconds / 4))"
      ;;
    *) echo "predict.sh: CELLS=$kind: want closed, open or both" >&2; exit 2 ;;
  esac
done

echo "load of the machine: $(cut -d' ' -f1-3 /proc/loadavg)"
python3 - "$work/rows.tsv" <<'PYTHON'
import sys
print(f"{'':24} {'server':10} {'':8} {'predicted':>10} {'measured':>10} {'error':>8}")
within = total = left = 0
for line in open(sys.argv[1]):
    cell, server, name, predicted, measured, valid = line.rstrip("\n").split("\t")
    if "None" in (predicted, measured):
        print(f"{cell:24} {server:10} {name:8} {'-':>10} {'-':>10} {'-':>8}  not known, or fewer than 99 % served")
        continue
    p, m = float(predicted), float(measured)
    digits = 3 if name == "rejected" else 1
    if name == "rejected" and max(p, m) < 0.001:
        print(f"{cell:24} {server:10} {name:8} {p:10.5f} {m:10.5f} {'':8}  next to none, as predicted")
        continue
    error = 100 * (p - m) / m
    marks = "" if abs(error) <= 10 else "model off"
    if valid != "ok":
        left, marks = left + 1, valid  # a measurement that is not valid says nothing of the model
    else:
        total, within = total + 1, within + (abs(error) <= 10)
    print(f"{cell:24} {server:10} {name:8} {p:10.{digits}f} {m:10.{digits}f} {error:+7.1f}%  {marks}")
print(f"{within} of {total} within 10 %; {left} left out because the measurement is not valid")
PYTHON
