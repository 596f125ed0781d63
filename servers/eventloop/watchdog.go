package main

import (
	"bytes"
	"runtime"
	"sync/atomic"
	"time"
)

// watchdog says so when its loop stands still. It lives outside the loop, on the ticker's goroutine.
type watchdog struct {
	reported int64        // lag.queued at the last report: one report for one standstill
	blocked  atomic.Int64 // standstills since the start
}

// watch reports the loop when it has had a tick to handle for --blocked-after. (That it has not ticked for so long
// would not do: the ticker, too, may have been kept from running.)
func (l *loop) watch(now time.Duration) {
	queued := l.lag.queued.Load()
	silent := now - time.Duration(queued)
	if queued == 0 || silent < l.server.config.BlockedAfter || l.watchdog.reported == queued {
		return
	}
	l.watchdog.reported = queued
	l.watchdog.blocked.Add(1)
	l.server.log.Warn().Int("loop", l.index).Dur("silent_ms", silent).Str("stack", stackOf(l.goroutine)).
		Msg("loop is blocked: nothing on it makes progress")
}

// goroutineName returns what a stack dump calls the goroutine that calls it: "goroutine 17 ".
func goroutineName() string {
	buf := make([]byte, 64)
	buf = buf[:runtime.Stack(buf, false)]
	return string(buf[:bytes.IndexByte(buf, '[')])
}

// mostStack bounds a dump of all stacks, in bytes.
const mostStack = 1 << 20

// stackOf returns the stack of one goroutine. It stops the world for a moment.
func stackOf(goroutine string) string {
	buf := make([]byte, mostStack)
	buf = buf[:runtime.Stack(buf, true)]
	start := bytes.Index(buf, []byte(goroutine))
	if start < 0 {
		return "not found among " + goroutine
	}
	stack := buf[start:]
	if end := bytes.Index(stack, []byte("\n\n")); end > 0 {
		stack = stack[:end]
	}
	return string(stack)
}
