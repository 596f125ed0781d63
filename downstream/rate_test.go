package main

import (
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
)

// allowed counts what passes of calls that come every so often for a second.
func allowed(r *RateLimit, start time.Time, every time.Duration) int {
	n := 0
	for at := time.Duration(0); at < time.Second; at += every {
		if r.Allow(start.Add(at)) {
			n++
		}
	}
	return n
}

func TestRateLimit(t *testing.T) {
	start := time.Now()
	for name, tc := range map[string]struct {
		limit float64
		every time.Duration
		want  int
	}{
		"no limit":             {0, time.Millisecond, 1000},
		"below it":             {200, 10 * time.Millisecond, 100},
		"at it":                {100, 10 * time.Millisecond, 100},
		"above it":             {100, time.Millisecond, 109}, // and a bucket of 10, the last refill of which is not over
		"far above it":         {1000, 100 * time.Microsecond, 1099},
		"less than a bucket":   {2, time.Millisecond, 2},
		"less than one second": {0.5, time.Millisecond, 1},
	} {
		t.Run(name, func(t *testing.T) {
			var r RateLimit
			r.Set(tc.limit)
			assert.Equal(t, tc.want, allowed(&r, start, tc.every))
		})
	}
}

func TestRateLimitRefillsWhileNobodyCalls(t *testing.T) {
	var r RateLimit
	r.Set(100)
	start := time.Now()
	assert.Equal(t, 109, allowed(&r, start, time.Millisecond))
	assert.Equal(t, 109, allowed(&r, start.Add(2*time.Second), time.Millisecond))
}

func TestRateLimitCanBeTakenAway(t *testing.T) {
	var r RateLimit
	r.Set(1)
	start := time.Now()
	assert.True(t, r.Allow(start))
	assert.False(t, r.Allow(start))
	r.Set(0)
	assert.True(t, r.Allow(start))
	assert.True(t, r.Allow(start))
}
