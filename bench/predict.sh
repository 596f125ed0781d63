#!/usr/bin/env bash
# Predictions held against measurements, about 20 minutes on a quiet machine: a closed loop with waits of 5 and 50 ms, 10, 50
# and 200 workers, 50 and 500 clients, on both servers, and Poisson arrivals at 0.9, 1.1 and 1.5 times the capacity of 20
# workers with an exponential service of 100 ms. Prints predicted, measured and error of throughput and mean of each closed
# cell, of throughput, wait in the accept queue and share of rejections of each open one, and how many are within 10 %.
# CELLS=closed or CELLS=open measures one half; SECONDS_OPEN (300) is the time of the open cell of 0.9.
set -euo pipefail
cd "$(dirname "$0")/.."
cells=${CELLS:-closed open} seconds=${SECONDS_OPEN:-300}
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
        for name, key in ("req/s", "throughput_rps"), ("mean ms", "mean_ms"):
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

# open LOAD TIME: Poisson arrivals at LOAD times the capacity of the pool, which alone has a queue.
open() {
  local load=$1 time=$2 rate valid=ok
  rate=$(python3 -c "print(round($load * 20 / 0.1))")
  "$work/loadrunner" predict --workers 20 --queue 100 --latency-a 0s --latency-b exp:100ms --hit-ratio 1 --rate "$rate" \
    --format json >"$work/predicted.json"
  start threadpool "$work/threadpool" --downstream-a "$a" --downstream-b "$b" --redis "$redis" --workers 20 --queue 100
  "$work/loadrunner" run --rate "$rate" --arrivals poisson -t "$time" -k --variants $((rate * time * 2)) \
    -H 'X-Request-Id: r-{{n}}' -H 'Content-Type: application/json' \
    --body '{"customer_id":"c-1","sku":"sku-1","quantity":1}' --format json --quiet "http://$addr/v1/sync" >"$work/run.json" \
    2>"$work/err" || { valid=INVALID; cat "$work/err" >&2; }
  python3 - "open $load x capacity" "$work/predicted.json" "$work/run.json" "http://$admin/stats" $valid "$work/rows.tsv" <<'PYTHON'
import json, sys, urllib.request
cell, predicted, measured, stats, valid, rows = sys.argv[1:]
p = next(p for p in json.load(open(predicted)) if p["server"] == "threadpool")["predicted"]
m, own = json.load(open(measured)), json.load(urllib.request.urlopen(stats, timeout=5))
sent, served = m["requests"]["sent"], m["requests"]["ok_2xx"]
with open(rows, "a") as out:
    for name, expected, seen in (("req/s", p["throughput_rps"], m["goodput_rps"]),
                                 ("wait ms", 1000 * p["queue_length"] / p["throughput_rps"], 1000 * own["pool"]["queued_s"] / served),
                                 ("rejected", p["blocked_share"], 1 - served / sent)):
        print(cell, "threadpool", name, expected, seen, valid, sep="\t", file=out)
PYTHON
  kill "$pid" && wait "$pid" 2>/dev/null || true
}

for kind in $cells; do
  case $kind in
    closed)
      for s in 5 50; do for n in 10 50 200; do for c in 50 500; do closed $s $n $c; done; done; done
      ;;
    open)
      start a "$work/downstream" --name a --latency 0s; a=http://$addr
      start b "$work/downstream" --name b --latency exp:100ms; b=http://$addr
      open 0.9 "$seconds" # a queue near its capacity needs long until its mean means something
      open 1.1 "$((seconds / 3))"
      open 1.5 "$((seconds / 6))"
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
