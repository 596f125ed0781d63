package main

import (
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func newTimers(t testing.TB) *Timers {
	t.Helper()
	timers, err := NewTimers()
	require.NoError(t, err)
	t.Cleanup(func() { assert.NoError(t, timers.Close()) })
	return timers
}

func TestWaitIsNeverTooShort(t *testing.T) {
	timers := newTimers(t)
	var all sync.WaitGroup
	for i := range 64 {
		all.Go(func() {
			for n := range 8 {
				// Rising and falling, so that new alarms come before and behind those that wait.
				d := time.Duration((i*37+n*11)%50) * 100 * time.Microsecond
				before := time.Now()
				timers.Wait(d)
				assert.GreaterOrEqual(t, time.Since(before), d)
			}
		})
	}
	all.Wait()
	assert.Empty(t, timers.waiting)
}

func TestAnEarlierAlarmRingsFirst(t *testing.T) {
	timers := newTimers(t)
	var all sync.WaitGroup
	all.Go(func() { timers.Wait(time.Hour) })
	require.Eventually(t, func() bool { return waitingFor(timers) == 1 }, 5*time.Second, time.Millisecond)
	timers.Wait(time.Millisecond)
	assert.Equal(t, 1, waitingFor(timers))
	require.NoError(t, timers.Close())
	all.Wait()
}

func waitingFor(t *Timers) int {
	t.mu.Lock()
	defer t.mu.Unlock()
	return len(t.waiting)
}

func TestNoDelayIsNoWait(t *testing.T) {
	timers := newTimers(t)
	timers.Wait(0)
	timers.Wait(-time.Second)
}

func TestCloseWakesAllWhoWait(t *testing.T) {
	timers := newTimers(t)
	var all sync.WaitGroup
	for range 10 {
		all.Go(func() { timers.Wait(time.Hour) })
	}
	require.Eventually(t, func() bool { return waitingFor(timers) == 10 }, 5*time.Second, time.Millisecond)
	require.NoError(t, timers.Close())
	all.Wait()
	timers.Wait(time.Hour)
	require.NoError(t, timers.Close(), "again")
}

// The waits of 100 calls at a time, 1 ms each: compare ns/op, and overshoot in ms.
func BenchmarkWait(b *testing.B) {
	for name, wait := range map[string]func(time.Duration){"timers": newTimers(b).Wait, "sleep": time.Sleep} {
		b.Run(name, func(b *testing.B) {
			var mu sync.Mutex
			overshoot := newDistribution()
			b.SetParallelism(50)
			b.RunParallel(func(p *testing.PB) {
				for p.Next() {
					before := time.Now()
					wait(time.Millisecond)
					over := time.Since(before) - time.Millisecond
					mu.Lock()
					overshoot.record(over)
					mu.Unlock()
				}
			})
			b.ReportMetric(overshoot.summary().P50, "p50-overshoot-ms")
			b.ReportMetric(overshoot.summary().P99, "p99-overshoot-ms")
		})
	}
}
