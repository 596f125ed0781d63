package load

import (
	"context"
	"net"
	"net/http"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"poolvsloop/internal/deadport"
)

func hang(c *net.TCPConn, _ *http.Request, _ int) bool { hold(c); return false }

// A timed run starts nothing after its time and waits for what is in flight.
func TestDuration(t *testing.T) {
	s := serve(t, func(c *net.TCPConn, r *http.Request, k int) bool {
		time.Sleep(20 * time.Millisecond)
		return say(hello)(c, r, k)
	})
	for _, keep := range []bool{true, false} {
		r := mustRun(t, Config{Addr: s.addr, Source: Fixed(get), Duration: 150 * time.Millisecond, Clients: 8, KeepAlive: keep})
		require.Equal(t, r.Sent, r.Planned)
		require.Equal(t, r.Sent, r.Answered)
		require.Equal(t, 150*time.Millisecond, r.Window)
		require.GreaterOrEqual(t, r.Answered-r.InWindow, 1, "answers after the time")
		for _, x := range r.Samples {
			require.Less(t, x.Start, int64(150_000))
		}
	}
}

// Answers that come after the time are in neither throughput nor goodput, whatever their share of good ones.
func TestGoodputIsOfTheWindow(t *testing.T) {
	var first atomic.Bool
	s := serve(t, func(c *net.TCPConn, r *http.Request, k int) bool {
		if first.CompareAndSwap(false, true) {
			time.Sleep(300 * time.Millisecond)
			return say(hello)(c, r, k)
		}
		time.Sleep(5 * time.Millisecond)
		return say("HTTP/1.1 503 Service Unavailable\r\nContent-Length: 0\r\n\r\n")(c, r, k)
	})
	r := mustRun(t, Config{Addr: s.addr, Source: Fixed(get), Duration: 100 * time.Millisecond, Clients: 2, KeepAlive: true})
	require.Equal(t, 1, r.OK2xx)
	require.Zero(t, r.Goodput())
	require.Positive(t, r.Throughput())
}

func TestDurationBeforeRequests(t *testing.T) {
	s := serve(t, func(c *net.TCPConn, r *http.Request, k int) bool {
		time.Sleep(10 * time.Millisecond)
		return say(hello)(c, r, k)
	})
	r := mustRun(t, Config{Addr: s.addr, Source: Fixed(get), Duration: 60 * time.Millisecond, Requests: 100_000, Clients: 3,
		Threads: 2, KeepAlive: true})
	require.Equal(t, 100_000, r.Planned)
	require.Equal(t, 100_000-r.Sent, r.Dropped)
	require.Positive(t, r.Answered)
	require.False(t, r.Interrupted)
}

func TestRequestsBeforeDuration(t *testing.T) {
	s := serve(t, say(hello))
	r := mustRun(t, Config{Addr: s.addr, Source: Fixed(get), Duration: time.Minute, Requests: 10, Clients: 3, KeepAlive: true})
	require.Equal(t, 10, r.Answered)
	require.Equal(t, r.Duration, r.Window)
}

// What does not end within the grace is in flight at the end, with its age.
func TestGrace(t *testing.T) {
	s := serve(t, hang)
	r := mustRun(t, Config{Addr: s.addr, Source: Fixed(get), Duration: 40 * time.Millisecond, Grace: 60 * time.Millisecond,
		Timeout: time.Minute, Clients: 5, KeepAlive: true})
	require.Equal(t, Counts{Planned: 5, Sent: 5, InFlight: 5}, r.Counts)
	for _, age := range r.Ages {
		require.GreaterOrEqual(t, age, 90*time.Millisecond)
	}
	require.Equal(t, 40*time.Millisecond, r.Window)
}

func TestInterrupt(t *testing.T) {
	for _, threads := range []int{1, 2} {
		s := serve(t, hang)
		ctx, cancel := context.WithCancel(t.Context())
		go func() {
			for s.requests.Load() < 5 {
				time.Sleep(time.Millisecond)
			}
			cancel()
		}()
		r, err := Run(ctx, Config{Addr: s.addr, Source: Fixed(get), Requests: 100, Clients: 5, KeepAlive: true, Threads: threads})
		require.NoError(t, err)
		checkResult(t, r)
		require.Equal(t, Counts{Planned: 100, Sent: 5, Dropped: 95, InFlight: 5}, r.Counts)
		require.True(t, r.Interrupted)
		require.Less(t, r.Duration, 10*time.Second)
	}
}

func TestInterruptedBefore(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	s := serve(t, hang)
	r, err := Run(ctx, Config{Addr: s.addr, Source: Fixed(get), Requests: 100, Clients: 5})
	require.NoError(t, err)
	checkResult(t, r)
	require.True(t, r.Interrupted)
	require.Zero(t, r.Answered)
}

// A storm of requests that fail at once can be interrupted too.
func TestInterruptRefusals(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	r, err := Run(ctx, Config{Addr: deadport.Addr(t), Source: Fixed(get), Duration: time.Minute, Clients: 5,
		Progress: func(done int) {
			if done > 0 {
				cancel()
			}
		}})
	require.NoError(t, err)
	checkResult(t, r)
	require.True(t, r.Interrupted)
	require.Equal(t, r.Sent, r.Refused)
}

// The server answers three of ten connections only, as a pool of workers bound to connections does: the books name the
// seven.
func TestStarvedConnections(t *testing.T) {
	var n atomic.Int64
	s := serve(t, func(c *net.TCPConn, r *http.Request, k int) bool {
		if k == 0 && n.Add(1) > 3 {
			return hang(c, r, k)
		}
		return say(hello)(c, r, k)
	})
	r := mustRun(t, Config{Addr: s.addr, Source: Fixed(get), Duration: 100 * time.Millisecond, Timeout: 500 * time.Millisecond,
		Clients: 10, KeepAlive: true})
	starved := 0
	for _, answers := range r.AnswersPerClient {
		if answers == 0 {
			starved++
		}
	}
	require.Equal(t, 7, starved)
	require.Equal(t, 7, r.TimedOut)
	require.GreaterOrEqual(t, r.GivenUp.Min, int64(500_000))
	// Little's law on the window finds three busy clients, not ten.
	inFlight := r.Throughput() * float64(r.Response.Sum) / float64(r.Response.Count()) / 1e6
	require.InDelta(t, 3, inFlight, 1)
	require.Positive(t, r.LoopCPU)
	require.LessOrEqual(t, r.LoopCPU, r.Duration+100*time.Millisecond, "one loop, whose clock of CPU time has coarse ticks")
}
