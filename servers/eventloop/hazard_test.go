package main

import (
	"context"
	"errors"
	"fmt"
	"net"
	"strings"
	"testing"
	"time"

	"github.com/panjf2000/gnet/v2"
	gneterrors "github.com/panjf2000/gnet/v2/pkg/errors"
	"github.com/rs/zerolog"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"poolvsloop/internal/flow"
)

// The ten ways in which gnet can hurt, one test each (two are in process_test.go).

var nopLog = zerolog.Nop()

// 1. A write on a closed connection would reach whoever has its descriptor now.
func TestHazardAnswerDoesNotReachAnotherClient(t *testing.T) {
	s := serve(t, newWorld(t).newConfig(t))
	for range 5 {
		gone := s.dial()
		gone.send(get("/v1/hold?ms=50&size=5000"))
		eventually(t, func() bool { return s.inFlight.Load() == 1 }, "in service")
		gone.reset()
		next := s.dial() // has the lowest free descriptor: that of the one before
		require.NoError(t, next.SetReadDeadline(time.Now().Add(100*time.Millisecond)))
		_, err := next.r.ReadByte()
		var timeout net.Error
		require.True(t, errors.As(err, &timeout) && timeout.Timeout(), "got something: %v", err)
		require.NoError(t, next.Close())
	}
}

// 3. Closing drops what was not sent yet.
func TestHazardLastAnswerArrivesWhole(t *testing.T) {
	s := serve(t, newWorld(t).newConfig(t))
	c := s.dial()
	c.send(get("/v1/hold?size=16000000", "Connection: close"))
	time.Sleep(50 * time.Millisecond) // a reader that is slow to begin
	require.Len(t, c.read().body, 16000000)
	c.atEnd()
}

// 4. A Write that fails calls OnClose inside Write.
func TestHazardWriteClosesInside(t *testing.T) {
	a := newScriptedDownstream(t)
	w := newWorld(t)
	c := w.newConfig(t)
	c.DownstreamA = "http://" + a.addr()
	s := serve(t, c)
	client := s.dial()
	client.send(order("c-1"))
	first := a.next()
	first.answer("c-1")
	require.Equal(t, 200, client.read().StatusCode)

	s.onLoop(func(l *loop) {
		pool := l.downstreams[flow.DownstreamA]
		o := pool.idle[0]
		first.reset() // which the loop cannot see while it is here
		time.Sleep(20 * time.Millisecond)
		r := l.newRequest()
		r.call.To, r.call.Bytes = flow.DownstreamA, []byte("GET /customers/c-2 HTTP/1.1\r\nHost: a\r\n\r\n")
		pool.call(r)
		assert.Nil(t, o.c, "closed inside")
		assert.Nil(t, o.request)
		assert.Equal(t, forConnection, r.where, "to be sent again")
		r.leaveLine()
		l.free(r)
	})
	client.send(order("c-3"))
	a.next().answer("c-3")
	require.Contains(t, client.read().body, "c-3")
}

// 5. A client that shuts its sending side down is closed at once, and would lose its answers.
func TestHazardHalfClose(t *testing.T) {
	for _, test := range []struct {
		name     string
		requests string
		sizes    []int
	}{
		{"in service", get("/v1/hold?ms=100"), []int{64}},
		{"pipelined", strings.Repeat(get("/v1/hold?ms=50"), 3), []int{64, 64, 64}},
		{"more than the pipeline takes", strings.Repeat(get("/v1/hold?ms=1"), 40), repeat(64, 40)},
		{"large, being sent", get("/v1/hold?size=12000000"), []int{12000000}},
		{"large, in service", get("/v1/hold?ms=100&size=12000000"), []int{12000000}},
		{"large ones, one being sent", get("/v1/hold?size=9000000") + get("/v1/hold?ms=300&size=5000000"),
			[]int{9000000, 5000000}},
	} {
		t.Run(test.name, func(t *testing.T) {
			s := serve(t, newWorld(t).newConfig(t))
			c := s.dial()
			c.send(test.requests)
			require.NoError(t, c.Conn.(*net.TCPConn).CloseWrite())
			for _, size := range test.sizes {
				a := c.read()
				require.Equal(t, 200, a.StatusCode)
				require.Len(t, a.body, size)
				require.True(t, strings.HasPrefix(a.body, `{"server":"loop"`) && strings.HasSuffix(a.body, `"}`))
			}
			c.atEnd()
			eventually(t, func() bool { return s.listener.Stats().Open == 0 }, "permit given back")
		})
	}
}

