#!/usr/bin/env bash
# Predictions held against measurements, both servers, about 10 minutes on a quiet machine: a closed loop with waits of 5
# and 50 ms, 10, 50 and 200 workers, 50 and 500 clients (loadrunner compare), and Poisson arrivals at 0.9, 1.1 and 1.5
# times the capacity of 20 workers with exponential service of 100 ms (loadrunner predict and run). Prints predicted,
# measured and error of throughput and mean per cell, and how many are within 10 %.
# CELLS=closed or CELLS=open measures one half; SECONDS_OPEN (30) is the time of an open cell.
set -euo pipefail
cd "$(dirname "$0")/.."
cells=${CELLS:-closed open} seconds=${SECONDS_OPEN:-30}
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

# open RATE LOAD: arrivals at that rate on both servers, one after the other.
open() {
  local rate=$1 load=$2 server
  "$work/loadrunner" predict --workers 20 --queue 100 --latency-a 0s --latency-b exp:100ms --hit-ratio 1 --rate "$rate" \
    --format json >"$work/predicted.json"
  for server in threadpool eventloop; do
    local flags=() path=/v1/async valid=ok
    [ $server = threadpool ] && flags=(--workers 20 --queue 100) path=/v1/sync
    start $server "$work/$server" --downstream-a "$a" --downstream-b "$b" --redis "$redis" "${flags[@]}"
    "$work/loadrunner" run --rate "$rate" --arrivals poisson -t "$seconds" -k --variants $((rate * seconds * 2)) \
      -H 'X-Request-Id: r-{{n}}' -H 'Content-Type: application/json' \
      --body '{"customer_id":"c-1","sku":"sku-1","quantity":1}' --format json --quiet "http://$addr$path" >"$work/run.json" \
      2>"$work/err" || { valid=INVALID; cat "$work/err" >&2; }
    kill "$pid" && wait "$pid" 2>/dev/null || true
    python3 - "open $load x capacity" $server "$work/predicted.json" "$work/run.json" $valid "$work/rows.tsv" <<'PYTHON'
import json, sys
cell, server, predicted, measured, valid, rows = sys.argv[1:]
p = next(p for p in json.load(open(predicted)) if p["server"] == server)["predicted"]
m = json.load(open(measured))
sent, served = m["requests"]["sent"], m["requests"]["ok_2xx"]
# A rejection takes next to no time, so that the mean of all answers is that of the served ones, thinned.
mean = m["response"]["mean_ms"] * m["requests"]["answered"] / served
with open(rows, "a") as out:
    for name, expected, seen in (("req/s", p["throughput_rps"], m["goodput_rps"]), ("mean ms", p["mean_ms"], mean),
                                 ("rejected", p["blocked_share"], 1 - served / sent)):
        print(cell, server, name, expected, seen, valid, sep="\t", file=out)
PYTHON
  done
}

for kind in $cells; do
  case $kind in
    closed)
      for s in 5 50; do for n in 10 50 200; do for c in 50 500; do closed $s $n $c; done; done; done
      ;;
    open)
      start a "$work/downstream" --name a --latency 0s; a=http://$addr
      start b "$work/downstream" --name b --latency exp:100ms; b=http://$addr
      open 180 0.9
      open 220 1.1
      open 300 1.5
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
    if name == "rejected":
        print(f"{cell:24} {server:10} {name:8} {p:10.3f} {m:10.3f} {p - m:+8.3f}  {'' if valid == 'ok' else valid}")
        continue
    error = 100 * (p - m) / m
    marks = "" if abs(error) <= 10 else "model off"
    if valid != "ok":
        left, marks = left + 1, valid  # a measurement that is not valid says nothing of the model
    else:
        total, within = total + 1, within + (abs(error) <= 10)
    print(f"{cell:24} {server:10} {name:8} {p:10.1f} {m:10.1f} {error:+7.1f}%  {marks}")
print(f"{within} of {total} within 10 %; {left} left out because the measurement is not valid")
PYTHON
