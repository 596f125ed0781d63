# Sourced by the scripts beside it: starts programs of the lab on free loopback ports. Expects work (a folder) and pids.

# start NAME PROGRAM FLAGS…: starts a program of the lab; sets pid and addr.
start() {
  local log=$work/$1.log
  shift
  : >"$log" # what an earlier run left must not be read as this one
  "$@" --addr 127.0.0.1:0 --admin 127.0.0.1:0 --log-format json 2>"$log" &
  pid=$!
  pids+=("$pid")
  for _ in $(seq 100); do
    addr=$(sed -n 's/.*"addr":"\([^"]*\)".*"listening".*/\1/p' "$log" | head -1)
    [ -n "$addr" ] && return
    sleep 0.05
  done
  cat "$log" >&2
  return 1
}

# start_redis: starts redis-server; sets redis to its address.
start_redis() {
  local port
  port=$(python3 -c 'import socket; s = socket.socket(); s.bind(("127.0.0.1", 0)); print(s.getsockname()[1])')
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
