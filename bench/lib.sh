# Sourced by the scripts beside it and by .ci/conformance, from the root of the project. It makes the folder $work, which
# goes at the end, as do the programs that were started.

work=$(mktemp -d)
pids=()
trap 'kill "${pids[@]}" 2>/dev/null || true; wait; rm -rf "$work"' EXIT

# need PROGRAM…: ends the script when one is missing.
need() {
  local program
  for program in "$@"; do
    command -v "$program" >/dev/null || { echo "${0##*/}: $program is missing; install it" >&2; exit 1; }
  done
}

# start NAME PROGRAM FLAGS…: starts a program of the lab on free loopback ports; sets pid, addr and admin.
start() {
  local log=$work/$1.log
  shift
  : >"$log" # what an earlier run left must not be read as this one
  "$@" --addr 127.0.0.1:0 --admin 127.0.0.1:0 --log-format json 2>"$log" &
  pid=$!
  pids+=("$pid")
  for _ in $(seq 100); do
    addr=$(announced addr "$log") admin=$(announced admin "$log")
    [ -n "$addr" ] && return
    sleep 0.05
  done
  cat "$log" >&2
  return 1
}

# announced FIELD LOG: a field of the line that says where a program listens.
announced() { sed -n "s/.*\"$1\":\"\([^\"]*\)\".*\"message\":\"listening\".*/\1/p" "$2" | head -1; }

# free_port: a TCP port of loopback that nobody uses.
free_port() {
  python3 -c 'import socket; s = socket.socket(); s.bind(("127.0.0.1", 0)); print(s.getsockname()[1])'
}

# start_redis: starts redis-server; sets redis to its address.
start_redis() {
  local port
  port=$(free_port)
  redis=127.0.0.1:$port
  redis-server --bind 127.0.0.1 --port "$port" --save "" --appendonly no --dir "$work" >/dev/null &
  pids+=($!)
  for _ in $(seq 100); do
    redis-cli -p "$port" ping >/dev/null 2>&1 && return
    sleep 0.05
  done
  echo "redis-server did not start" >&2
  return 1
}

# median: of the numbers on the lines of its input.
median() { sort -g | awk '{v[NR] = $1} END {print NR % 2 ? v[(NR + 1) / 2] : (v[NR / 2] + v[NR / 2 + 1]) / 2}'; }
