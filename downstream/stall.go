package main

import "time"

// Stall is a window in which nothing is answered: what is due inside it is answered at its end, as when a process is
// stopped by its garbage collector or by its hypervisor. The zero value never stalls.
type Stall struct{ From, Until time.Time }

// NewStall returns the window that begins at after start and lasts length.
func NewStall(start time.Time, at, length time.Duration) Stall {
	return Stall{From: start.Add(at), Until: start.Add(at + length)}
}

// Remaining is how long an answer that is due now has to wait yet: 0 outside the window.
func (s Stall) Remaining(now time.Time) time.Duration {
	if now.Before(s.From) {
		return 0
	}
	return max(0, s.Until.Sub(now))
}
