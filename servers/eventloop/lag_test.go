package main

import (
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// recorder is a lag histogram that keeps every sample, in seconds.
type recorder struct {
	mu      sync.Mutex
	samples []float64
}

// Observe implements prometheus.Observer.
func (r *recorder) Observe(v float64) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.samples = append(r.samples, v)
}

// A loop that stood still for a second records a hundred ticks: 1 s, 0.99 s, …
func TestLagCountsEveryTickOfAStandstill(t *testing.T) {
	var samples recorder
	g := lag{samples: &samples, next: 10 * time.Millisecond}
	g.record(10*time.Millisecond, 10*time.Millisecond)
	require.Equal(t, []float64{0}, samples.samples)
	g.record(1020*time.Millisecond, 10*time.Millisecond)
	require.Len(t, samples.samples, 1+101)
	require.InDelta(t, 1.0, samples.samples[1], 1e-9)
	require.InDelta(t, 0.99, samples.samples[2], 1e-9)
	require.InDelta(t, 0, samples.samples[101], 1e-9)
	require.Equal(t, time.Second, g.most)
	require.Equal(t, 1030*time.Millisecond, g.next)

	g.record(2*time.Hour, 10*time.Millisecond)
	require.Less(t, len(samples.samples), 10_000, "a stopped process is not made up for")
}

func TestBlockedLoopIsReported(t *testing.T) {
	c := newWorld(t).newConfig(t)
	c.BlockedAfter = 50 * time.Millisecond
	c.Mistake = MistakeBlock
	var log lockedBuffer
	s := serve(t, c, func(s *server) { s.log = nopLog.Output(&log).Level(0) })
	blocker, victim := s.dial(), s.dial()
	blocker.send(get("/v1/hold?ms=300"))
	eventually(t, func() bool { return s.inFlight.Load() == 1 }, "blocked")
	began := time.Now()
	victim.send(get("/v1/hold"))
	require.Equal(t, 200, victim.read().StatusCode)
	require.Greater(t, time.Since(began), 150*time.Millisecond, "everyone waits")
	require.Equal(t, 200, blocker.read().StatusCode)
	eventually(t, func() bool { return s.loops[0].stats().LagMax >= 0.15 }, "lag says so")
	require.GreaterOrEqual(t, s.loops[0].stats().HandlerMax, 0.3)
	require.EqualValues(t, 1, s.loops[0].watchdog.blocked.Load())
	require.Contains(t, log.String(), "loop is blocked")
	require.Contains(t, log.String(), "time.Sleep", "with its stack")
	require.Contains(t, log.String(), "runBlocking")
}

// lockedBuffer is written by several goroutines.
type lockedBuffer struct {
	mu sync.Mutex
	strings.Builder
}

func (b *lockedBuffer) Write(p []byte) (int, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.Builder.Write(p)
}

func (b *lockedBuffer) String() string {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.Builder.String()
}

func TestUsageOfALoop(t *testing.T) {
	var u usage
	u.enter(100, false)
	u.leave(130)
	require.EqualValues(t, 30, u.busy)
	u.enter(150, true)
	u.leave(160)
	require.EqualValues(t, 30+20+10, u.busy, "a queued task: the loop did not wait in between")
	u.enter(1000, false)
	u.leave(1005)
	require.EqualValues(t, 65, u.busy)
	require.EqualValues(t, 30, u.longest)
}

func TestLagSheds(t *testing.T) {
	c := newWorld(t).newConfig(t)
	c.MaxLag = time.Hour
	s := serve(t, c)
	client := s.dial()
	client.send(get("/v1/hold"))
	require.Equal(t, 200, client.read().StatusCode)
	s.onLoop(func(l *loop) { l.lag.mean = 2 * time.Hour })
	client.send(get("/v1/hold"))
	a := client.read()
	require.Equal(t, 503, a.StatusCode)
	require.Equal(t, "1", a.Header.Get("Retry-After"))
	require.EqualValues(t, 1, s.counts().Rejected["lag_limit"])
	s.onLoop(func(l *loop) { l.lag.mean = 0 })
	client.send(get("/v1/hold"))
	require.Equal(t, 200, client.read().StatusCode)
}
