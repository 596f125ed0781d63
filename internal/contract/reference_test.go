package contract

import (
	"context"
	"errors"
	"net"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/rs/zerolog"
	"github.com/stretchr/testify/require"

	"poolvsloop/internal/accept"
	"poolvsloop/internal/config"
	"poolvsloop/internal/flow"
	"poolvsloop/internal/meter"
	"poolvsloop/internal/wire"
)

// TestReference proves the suite on a third model, which shares everything but the way of waiting with the others: one
// goroutine for each connection, no bound but --max-conns.
func TestReference(t *testing.T) {
	Run(t, Server{Path: "/v1/each", Label: "each", Start: startReference})
}

// reference is the server of one goroutine per connection.
type reference struct {
	config   config.Server
	handler  *flow.Handler
	meter    *meter.Server
	listener *accept.Listener
	a, b     *links
	cache    *links
	serving  sync.WaitGroup
	draining atomic.Bool

	mu    sync.Mutex // guards conns and what they say about themselves
	conns map[*conn]bool
}

func startReference(t *testing.T, c config.Server) Instance {
	t.Helper()
	s := &reference{config: c, meter: meter.New("reference"), conns: map[*conn]bool{}}
	var err error
	s.handler, err = flow.New(flow.Config{
		Path: "/v1/each", Server: "each", DownstreamA: c.DownstreamA, DownstreamB: c.DownstreamB, CacheTTL: c.CacheTTL, Retries: c.Retries,
		Ready: func() bool { return !s.draining.Load() },
	})
	require.NoError(t, err)
	s.a = newLinks(config.AddressOf(c.DownstreamA), c.DownstreamTimeout)
	s.b = newLinks(config.AddressOf(c.DownstreamB), c.DownstreamTimeout)
	s.cache = newLinks(c.Redis, c.CacheTimeout)
	limits := accept.Config{Addr: c.Addr, Backlog: c.Backlog, MaxConns: c.MaxConns, Reserve: 500}
	if c.ConnsFull == config.ConnsEvictIdle {
		limits.Full = s.evict
	}
	s.listener, err = accept.Listen(limits, zerolog.Nop())
	require.NoError(t, err)
	served := make(chan error, 1)
	go func() { served <- s.listener.Serve(s.enter) }()
	return Instance{
		Addr: s.listener.Addr().String(), Counts: s.meter.Counts,
		Stop: func(ctx context.Context) error { return errors.Join(s.stop(ctx), <-served) },
	}
}

func (s *reference) enter(socket *net.TCPConn) {
	c := &conn{server: s, TCPConn: socket, decoder: wire.NewRequestDecoder(wire.RequestLimits(s.config.MaxHeader, s.config.MaxBody))}
	s.mu.Lock()
	s.conns[c] = true
	s.mu.Unlock()
	s.serving.Go(func() {
		c.serve()
		s.mu.Lock()
		delete(s.conns, c)
		s.mu.Unlock()
		drop(c)
		s.listener.Release()
	})
}

// evict closes the longest idle connection.
func (s *reference) evict() {
	s.mu.Lock()
	defer s.mu.Unlock()
	var oldest *conn
	for c := range s.conns {
		if !c.idleSince.IsZero() && (oldest == nil || c.idleSince.Before(oldest.idleSince)) {
			oldest = c
		}
	}
	if oldest != nil {
		oldest.wake()
	}
}

// stop drains for as long as the configuration lets it.
func (s *reference) stop(ctx context.Context) error {
	ctx, cancel := context.WithTimeout(ctx, s.config.Drain)
	defer cancel()
	s.draining.Store(true)
	s.mu.Lock()
	for c := range s.conns {
		if !c.idleSince.IsZero() {
			c.wake()
		}
	}
	s.mu.Unlock()
	done := make(chan struct{})
	go func() {
		defer close(done)
		s.listener.Drain()
		s.serving.Wait()
	}()
	select {
	case <-done:
	case <-ctx.Done():
		s.cut()
		<-done
	}
	for _, l := range []*links{s.a, s.b, s.cache} {
		l.close()
	}
	return nil
}

// cut ends all that is left: clients, and the calls that their goroutines wait for.
func (s *reference) cut() {
	drop(s.listener)
	for _, l := range []*links{s.a, s.b, s.cache} {
		l.close()
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	for c := range s.conns {
		drop(c)
	}
}

// do makes one call of a flow, and waits for it.
func (s *reference) do(call flow.Call) flow.Outcome {
	var out flow.Outcome
	var resent bool
	switch call.To {
	case flow.DownstreamA:
		out, resent = s.a.call(call.Bytes, readReply)
	case flow.DownstreamB:
		out, resent = s.b.call(call.Bytes, readReply)
	case flow.Cache:
		out, resent = s.cache.call(call.Bytes, readValue)
	case flow.Timer:
		time.Sleep(call.Delay)
	case flow.CPU:
		_ = flow.Burn(call.Iterations)
	}
	s.meter.Called(call.To, out.Failure)
	if resent {
		s.meter.Resent(call.To)
	}
	return out
}
