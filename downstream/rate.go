package main

import (
	"sync"
	"time"
)

// RateLimit lets so many calls a second pass and refuses the others at once. It is the generic cell rate algorithm
// (ITU-T I.371): a bucket of a tenth of a second's calls, one at least, that refills evenly. All methods may be called
// from any goroutine.
type RateLimit struct {
	mu sync.Mutex
	// interval is the time one call uses up, 0 without a limit; burst is how far ahead of it calls may run.
	interval, burst time.Duration
	// full is when the bucket is full again.
	full time.Time
}

// Set changes the limit to calls a second and fills the bucket; 0 is no limit.
func (r *RateLimit) Set(perSecond float64) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.interval, r.burst, r.full = 0, 0, time.Time{}
	if perSecond > 0 {
		r.interval = time.Duration(float64(time.Second) / perSecond)
		r.burst = max(r.interval, 100*time.Millisecond)
	}
}

// Allow takes one call out of the bucket, or says that there is none.
func (r *RateLimit) Allow(now time.Time) bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.interval == 0 {
		return true
	}
	next := r.full
	if next.Before(now) {
		next = now
	}
	next = next.Add(r.interval)
	if next.Sub(now) > r.burst {
		return false
	}
	r.full = next
	return true
}
