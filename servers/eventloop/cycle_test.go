package main

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/panjf2000/gnet/v2"
	"github.com/stretchr/testify/require"

	"poolvsloop/internal/flow"
	"poolvsloop/internal/wire"
)

// fakeConn is a gnet.Conn without a socket: what comes in is put there by the test.
type fakeConn struct {
	gnet.Conn
	in      []byte
	written int
	broken  *outbound // whose Write fails, as gnet's does: it closes before it returns
}

// Peek, Discard, Write, InboundBuffered and OutboundBuffered are what the server uses of a gnet.Conn.
func (c *fakeConn) Peek(int) ([]byte, error) { return c.in, nil }
func (c *fakeConn) Discard(n int) (int, error) {
	c.in = c.in[n:]
	return n, nil
}
func (c *fakeConn) InboundBuffered() int  { return len(c.in) }
func (c *fakeConn) OutboundBuffered() int { return 0 }
func (c *fakeConn) Write(p []byte) (int, error) {
	if c.broken != nil {
		c.broken.closed(errors.New("broken pipe"))
		return 0, errors.New("broken pipe")
	}
	c.written += len(p)
	return len(p), nil
}

// fakeHandle is a loop that runs nothing.
type fakeHandle struct{ gnet.EventLoop }

// Execute drops the task; the test runs what is due itself.
func (fakeHandle) Execute(context.Context, gnet.Runnable) error { return nil }

// cycle is one loop with one client and one connection to each target, all without sockets.
type cycle struct {
	loop            *loop
	client          *conn
	in, a, b, cache *fakeConn
	request         []byte
	replyA, replyB  []byte
	replyCache      []byte
}

func newCycle(t testing.TB) *cycle {
	t.Helper()
	s, err := newServer(newConfig(), nil, nopLog)
	require.NoError(t, err)
	l := newLoop(s, s.config.Loops) // one more, which does not run
	t.Cleanup(func() {
		l.alarm.Stop()
		require.NoError(t, s.close())
	})
	l.handle = fakeHandle{}
	k := &cycle{
		loop: l, client: &conn{loop: l, decoder: wire.NewRequestDecoder(s.decoding)},
		in: &fakeConn{}, a: &fakeConn{}, b: &fakeConn{}, cache: &fakeConn{},
		request: []byte(order("c-000001")), replyCache: []byte(hit()),
		replyA: reply(`{"customer_id":"c-000001","tier":"gold","discount_bp":250}`),
		replyB: reply(`{"quote_id":"0123456789abcdef","unit_price":100,"total":300}`),
	}
	l.enter()
	k.client.opened(k.in)
	for target, c := range map[flow.Target]*fakeConn{flow.DownstreamA: k.a, flow.DownstreamB: k.b} {
		p := l.downstreams[target]
		p.open, p.dialling = 1, 1
		(&outbound{downstream: p, decoder: wire.NewReplyDecoder(wire.ReplyLimits)}).opened(c)
	}
	l.cache.opened(k.cache)
	l.leave(nil)
	return k
}

func reply(body string) []byte {
	const head = "HTTP/1.1 200 OK\r\nContent-Length: %d\r\nContent-Type: application/json\r\n\r\n%s"
	return fmt.Appendf(nil, head, len(body), body)
}

// event is a callback of p, to whose connection bytes have come.
func (k *cycle) event(p peer, c *fakeConn, bytes []byte) {
	c.in = bytes
	k.loop.enter()
	defer k.loop.leave(p)
	p.traffic()
}

// run takes one order through all its callbacks.
func (k *cycle) run() {
	l := k.loop
	toA, toB := l.downstreams[flow.DownstreamA].idle[0], l.downstreams[flow.DownstreamB].idle[0]
	k.event(k.client, k.in, k.request)
	k.event(toA, k.a, k.replyA)
	l.enter()
	l.endRound()
	l.leave(nil)
	k.event(l.cache, k.cache, k.replyCache)
	k.event(toB, k.b, k.replyB)
}

func TestCycleAllocatesNothing(t *testing.T) {
	if raceEnabled {
		t.Skip("the race detector allocates")
	}
	k := newCycle(t)
	for range 100 {
		k.run()
	}
	require.Positive(t, k.in.written)
	before := k.in.written
	require.Zero(t, testing.AllocsPerRun(1000, k.run))
	require.Equal(t, 1001*(before/100), k.in.written-before, "every answer was sent")
	require.Len(t, k.loop.timers.heap, 2, "the client's and the request's")
	require.Len(t, k.loop.spare, 1)
}

// A connection that sends many requests at once gets --budget of them a round, however fast they are answered.
func TestBudgetOfARound(t *testing.T) {
	k := newCycle(t)
	l := k.loop
	l.server.config.Budget = 3
	k.event(k.client, k.in, []byte(strings.Repeat(get("/v1/hold"), 8)))
	for _, taken := range []int{3, 6, 8, 8} {
		require.Equal(t, taken, k.client.taken)
		require.Equal(t, taken < 8, l.ending, "another turn is due")
		l.enter()
		l.endRound()
		l.leave(nil)
	}
}

// BenchmarkCycle is what an order costs on the loop without the system calls.
func BenchmarkCycle(b *testing.B) {
	k := newCycle(b)
	b.ReportAllocs()
	for b.Loop() {
		k.run()
	}
}

// 4. A Write that fails calls OnClose inside Write, here seen from the inside.
func TestHazardCallOnBrokenConnection(t *testing.T) {
	k := newCycle(t)
	k.run()
	l := k.loop
	p := l.downstreams[flow.DownstreamA]
	k.a.broken = p.idle[0]
	p.most = 0 // no new connection is dialled
	k.event(k.client, k.in, k.request)
	require.Equal(t, 1, p.again.live, "to be sent again, on another connection")
	require.Zero(t, p.open)
	require.Empty(t, p.idle)
	written := k.in.written
	l.enter()
	k.client.first.expired()
	l.leave(nil)
	require.Zero(t, p.again.live)
	require.Greater(t, k.in.written, written, "504")
}
