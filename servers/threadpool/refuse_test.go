package main

import (
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

func expectRefusal(t *testing.T, c *client, text string, closes bool) {
	t.Helper()
	r := c.expect(503)
	require.Equal(t, `{"error":"`+text+`"}`, r.body)
	require.Equal(t, "1", r.header.Get("Retry-After"))
	require.Equal(t, "application/json", r.header.Get("Content-Type"))
	require.Equal(t, closes, r.closes)
}

func TestFullQueueRefuses(t *testing.T) {
	everyKind(t, func(t *testing.T, mode func(*Config)) {
		for name, each := range map[string]struct {
			request string
			closes  bool
		}{
			"without a body":     {get("/"), false},
			"with a small body":  {post("/", "5") + "hello", false},
			"with a medium body": {post("/", "60000") + strings.Repeat("m", 60000), false},
			"with a large body":  {post("/", "300000") + strings.Repeat("l", 300000), true},
			"that wants to close": {
				get("/", "Connection: close"), true,
			},
			"that expects 100": {"POST / HTTP/1.1\r\nHost: test\r\nExpect: 100-continue\r\nContent-Length: 5\r\n\r\n", true},
			"with chunks":      {"POST / HTTP/1.1\r\nHost: test\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nhel", true},
		} {
			t.Run(name, func(t *testing.T) {
				g := newGate(t)
				s := start(t, testConfig(mode, sized(1, 0)), g)
				held := s.holdWorkers(g, 1)
				c := s.dial().send(each.request)
				expectRefusal(t, c, "queue full", each.closes)
				if each.closes {
					c.expectEnd()
				} else {
					expectRefusal(t, c.send(get("/")), "queue full", false)
				}
				g.let(1)
				held[0].expect(200)
				if !each.closes {
					eventually(t, func() bool { return s.pool.stats().Busy == 0 || s.config.Dispatch == DispatchConnection },
						"the worker parks")
				}
			})
		}
	})
}

// A refused client that asks again on its connection is served once there is room.
func TestRefusedConnectionGoesOn(t *testing.T) {
	modes(t, func(t *testing.T, mode func(*Config)) {
		g := newGate(t)
		s := start(t, testConfig(mode, sized(1, 0)), g)
		held := s.holdWorkers(g, 1)
		c := s.dial().send(post("/", "5") + "he")
		expectRefusal(t, c, "queue full", false)
		g.let(1)
		held[0].expect(200)
		eventually(t, func() bool { return s.pool.stats().Busy == 0 }, "the worker parks")
		require.Equal(t, `""`, c.send("llo"+get("/")).expect(200).body)
		require.Equal(t, uint64(1), s.meter.Counts().Rejected["queue_full"])
	})
}

func TestFullQueueCloses(t *testing.T) {
	everyKind(t, func(t *testing.T, mode func(*Config)) {
		g := newGate(t)
		s := start(t, testConfig(mode, sized(1, 0), func(c *Config) { c.QueueFull = FullClose }), g)
		s.holdWorkers(g, 1)
		s.dial().send(get("/")).expectCut()
		require.Equal(t, uint64(1), s.meter.Counts().Rejected["queue_full"])
		g.let(1)
	})
}

func TestFullQueueWaits(t *testing.T) {
	everyKind(t, func(t *testing.T, mode func(*Config)) {
		g := newGate(t)
		s := start(t, testConfig(mode, sized(1, 0), func(c *Config) { c.QueueFull = FullWait }), g)
		held := s.holdWorkers(g, 1)
		waiting := s.dial().send(get("/"))
		s.queued(1)
		g.let(1)
		held[0].expect(200)
		waiting.expect(200)
		require.Zero(t, s.meter.Counts().Rejected["queue_full"])
	})
}

func TestQueueTimeout(t *testing.T) {
	everyKind(t, func(t *testing.T, mode func(*Config)) {
		g := newGate(t)
		s := start(t, testConfig(mode, sized(1, 5), func(c *Config) { c.QueueTimeout = 30 * time.Millisecond }), g)
		held := s.holdWorkers(g, 1)
		late := []*client{s.dial().send(get("/")), s.dial().send(post("/", "5") + "hello"), s.dial().send(get("/"))}
		for _, c := range late {
			expectRefusal(t, c, "queue timeout", false)
		}
		require.Equal(t, uint64(3), s.meter.Counts().Rejected["queue_timeout"])
		for _, c := range late {
			c.socket.Close()
		}
		s.queued(0)
		g.let(1)
		held[0].expect(200)
		s.dial().send(get("/")).expect(200)
	})
}

func TestBadHeadsAreAnsweredWithoutAWorker(t *testing.T) {
	modes(t, func(t *testing.T, mode func(*Config)) {
		g := newGate(t)
		s := start(t, testConfig(mode, sized(1, 0)), g)
		s.holdWorkers(g, 1)
		for request, status := range map[string]int{
			"GET / HTTP/1.1\r\n\r\n":                       400,
			"GARBAGE\r\n\r\n":                              400,
			post("/", "99999999"):                          413,
			get("/", "X-Long: "+strings.Repeat("x", 9000)): 431,
			"BREW / HTTP/1.1\r\nHost: test\r\n\r\n":        501,
			"GET / HTTP/3.0\r\nHost: test\r\n\r\n":         505,
		} {
			c := s.dial().send(request)
			require.True(t, c.expect(status).closes)
			c.expectEnd()
		}
		require.Zero(t, s.meter.Counts().Rejected["queue_full"])
		g.let(1)
	})
}

// An answer sent before the request has come in must reach the client: no reset may overtake it.
func TestAnswerToAnUnreadBodyIsNotLost(t *testing.T) {
	modes(t, func(t *testing.T, mode func(*Config)) {
		s := start(t, testConfig(mode), newGate(t))
		for range 20 {
			c := s.dial().send(post("/", "99999999"))
			for range 40 {
				if _, err := c.socket.Write(make([]byte, 64<<10)); err != nil {
					require.True(t, isGone(err), "%v", err)
					break
				}
			}
			c.expect(413)
		}
	})
}
