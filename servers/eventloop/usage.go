package main

import "time"

// usage measures how busy a loop is: the share of time in which it did not wait for events.
//
// gnet does not show its epoll_wait, so what is counted is the time in callbacks, and the time between two callbacks
// when a task was queued meanwhile: the loop's wait then returns at once, and gnet was reading, or looking for the next
// event. What gnet does between callbacks with no task queued is not seen, mainly the read(2) ahead of a callback: the
// figure is too low by that, a few microseconds for each event.
type usage struct {
	entered, left time.Duration
	busy          time.Duration // since the start
	longest       time.Duration // callback
	callbacks     int64

	// The window over which share is taken began then, with so much busy time behind it.
	windowStart, windowBusy time.Duration
	lastShare               float64
}

func (u *usage) enter(now time.Duration, taskQueued bool) {
	if taskQueued {
		u.busy += now - u.left
	}
	u.entered = now
	u.callbacks++
}

func (u *usage) leave(now time.Duration) {
	took := now - u.entered
	u.busy += took
	u.longest = max(u.longest, took)
	u.left = now
}

// share returns the part of the last whole window in which the loop was busy, 0 to 1.
func (u *usage) share(now, window time.Duration) float64 {
	if passed := now - u.windowStart; passed >= window {
		u.lastShare = float64(u.busy-u.windowBusy) / float64(passed)
		u.windowStart, u.windowBusy = now, u.busy
	}
	return u.lastShare
}
