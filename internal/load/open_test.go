package load

import (
	"math"
	"net"
	"net/http"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"poolvsloop/internal/deadport"
)

// pausing answers after a pause.
func pausing(d time.Duration) func(*net.TCPConn, *http.Request, int) bool {
	return func(c *net.TCPConn, r *http.Request, k int) bool {
		time.Sleep(d)
		return say(hello)(c, r, k)
	}
}

// An open loop sends what is due, once each, whatever the number of loops and the kind of connections.
func TestOpenLoopCounts(t *testing.T) {
	for _, c := range []struct {
		name            string
		keep            bool
		session         int
		threads         int
		requests, rate  int
		conns, connsMax int
	}{
		{"kept", true, 0, 1, 200, 2000, 1, 199},
		{"kept, two loops", true, 0, 2, 200, 2000, 2, 199},
		{"a connection per request", false, 0, 1, 100, 2000, 100, 100},
		{"sessions of one", true, 1, 1, 100, 2000, 100, 100},
		{"sessions of four", true, 4, 1, 100, 500, 25, 25},
		{"sessions of four, two loops", true, 4, 2, 104, 500, 26, 26},
		{"last session is shorter", true, 4, 1, 10, 500, 3, 3},
	} {
		t.Run(c.name, func(t *testing.T) {
			s := serve(t, say(hello))
			r := mustRun(t, Config{Addr: s.addr, Source: numbered{}, Requests: c.requests, KeepAlive: c.keep, PerConnection: c.session,
				Threads: c.threads, Arrivals: &Arrivals{Plan: Steady(float64(c.rate))}})
			require.Equal(t, Counts{Planned: c.requests, Sent: c.requests, Answered: c.requests}, r.Counts, r.Failures)
			require.Len(t, s.seen(), c.requests, "a request was sent twice or not at all")
			require.GreaterOrEqual(t, r.Opened, c.conns)
			require.LessOrEqual(t, r.Opened, c.connsMax)
			require.EqualValues(t, r.Sent, r.SendLag.Count())
		})
	}
}

// The schedule does not wait for the server: a server that stops for a while delays every request that was due
// meanwhile, and the response times say so; the service times of a bounded generator would not.
func TestOpenLoopStall(t *testing.T) {
	const stall = 300 * time.Millisecond
	start := time.Now()
	s := serve(t, func(c *net.TCPConn, r *http.Request, k int) bool {
		if since := time.Since(start); since > 200*time.Millisecond && since < 200*time.Millisecond+stall {
			time.Sleep(200*time.Millisecond + stall - since)
		}
		return say(hello)(c, r, k)
	})
	r := mustRun(t, Config{Addr: s.addr, Source: Fixed(get), KeepAlive: true,
		Arrivals: &Arrivals{Plan: Plan{{500, 500, time.Second}}}})
	require.Equal(t, 500, r.Planned)
	require.Equal(t, 500, r.Answered)
	require.LessOrEqual(t, r.Window, time.Second)
	// 30 % of the requests met the stall, evenly spread over its length: the slowest tenth waited above 200 ms.
	require.Greater(t, r.Response.Histogram.ValueAtPercentile(90), int64(140_000))
	require.Greater(t, r.Clients, 50, "requests in flight at a time")
}

// Response time counts from the intended start, service time from the actual one; the send lag is between them.
func TestResponseIsLagAndService(t *testing.T) {
	s := serve(t, pausing(5*time.Millisecond))
	r := mustRun(t, Config{Addr: s.addr, Source: Fixed(get), Requests: 50, KeepAlive: true,
		Arrivals: &Arrivals{Plan: Steady(1000), Poisson: true, Seed: 3}})
	require.EqualValues(t, 50, r.Service.Count())
	require.InDelta(t, r.Response.Sum, r.Service.Sum+r.SendLag.Sum, 150, "cut to microseconds three times each")
	require.GreaterOrEqual(t, r.Service.Min, int64(5000))
	require.LessOrEqual(t, r.Late, 50)
}

func TestDroppedAboveTheBound(t *testing.T) {
	s := serve(t, hang)
	r := mustRun(t, Config{Addr: s.addr, Source: Fixed(get), Requests: 100, KeepAlive: true, MaxInFlight: 6, Threads: 2,
		Duration: 300 * time.Millisecond, Grace: time.Millisecond, Timeout: time.Minute, Arrivals: &Arrivals{Plan: Steady(1000)}})
	require.Equal(t, Counts{Planned: 100, Sent: 6, Dropped: 94, InFlight: 6}, r.Counts)
	require.LessOrEqual(t, int(s.most.Load()), 6)
}

// A failed request ends its session; the rest of it counts as dropped.
func TestSessionFails(t *testing.T) {
	s := serve(t, func(c *net.TCPConn, r *http.Request, k int) bool { return k < 2 && say(hello)(c, r, k) })
	r := mustRun(t, Config{Addr: s.addr, Source: Fixed(get), Requests: 50, KeepAlive: true, PerConnection: 5,
		Arrivals: &Arrivals{Plan: Steady(500)}})
	require.Equal(t, Counts{Planned: 50, Sent: 30, Dropped: 20, Answered: 20, Aborted: 10}, r.Counts, r.Failures)
	require.Equal(t, 10, r.ClosedOnRequest)
}

