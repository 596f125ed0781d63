package main

import (
	"io"
	"math/rand/v2"
	"net"
	"net/http"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// books is what a crowd of clients knows of its requests.
type books struct {
	answered atomic.Uint64 // read whole, with 200
	refused  atomic.Uint64 // read whole, with 503
	left     atomic.Uint64 // sent by a client that did not wait
	wrong    sync.Map      // what must not happen, by text
}

// TestCrowd has clients of all kinds come, ask, and leave in the middle, at a small pool. Whoever waits gets an answer,
// every request has one outcome, and nothing is left at the end.
func TestCrowd(t *testing.T) {
	everyKind(t, func(t *testing.T, mode func(*Config)) {
		s := start(t, testConfig(mode, sized(8, 40), func(c *Config) {
			c.QueueTimeout, c.MaxRequests, c.IdleTimeout = 100*time.Millisecond, 7, 300*time.Millisecond
		}), nil)
		var b books
		var crowd sync.WaitGroup
		for id := range 200 {
			crowd.Go(func() { b.visit(s.address(), rand.New(rand.NewPCG(3, uint64(id)))) })
		}
		crowd.Wait()
		b.wrong.Range(func(text, _ any) bool {
			t.Error(text)
			return true
		})
		eventually(t, func() bool { return s.listener.Stats().Open == 0 && len(s.conns.all()) == 0 }, "all connections end")
		eventually(t, func() bool { return s.pool.stats().Busy == 0 }, "all workers park")
		require.Zero(t, s.pool.stats().QueueDepth)
		counts := s.meter.Counts()
		require.Zero(t, counts.InFlight)
		require.Zero(t, counts.Idle)
		require.Positive(t, b.answered.Load())
		require.GreaterOrEqual(t, counts.Responses["200"], b.answered.Load())
		require.GreaterOrEqual(t, counts.Responses["503"], b.refused.Load())
		outcomes := counts.Answered + counts.Abandoned["queued"] + counts.Abandoned["in_service"]
		require.LessOrEqual(t, outcomes, b.answered.Load()+b.refused.Load()+b.left.Load(), "no request has two outcomes")
	})
}

// visit is one client's life: several connections, a few requests on each.
func (b *books) visit(addr string, random *rand.Rand) {
	for range 4 {
		socket, err := net.Dial("tcp", addr)
		if err != nil {
			b.wrong.Store("dial: "+err.Error(), nil)
			return
		}
		c := newClient(nil, socket.(*net.TCPConn))
		switch random.IntN(6) {
		case 0: // leaves at once, with a request behind it
			b.left.Add(1)
			_, _ = io.WriteString(socket, get("/v1/hold?ms=3"))
			_ = c.socket.SetLinger(random.IntN(2) - 1)
		case 1: // leaves within a body
			b.left.Add(1)
			_, _ = io.WriteString(socket, post("/v1/hold", "100")+"half")
		case 2: // leaves within a head
			b.left.Add(1)
			_, _ = io.WriteString(socket, "GET /v1/hold HT")
		default:
			b.ask(c, random)
		}
		socket.Close()
	}
}

// ask sends requests, one after the other or all at once, and reads their answers.
func (b *books) ask(c *client, random *rand.Rand) {
	n := 1 + random.IntN(4)
	requests := []string{get("/v1/hold?ms=1"), post("/v1/hold?ms=2", "5") + "hello", get("/v1/hold?size=3000")}
	raw := ""
	for range n {
		raw += requests[random.IntN(len(requests))]
	}
	if _, err := io.WriteString(c.socket, raw); err != nil {
		b.wrong.Store("send: "+err.Error(), nil)
		return
	}
	for range n {
		r, err := c.try()
		switch {
		case err != nil:
			b.wrong.Store("no answer: "+err.Error(), nil)
			return
		case r.status == http.StatusOK:
			b.answered.Add(1)
		case r.status == http.StatusServiceUnavailable:
			b.refused.Add(1)
		default:
			b.wrong.Store("status of "+r.body, nil)
		}
	}
}