func repeat(n, times int) (all []int) {
	for range times {
		all = append(all, n)
	}
	return all
}

// 6. Bytes that were peeked at are the loop's own buffer, which the next connection's bytes overwrite.
func TestHazardBytesOfTwoClientsDoNotMix(t *testing.T) {
	s := serve(t, newWorld(t).newConfig(t))
	var clients []*client
	var rest []string
	for i := range 20 {
		text := order(fmt.Sprintf("c-%06d", i))
		cut := len(text) - 30 - 2*i
		c := s.dial()
		c.send(text[:cut])
		clients, rest = append(clients, c), append(rest, text[cut:])
	}
	for i, c := range clients {
		c.send(rest[i])
	}
	for i, c := range clients {
		a := c.read()
		require.Equal(t, 200, a.StatusCode, a.body)
		require.Contains(t, a.body, fmt.Sprintf("c-%06d", i))
	}
}

// 7. Two processes could share a port without a word.
func TestHazardPortIsOurs(t *testing.T) {
	w := newWorld(t)
	s := serve(t, w.newConfig(t))
	c := w.newConfig(t)
	c.Addr = s.listener.Addr().String()
	_, err := newServer(c, nil, nopLog)
	require.Error(t, err)
}

// 8. A panic in a callback would end the process.
func TestHazardPanic(t *testing.T) {
	s := serve(t, newWorld(t).newConfig(t), func(s *server) { s.handler = nil })
	c := s.dial()
	for range 2 {
		c.send(get("/v1/hold", "X-Request-Id: id"))
		a := c.read()
		require.Equal(t, 500, a.StatusCode)
		require.Equal(t, `{"error":"internal error"}`, a.body)
		require.Equal(t, "id", a.Header.Get("X-Request-Id"))
	}
	c.send(strings.Repeat(get("/v1/hold"), 3))
	for range 3 {
		require.Equal(t, 500, c.read().StatusCode)
	}
	s.loops[0].post(func() { panic("in a task") })
	eventually(t, func() bool { return s.counts().Panics == 6 }, "counted")
	require.Zero(t, s.inFlight.Load())
	c.send(get("/v1/hold"))
	require.Equal(t, 500, c.read().StatusCode, "the loop lives")
}

// 9. A connection that is being put on a loop when the loops end would hang its goroutine for ever.
func TestHazardStopWhileDialling(t *testing.T) {
	w := newWorld(t)
	w.delayA.Store(int64(20 * time.Millisecond))
	config := w.newConfig(t)
	config.Drain = time.Millisecond
	s := serve(t, config)
	for range 100 {
		s.dial().send(order("c-1"))
	}
	require.NoError(t, s.stop()) // goleak sees what hangs
}

// 10. ab speaks HTTP/1.0 and waits for "Connection: keep-alive"; curl waits for "100 Continue".
func TestHazardOldAndCautiousClients(t *testing.T) {
	s := serve(t, newWorld(t).newConfig(t))
	c := s.dial()
	for range 2 {
		c.send("GET /v1/hold HTTP/1.0\r\nConnection: Keep-Alive\r\n\r\n")
		require.Equal(t, "keep-alive", c.read().Header.Get("Connection"))
	}
	text := order("c-1", "Expect: 100-continue")
	head := strings.Index(text, "\r\n\r\n") + 4
	c.send(get("/v1/hold?ms=50") + text[:head])
	require.Equal(t, 200, c.read().StatusCode)
	require.Equal(t, 100, c.read().StatusCode, "in its turn")
	c.send(text[head:])
	require.Equal(t, 200, c.read().StatusCode)
}

// gnet does not say when a loop ends; the server must not go on without it.
func TestLoopThatEndsIsFatal(t *testing.T) {
	s, err := newServer(newWorld(t).newConfig(t), nil, nopLog)
	require.NoError(t, err)
	end := gnet.RunnableFunc(func(context.Context) error { return gneterrors.ErrEngineShutdown })
	require.NoError(t, s.loops[0].handle.Execute(t.Context(), end))
	require.ErrorContains(t, s.run(t.Context()), "event loop 0 ended unasked")
}
