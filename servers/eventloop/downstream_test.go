package main

import (
	"net"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"poolvsloop/internal/flow"
)

// serveWithA starts a server whose downstream A is scripted.
func serveWithA(t *testing.T, change func(*Config)) (*started, *scripted) {
	a := newScriptedDownstream(t)
	c := newWorld(t).newConfig(t)
	c.DownstreamA = "http://" + a.addr()
	if change != nil {
		change(&c)
	}
	return serve(t, c), a
}

func TestConnectionIsReused(t *testing.T) {
	s, a := serveWithA(t, nil)
	c := s.dial()
	var first *asked
	for range 3 {
		c.send(order("c-1"))
		r := a.next()
		if first == nil {
			first = r
		}
		require.Equal(t, first.RemoteAddr(), r.RemoteAddr())
		r.answer("c-1")
		require.Equal(t, 200, c.read().StatusCode)
	}
}

func TestWaitersAreServedInOrder(t *testing.T) {
	s, a := serveWithA(t, func(c *Config) { c.DownstreamConns = 1 })
	var clients []*client
	customers := []string{"c-0", "c-1", "c-2", "c-3"}
	for i, customer := range customers {
		c := s.dial()
		c.send(order(customer))
		clients = append(clients, c)
		eventually(t, func() bool { return s.inFlight.Load() == int64(i+1) }, "in service")
	}
	for i, customer := range customers {
		r := a.next()
		require.Equal(t, "/customers/"+customer, r.path)
		a.none()
		r.answer(customer)
		require.Equal(t, 200, clients[i].read().StatusCode)
	}
}

// A kept connection that turns out to be dead costs the client nothing; one that dies twice does.
func TestDeadConnectionIsReplacedOnce(t *testing.T) {
	s, a := serveWithA(t, nil)
	c := s.dial()
	c.send(order("c-1"))
	a.next().answer("c-1")
	require.Equal(t, 200, c.read().StatusCode)

	c.send(order("c-2"))
	a.next().reset()
	a.next().answer("c-2")
	require.Equal(t, 200, c.read().StatusCode)
	require.EqualValues(t, 1, s.counts().Resent["downstream_a"])

	c.send(order("c-3"))
	a.next().reset()
	a.next().reset()
	require.Equal(t, 502, c.read().StatusCode)
	a.none()

	c.send(order("c-4"))
	a.next().reset()
	require.Equal(t, 502, c.read().StatusCode, "a new connection that dies is the downstream's answer")
	require.EqualValues(t, 2, s.counts().Resent["downstream_a"])
}

// Where one kept connection is dead the others are, too: the second attempt goes out on a new one.
func TestSecondAttemptIsOnANewConnection(t *testing.T) {
	s, a := serveWithA(t, nil)
	clients := []*client{s.dial(), s.dial(), s.dial()}
	var kept []*asked
	for _, c := range clients {
		c.send(order("c-1"))
		kept = append(kept, a.next())
	}
	for i, c := range clients {
		kept[i].answer("c-1")
		require.Equal(t, 200, c.read().StatusCode)
	}
	clients[0].send(order("c-2"))
	dead := a.next()
	for _, r := range kept {
		r.reset()
	}
	r := a.next()
	for _, old := range kept {
		require.NotEqual(t, old.RemoteAddr().String(), r.RemoteAddr().String(), "first sent on %v", dead.RemoteAddr())
	}
	r.answer("c-2")
	require.Equal(t, 200, clients[0].read().StatusCode)
}

