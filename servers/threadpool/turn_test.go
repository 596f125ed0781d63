package main

import (
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// queued waits until n tickets are queued.
func (r *running) queued(n int) {
	r.t.Helper()
	eventually(r.t, func() bool { return r.pool.stats().QueueDepth == n }, "that many are queued")
}

// holdWorkers occupies all n workers by requests at the gate.
func (r *running) holdWorkers(g *gate, n int) (clients []*client) {
	r.t.Helper()
	for range n {
		clients = append(clients, r.dial().send(get("/gate/held", "Connection: close")))
	}
	g.expect(n)
	return clients
}

func TestClientThatLeavesTheQueueFreesItsPlace(t *testing.T) {
	for how, leave := range map[string]func(*client){
		"FIN":        func(c *client) { c.socket.Close() },
		"half-close": func(c *client) { _ = c.socket.CloseWrite() },
		"RST":        (*client).reset,
	} {
		t.Run(how, func(t *testing.T) {
			everyKind(t, func(t *testing.T, mode func(*Config)) {
				g := newGate(t)
				s := start(t, testConfig(mode, sized(1, 3)), g)
				held := s.holdWorkers(g, 1)
				before := s.dial().send(get("/gate/left"))
				s.queued(1)
				stays := s.dial().send(get("/gate/stays", "Connection: close"))
				s.queued(2)
				after := s.dial().send(get("/gate/left"))
				s.queued(3)
				leave(before)
				leave(after)
				s.queued(1)
				eventually(t, func() bool { return s.meter.Counts().Abandoned["queued"] == 2 }, "both are counted")
				g.let(1)
				held[0].expect(200)
				require.Equal(t, []string{"/gate/stays"}, g.expect(1))
				g.let(1)
				stays.expect(200)
			})
		})
	}
}

// A queued connection may hold no request yet: the part of a head is none.
func TestClientThatLeavesTheQueueWithoutAWholeHead(t *testing.T) {
	for name, c := range map[string]struct {
		sends     string
		abandoned uint64
	}{
		"nothing":           {"", 0},
		"a part of a head":  {"GET /gate HTTP/1.1\r\nHost:", 0},
		"no HTTP":           {"\x16\x03\x01\r\n\r\n", 0},
		"a head":            {get("/gate"), 1},
		"a head, no body":   {post("/gate", "5"), 1},
		"a head and a half": {get("/gate") + "GET /", 1},
	} {
		t.Run(name, func(t *testing.T) {
			modes(t, func(t *testing.T, mode func(*Config)) {
				g := newGate(t)
				s := start(t, testConfig(mode, sized(1, 3), func(c *Config) { c.Dispatch = DispatchConnection }), g)
				s.holdWorkers(g, 1)
				leaves := s.dial()
				s.queued(1)
				leaves.send(c.sends)
				leaves.socket.Close()
				eventually(t, func() bool { return len(s.conns.all()) == 1 }, "it is gone")
				require.Equal(t, c.abandoned, s.meter.Counts().Abandoned["queued"])
				g.let(1)
			})
		})
	}
}

func TestClientThatLeavesWithABodyBehindIt(t *testing.T) {
	modes(t, func(t *testing.T, mode func(*Config)) {
		g := newGate(t)
		s := start(t, testConfig(mode, sized(1, 3)), g)
		s.holdWorkers(g, 1)
		c := s.dial().send(post("/gate", "200000") + strings.Repeat("b", 100000))
		s.queued(1)
		c.socket.Close()
		s.queued(0)
		g.let(1)
	})
}

func TestHalfClosedClientInServiceIsAnswered(t *testing.T) {
	everyKind(t, func(t *testing.T, mode func(*Config)) {
		g := newGate(t)
		s := start(t, testConfig(mode), g)
		c := s.dial().send(get("/gate") + get("/"))
		require.NoError(t, c.socket.CloseWrite())
		g.expect(1)
		g.let(1)
		c.expect(200)
		c.expect(200)
		c.expectEnd()
		require.Zero(t, s.meter.Counts().Abandoned["in_service"])
	})
}

func TestClientThatLeavesInServiceIsCounted(t *testing.T) {
	everyKind(t, func(t *testing.T, mode func(*Config)) {
		g := newGate(t)
		s := start(t, testConfig(mode, sized(1, 1)), g)
		c := s.dial().send(get("/gate"))
		g.expect(1)
		c.reset()
		eventually(t, func() bool {
			left := s.conns.all()
			return len(left) == 1 && peek(left[0].fd) != 0
		}, "the server's socket knows")
		g.let(1)
		eventually(t, func() bool { return s.meter.Counts().Abandoned["in_service"] == 1 }, "it is counted")
		eventually(t, func() bool { return len(s.conns.all()) == 0 }, "it is closed")
		s.dial().send(get("/")).expect(200)
	})
}

func TestPipelinedRequestsAreServedOneAfterTheOther(t *testing.T) {
	everyKind(t, func(t *testing.T, mode func(*Config)) {
		g := newGate(t)
		s := start(t, testConfig(mode, sized(4, 4)), g)
		c := s.dial().send(get("/gate/1") + get("/gate/2") + get("/gate/3"))
		for _, path := range []string{"/gate/1", "/gate/2", "/gate/3"} {
			require.Equal(t, []string{path}, g.expect(1))
			require.Empty(t, g.arrived)
			eventually(t, func() bool { return s.pool.stats().Busy == 1 }, "no other worker has any of it")
			g.let(1)
			c.expect(200)
		}
	})
}

func TestBodies(t *testing.T) {
	large := strings.Repeat("l", 1<<20)
	everyKind(t, func(t *testing.T, mode func(*Config)) {
		s := start(t, testConfig(mode, sized(2, 2)), newGate(t))
		c := s.dial()
		c.send(post("/", "5") + "hello").expect(200)
		c.send(post("/", "5") + "he")
		eventually(t, func() bool { return s.pool.stats().Busy == 1 }, "a worker waits for the rest")
		require.Equal(t, `"hello"`, c.send("llo").expect(200).body)
		c.send(post("/", "1048576") + large)
		require.Len(t, c.expect(200).body, 1<<20+2)
		c.send("POST / HTTP/1.1\r\nHost: test\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nhel\r\n")
		require.Equal(t, `"hello"`, c.send("2\r\nlo\r\n0\r\n\r\n"+get("/")).expect(200).body)
		c.expect(200)
	})
}

func TestExpectContinue(t *testing.T) {
	everyKind(t, func(t *testing.T, mode func(*Config)) {
		s := start(t, testConfig(mode, sized(1, 1)), newGate(t))
		c := s.dial().send("POST / HTTP/1.1\r\nHost: test\r\nExpect: 100-continue\r\nContent-Length: 5\r\n\r\n")
		c.expect(http.StatusContinue)
		require.Equal(t, `"hello"`, c.send("hello").expect(200).body)
	})
}

func TestTimeouts(t *testing.T) {
	short := func(c *Config) {
		c.HeaderTimeout, c.BodyTimeout = 60*time.Millisecond, 60*time.Millisecond
		c.WriteTimeout, c.IdleTimeout = 60*time.Millisecond, 60*time.Millisecond
	}
	cases := []struct {
		name, phase string
		send        string
		first       int // answers before it
		status      int // of the timeout; 0 is none
	}{
		{"silent", "header", "", 0, 0},
		{"idle", "idle", get("/"), 1, 0},
		{"partial line", "header", "GET /", 0, 408},
		{"partial head", "header", "GET / HTTP/1.1\r\nHost: test\r\n", 0, 408},
		{"second head", "header", get("/") + "GET /", 1, 408},
		{"partial body", "body", post("/", "10") + "hello", 0, 408},
		{"no body", "body", post("/", "10"), 0, 408},
	}
	everyKind(t, func(t *testing.T, mode func(*Config)) {
		for _, each := range cases {
			t.Run(each.name, func(t *testing.T) {
				s := start(t, testConfig(mode, short), newGate(t))
				c := s.dial().send(each.send)
				for range each.first {
					c.expect(200)
				}
				if each.status != 0 {
					require.True(t, c.expect(each.status).closes)
				}
				c.expectEnd()
				timeouts := s.meter.Counts().TimedOut
				require.Equal(t, uint64(1), timeouts[each.phase], "%v", timeouts)
			})
		}
		t.Run("slow reader", func(t *testing.T) {
			s := start(t, testConfig(mode, short), newGate(t))
			c := s.dial()
			require.NoError(t, c.socket.SetReadBuffer(4<<10))
			c.send(get("/large"))
			eventually(t, func() bool { return s.meter.Counts().TimedOut["write"] == 1 }, "the write times out")
			c.expectCut()
			s.dial().send(get("/")).expect(200)
		})
	})
}

// A request may stay in the queue and in service for longer than every timeout of its connection.
func TestNoTimeoutHoldsWhileARequestIsAway(t *testing.T) {
	everyKind(t, func(t *testing.T, mode func(*Config)) {
		g := newGate(t)
		const short = 40 * time.Millisecond
		s := start(t, testConfig(mode, sized(1, 1), func(c *Config) {
			c.HeaderTimeout, c.BodyTimeout, c.WriteTimeout, c.IdleTimeout = short, short, short, short
		}), g)
		first := s.dial().send(get("/gate", "Connection: close"))
		g.expect(1)
		second := s.dial().send(get("/gate", "Connection: close"))
		s.queued(1)
		<-time.After(4 * short)
		g.let(1)
		first.expect(200)
		g.expect(1)
		<-time.After(4 * short)
		g.let(1)
		second.expect(200)
	})
}

func TestMaxRequests(t *testing.T) {
	everyKind(t, func(t *testing.T, mode func(*Config)) {
		s := start(t, testConfig(mode, func(c *Config) { c.MaxRequests = 3 }), newGate(t))
		c := s.dial().send(strings.Repeat(get("/"), 5))
		for _, last := range []bool{false, false, true} {
			require.Equal(t, last, c.expect(200).closes)
		}
		c.expectEnd()
	})
}
