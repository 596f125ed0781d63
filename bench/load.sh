#!/usr/bin/env bash
# CPU per request of the load engine beside wrk and ab, against one nginx that answers 20 bytes: REPETITIONS (7)
# interleaved repetitions of SECONDS_EACH (3) seconds for each of CASES (keep-50 keep-500 close-50: kept connections or
# one per request, and the number of clients). The engine is measured bare (engine), as loadrunner run, and as
# loadrunner ab (ours).
# CPU is user and system time of the whole generator process. Prints the medians, and the medians of the ratios within
# one repetition: of CPU to wrk -t1 and to ab, and of requests a second to the better one of wrk -t1 and -t2.
set -euo pipefail
cd "$(dirname "$0")/.."
repetitions=${REPETITIONS:-7} seconds=${SECONDS_EACH:-3} cases=${CASES:-keep-50 keep-500 close-50}
. bench/lib.sh
need wrk ab nginx curl python3
go build -o "$work/engine" ./bench/engine
go build -o "$work/loadrunner" ./loadrunner
port=$(free_port)
cat >"$work/nginx.conf" <<CONF
daemon off; worker_processes 1; pid $work/pid; error_log $work/error.log;
events { worker_connections 4096; }
http {
  access_log off; keepalive_requests 1000000000;
  client_body_temp_path $work/1; proxy_temp_path $work/2; fastcgi_temp_path $work/3; uwsgi_temp_path $work/4; scgi_temp_path $work/5;
  server { listen 127.0.0.1:$port backlog=4096; location / { return 200 "01234567890123456789"; } }
}
CONF
nginx -c "$work/nginx.conf" -e "$work/error.log" &
pids+=($!)
url=http://127.0.0.1:$port/
for _ in $(seq 100); do curl -s "$url" >/dev/null && break; sleep 0.05; done

# measure CASE NAME COMMAND…: one repetition; appends "CPU µs per request, requests/s" to CASE.NAME.
measure() {
  local case=$1 name=$2 TIMEFORMAT='%U %S %R'
  shift 2
  # loadrunner run exits with 1 when the generator was the limit, as it should be here.
  { time "$@" >"$work/out" 2>"$work/err" || true; } 2>"$work/time"
  local requests
  requests=$(awk '/requests in/ {print $1; exit} /^Complete requests:/ {print $3; exit}' "$work/out")
  if [ -z "$requests" ] || grep -Eq '[1-9][0-9]* failed|Failed requests: +[1-9]|Socket errors|Non-2xx' "$work/out"; then
    cat "$work/out" "$work/err" >&2
    echo "load.sh: $name did not finish cleanly; no figure" >&2
    exit 1
  fi
  awk -v n="$requests" '{printf "%.2f\t%.0f\n", ($1 + $2) * 1e6 / n, n / $3}' "$work/time" >>"$work/$case.$name"
}

# once CASE NAME: one repetition of one generator. ab's time limit comes with a number of requests it won't reach.
once() {
  local case=$1 clients=${1#*-} keep=(-k) close=()
  [ "${case%-*}" = keep ] || { keep=() close=(-H "Connection: close"); }
  case $2 in
    engine) measure "$case" engine "$work/engine" "${keep[@]}" -c "$clients" -t "${seconds}s" "$url" ;;
    wrk1) measure "$case" wrk1 wrk -t1 -c "$clients" -d "${seconds}s" "${close[@]}" "$url" ;;
    wrk2) measure "$case" wrk2 wrk -t2 -c "$clients" -d "${seconds}s" "${close[@]}" "$url" ;;
    run) measure "$case" run "$work/loadrunner" run --quiet "${keep[@]}" -c "$clients" -t "${seconds}s" "$url" ;;
    ours) measure "$case" ours "$work/loadrunner" ab -q "${keep[@]}" -t "$seconds" -n 5000000 -c "$clients" "$url" ;;
    ab) measure "$case" ab ab -q "${keep[@]}" -t "$seconds" -n 5000000 -c "$clients" "$url" ;;
  esac
}

# ratio CASE NAME COLUMN OTHER…: median of the ratios to the largest of the others within one repetition.
ratio() {
  local case=$1 name=$2 column=$3 others=()
  shift 3
  for other in "$@"; do others+=("$work/$case.$other"); done
  paste "$work/$case.$name" "${others[@]}" | awk -v column="$column" '{
    most = 0
    for (i = column + 2; i <= NF; i += 2) if ($i > most) most = $i
    printf "%.3f\n", $column / most }' | median
}

names=(engine wrk1 ab run wrk2 ours)
printf '%-10s %-7s %14s %11s %9s %8s %15s\n' case program "CPU us/request" requests/s "CPU/wrk1" "CPU/ab" "rate/best wrk"
for case in $cases; do
  for repetition in $(seq "$repetitions"); do
    order=("${names[@]}")
    [ $((repetition % 2)) = 0 ] && order=($(printf '%s\n' "${names[@]}" | tac))
    for name in "${order[@]}"; do once "$case" "$name"; done
  done
  for name in "${names[@]}"; do
    printf '%-10s %-7s %14s %11s %9s %8s %15s\n' "$case" "$name" "$(cut -f1 "$work/$case.$name" | median)" \
      "$(cut -f2 "$work/$case.$name" | median)" "$(ratio "$case" "$name" 1 wrk1)" "$(ratio "$case" "$name" 1 ab)" \
      "$(ratio "$case" "$name" 2 wrk1 wrk2)"
  done
done