// An open loop that is cut short plans what was due until then.
func TestOpenLoopEnds(t *testing.T) {
	s := serve(t, hang)
	c := Config{Addr: s.addr, Source: Fixed(get), KeepAlive: true, Grace: 50 * time.Millisecond, Timeout: time.Minute,
		Duration: 100 * time.Millisecond, Arrivals: &Arrivals{Plan: Steady(200)}}
	r := mustRun(t, c)
	require.Equal(t, Counts{Planned: 20, Sent: 20, InFlight: 20}, r.Counts)
	c.PerConnection = 3
	r = mustRun(t, c)
	require.Equal(t, Counts{Planned: 60, Sent: 20, Dropped: 40, InFlight: 20}, r.Counts)
	require.Zero(t, r.Undue, "all arrivals were due")

	c.PerConnection, c.Requests = 0, 50
	r = mustRun(t, c)
	require.Equal(t, Counts{Planned: 50, Sent: 20, Dropped: 30, InFlight: 20}, r.Counts)
	require.Equal(t, 30, r.Undue)
}

// An idle connection that the server closes is replaced when it is needed, and costs no request.
func TestOpenLoopIdleClose(t *testing.T) {
	s := serve(t, func(c *net.TCPConn, r *http.Request, k int) bool {
		say(hello)(c, r, k)
		time.Sleep(5 * time.Millisecond)
		return false
	})
	r := mustRun(t, Config{Addr: s.addr, Source: Fixed(get), Requests: 4, KeepAlive: true, Arrivals: &Arrivals{Plan: Steady(4)}})
	require.Equal(t, 4, r.Answered, r.Failures)
	require.Equal(t, 4, r.Opened)
	require.GreaterOrEqual(t, r.ClosedByServer, 3)
}

func TestUnasked(t *testing.T) {
	s := serve(t, func(c *net.TCPConn, r *http.Request, k int) bool {
		say(hello)(c, r, k)
		time.Sleep(5 * time.Millisecond)
		return say("more")(c, r, k)
	})
	r := mustRun(t, Config{Addr: s.addr, Source: Fixed(get), Requests: 3, KeepAlive: true, Arrivals: &Arrivals{Plan: Steady(4)}})
	require.Equal(t, 3, r.Answered, r.Failures)
	require.Equal(t, 2, r.Unasked)
}

// Thinking clients obey Little's law with their pauses in it: N = X·(R + Z).
func TestThink(t *testing.T) {
	s := serve(t, pausing(10*time.Millisecond))
	r := mustRun(t, Config{Addr: s.addr, Source: Fixed(get), Duration: 600 * time.Millisecond, Clients: 12, KeepAlive: true,
		Think: 20 * time.Millisecond})
	mean := float64(r.Response.Sum) / float64(r.Response.Count()) / 1e6
	require.InDelta(t, 12, r.Throughput()*(mean+0.020), 4)
	require.EqualValues(t, r.Sent, r.SendLag.Count())
	require.Equal(t, 12, r.Opened, "connections are kept while clients think")
	require.InDelta(t, r.Response.Sum, r.Service.Sum+r.SendLag.Sum, 3*float64(r.Answered))
}

func TestThinkAfterFailures(t *testing.T) {
	r := mustRun(t, Config{Addr: deadport.Addr(t), Source: Fixed(get), Duration: 100 * time.Millisecond, Clients: 3, KeepAlive: true,
		Think: 20 * time.Millisecond})
	require.LessOrEqual(t, r.Refused, 18)
	require.GreaterOrEqual(t, r.Refused, 3)
}

// The client itself closes after so many requests.
func TestPerConnection(t *testing.T) {
	for _, pipeline := range []int{1, 4} {
		s := serve(t, say(hello))
		r := mustRun(t, Config{Addr: s.addr, Source: numbered{}, Requests: 100, Clients: 2, KeepAlive: true, PerConnection: 10, Pipeline: pipeline})
		require.Equal(t, 100, r.Answered)
		require.Len(t, s.seen(), 100)
		require.InDelta(t, 10, r.Opened, 1)
		require.EqualValues(t, r.Opened, s.connections.Load())
		require.Zero(t, r.ClosedByServer)
	}
}

func TestStarved(t *testing.T) {
	var n atomic.Int64
	s := serve(t, func(c *net.TCPConn, r *http.Request, k int) bool {
		if k == 0 && n.Add(1) > 2 {
			return hang(c, r, k)
		}
		return pausing(time.Millisecond)(c, r, k)
	})
	r := mustRun(t, Config{Addr: s.addr, Source: Fixed(get), Duration: 200 * time.Millisecond, Timeout: 100 * time.Millisecond,
		Clients: 6, KeepAlive: true})
	require.Len(t, r.Starved, 4)
	for _, age := range r.Starved {
		require.GreaterOrEqual(t, age, 100*time.Millisecond)
	}
	refused := mustRun(t, Config{Addr: deadport.Addr(t), Source: Fixed(get), Requests: 10, Clients: 5})
	require.Empty(t, refused.Starved, "who is refused does not wait")
}

// Fifty million requests are recorded in the memory that a thousand take.
func TestConstantMemory(t *testing.T) {
	n := 50_000_000
	if raceDetector {
		n = 1_000_000
	}
	l := newLedger(1000)
	x := Sample{Status: 200}
	record := func(i int) {
		x.Total = uint32(i*7919) % 5_000_000
		x.Wait = x.Total / 2
		l.samples.add(x)
		l.book(&x, int64(time.Duration(i%60)*time.Second))
		l.times(&x, i%3 > 0)
	}
	for i := range 1000 {
		record(i)
	}
	require.Zero(t, testing.AllocsPerRun(1, func() {
		for i := range n / 2 { // AllocsPerRun makes two runs
			record(i)
		}
	}))
	require.EqualValues(t, n+1000, l.good.Count())
	require.Len(t, l.samples.pieces, 1)
	require.LessOrEqual(t, len(l.samples.pieces[0]), 1000)
	require.False(t, math.IsInf(l.good.SumSquares, 0))
}