func TestRepliesOfAllKinds(t *testing.T) {
	const body = `{"customer_id":"c-1","tier":"gold","discount_bp":250}`
	for _, test := range []struct {
		name   string
		reply  []string
		close  bool
		status int
		kept   bool
	}{
		{"in pieces", []string{"HTTP/1.1 200 OK\r\nContent-", "Length: 53\r\n\r\n" + body[:10], body[10:]}, false, 200, true},
		{"chunked", []string{"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n35\r\n" + body + "\r\n0\r\n\r\n"},
			false, 200, true},
		{"until close", []string{"HTTP/1.1 200 OK\r\n\r\n" + body}, true, 200, false},
		{"with close", []string{"HTTP/1.1 200 OK\r\nConnection: close\r\nContent-Length: 53\r\n\r\n" + body},
			false, 200, false},
		{"cut", []string{"HTTP/1.1 200 OK\r\nContent-Length: 53\r\n\r\n" + body[:20]}, true, 502, false},
		{"not HTTP", []string{"SSH-2.0\r\n\r\n"}, false, 502, false},
		{"more than was asked for", []string{"HTTP/1.1 200 OK\r\nContent-Length: 53\r\n\r\n" + body + "x"},
			false, 200, false},
		{"error", []string{"HTTP/1.1 500 Oops\r\nContent-Length: 0\r\n\r\n"}, false, 502, true},
	} {
		t.Run(test.name, func(t *testing.T) {
			s, a := serveWithA(t, nil)
			c := s.dial()
			c.send(order("c-1"))
			r := a.next()
			for i, piece := range test.reply {
				if i > 0 {
					time.Sleep(5 * time.Millisecond) // so that it comes alone
				}
				r.say(piece)
			}
			if test.close {
				require.NoError(t, r.Close())
			}
			require.Equal(t, test.status, c.read().StatusCode)
			s.onLoop(func(l *loop) {
				assert.Equal(t, test.kept, len(l.downstreams[flow.DownstreamA].idle) == 1)
			})
		})
	}
}

// A reply that comes after its request was given up must not become that of the next.
func TestLateReplyIsNobodysReply(t *testing.T) {
	s, a := serveWithA(t, func(c *Config) { c.DownstreamTimeout = 50 * time.Millisecond })
	c := s.dial()
	c.send(order("c-late"))
	late := a.next()
	require.Equal(t, 504, c.read().StatusCode)
	_, _ = late.Write([]byte("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n{}"))
	c.send(order("c-next"))
	r := a.next()
	require.NotEqual(t, late.RemoteAddr(), r.RemoteAddr())
	r.answer("c-next")
	require.Contains(t, c.read().body, "c-next")
	require.EqualValues(t, 1, s.counts().Calls["downstream_a"]["late"])
}

func TestWaitForConnectionIsPartOfTheTimeout(t *testing.T) {
	s, a := serveWithA(t, func(c *Config) { c.DownstreamConns, c.DownstreamTimeout = 1, 100*time.Millisecond })
	first, second := s.dial(), s.dial()
	first.send(order("c-1"))
	a.next()
	second.send(order("c-2"))
	require.Equal(t, 504, first.read().StatusCode)
	require.Equal(t, 504, second.read().StatusCode)
	eventually(t, func() bool { return s.inFlight.Load() == 0 }, "nothing left")
}

func TestDownstreamComesBack(t *testing.T) {
	a := newScriptedDownstream(t)
	addr := a.addr()
	c := newWorld(t).newConfig(t)
	c.DownstreamA = "http://" + addr
	require.NoError(t, a.listener.Close())
	s := serve(t, c)
	client := s.dial()
	client.send(order("c-1"))
	require.Equal(t, 502, client.read().StatusCode)

	listener, err := net.Listen("tcp", addr)
	require.NoError(t, err)
	defer listener.Close()
	client.send(order("c-1"))
	back, err := listener.Accept()
	require.NoError(t, err)
	(&asked{Conn: back, t: t}).answer("c-1")
	require.Equal(t, 200, client.read().StatusCode)
	require.NoError(t, back.Close())
}

// A client that leaves takes its place in the line with it.
func TestAbandonedWaiterIsSkipped(t *testing.T) {
	s, a := serveWithA(t, func(c *Config) { c.DownstreamConns = 1 })
	first, gone, last := s.dial(), s.dial(), s.dial()
	for i, c := range []*client{first, gone, last} {
		c.send(order([]string{"c-first", "c-gone", "c-last"}[i]))
		eventually(t, func() bool { return s.inFlight.Load() == int64(i+1) }, "in service")
	}
	gone.reset()
	eventually(t, func() bool { return s.inFlight.Load() == 2 }, "given up")
	a.next().answer("c-first")
	r := a.next()
	require.Equal(t, "/customers/c-last", r.path)
	r.answer("c-last")
	require.Equal(t, 200, first.read().StatusCode)
	require.Equal(t, 200, last.read().StatusCode)
}
