package main

import (
	"fmt"
	"net"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"poolvsloop/internal/config"
	"poolvsloop/internal/flow"
)

func TestOrderIsServed(t *testing.T) {
	w := newWorld(t)
	s := serve(t, w.newConfig(t))
	c := s.dial()
	for i, cache := range []string{"miss", "hit "} {
		c.send(order("c-000001", "X-Lab-Timing: 1", "X-Request-Id: my-id"))
		a := c.read()
		require.Equal(t, 200, a.StatusCode, a.body)
		require.Contains(t, a.body, `"cache":"`+cache+`"`, "request %d", i)
		require.Contains(t, a.body, `"customer_id":"c-000001"`)
		require.Equal(t, "my-id", a.Header.Get("X-Request-Id"))
		require.Contains(t, a.Header.Get("Server-Timing"), "total;dur=")
	}
	require.NoError(t, s.stop())
	counts := s.counts()
	require.EqualValues(t, 2, counts.Answered)
	require.EqualValues(t, 3, counts.Calls["cache"]["ok"], "two gets and a set")
	require.Zero(t, counts.InFlight)
	require.Zero(t, counts.Idle)
	require.Zero(t, s.listener.Stats().Open, "permits given back")
}

func TestPipelinedRequestsRunTogetherAndAnswerInOrder(t *testing.T) {
	s := serve(t, newWorld(t).newConfig(t))
	c := s.dial()
	began := time.Now()
	var all strings.Builder
	for i := range 8 {
		all.WriteString(get(fmt.Sprintf("/v1/hold?ms=%d&size=%d", 400-50*i, 100+i)))
	}
	c.send(all.String())
	for i := range 8 {
		require.Len(t, c.read().body, 100+i)
	}
	require.Less(t, time.Since(began), 1600*time.Millisecond, "one after the other they take 1.8 s")
}

func TestPipelineBound(t *testing.T) {
	config := newWorld(t).newConfig(t)
	config.MaxPipeline = 2
	s := serve(t, config)
	c := s.dial()
	c.send(strings.Repeat(get("/v1/hold?ms=100"), 6))
	most := int64(0)
	for range 6 {
		most = max(most, s.inFlight.Load())
		require.Equal(t, 200, c.read().StatusCode)
	}
	require.LessOrEqual(t, most, int64(2))
}

// A client that sends without end while its answers do not come is cut: gnet cannot stop reading.
func TestInboundBound(t *testing.T) {
	config := newWorld(t).newConfig(t)
	config.MaxPipeline, config.MaxBody = 1, 1000
	s := serve(t, config)
	c := s.dial()
	one := get("/v1/hold?ms=5000")
	for range 100 * 1024 * 4 / len(one) {
		if _, err := c.Write([]byte(one)); err != nil {
			break
		}
	}
	_, err := c.tryRead()
	require.Error(t, err)
	eventually(t, func() bool { return s.counts().Abandoned["in_service"] == 1 && s.inFlight.Load() == 0 }, "request freed")
}

func TestInflightLimit(t *testing.T) {
	c := newWorld(t).newConfig(t)
	c.MaxInflight = 2
	var log lockedBuffer
	s := serve(t, c, func(s *server) { s.warnings = nopLog.Output(&log).Level(0) })
	holding := []*client{s.dial(), s.dial()}
	for _, h := range holding {
		h.send(get("/v1/hold?ms=300"))
	}
	eventually(t, func() bool { return s.inFlight.Load() == 2 }, "two in flight")
	late := s.dial()
	late.send(get("/v1/hold", "X-Request-Id: refused"))
	a := late.read()
	require.Equal(t, 503, a.StatusCode)
	require.Equal(t, `{"error":"in-flight limit"}`, a.body)
	require.Equal(t, "1", a.Header.Get("Retry-After"))
	require.Equal(t, "refused", a.Header.Get("X-Request-Id"))
	for _, h := range holding {
		require.Equal(t, 200, h.read().StatusCode)
	}
	late.send(get("/v1/hold"))
	require.Equal(t, 200, late.read().StatusCode, "the refused connection is kept")
	require.EqualValues(t, 1, s.counts().Rejected["inflight_limit"])
	require.Contains(t, log.String(), `"reason":"in-flight limit","message":"refusing requests`)
}

func TestSetConfig(t *testing.T) {
	s := serve(t, newWorld(t).newConfig(t))
	require.NoError(t, s.setConfig([]byte(`{"max-inflight":7,"max-lag":"50ms"}`)))
	require.EqualValues(t, 7, s.maxInflight.Load())
	require.EqualValues(t, 50*time.Millisecond, s.maxLag.Load())
	for body, says := range map[string]string{
		`{`:                    `want a JSON object such as {"max-inflight": 100, "max-lag": "50ms"}`,
		`null`:                 `want a JSON object such as {"max-inflight": 100, "max-lag": "50ms"}`,
		`{"max-inflight":1}}`:  `want a JSON object such as {"max-inflight": 100, "max-lag": "50ms"}`,
		`{"loops":2}`:          `unknown setting "loops": want max-inflight, max-lag`,
		`{"max-inflight":-1}`:  `--max-inflight -1: want 0 to 1073741824`,
		`{"max-inflight":"x"}`: `--max-inflight "x": want a whole number`,
		`{"max-lag":"x"}`:      `--max-lag "x": want a time with its unit, such as 20ms or 1.5s`,
		`{"max-lag":50}`:       `--max-lag "50": want a time with its unit, such as 50ms or 50s`,
		`{"max-lag":null}`:     `max-lag: want a text or a number, not null`,
	} {
		require.EqualError(t, s.setConfig([]byte(body)), says)
	}
	require.EqualValues(t, 7, s.maxInflight.Load(), "an error changes nothing")
	require.Equal(t, "7", s.currentConfig().(map[string]any)["max-inflight"], "a text, as every flag")
}

func TestMaxRequests(t *testing.T) {
	config := newWorld(t).newConfig(t)
	config.MaxRequests = 3
	s := serve(t, config)
	c := s.dial()
	c.send(strings.Repeat(get("/v1/hold"), 5))
	for i := range 3 {
		require.Equal(t, i == 2, c.read().Close)
	}
	c.atEnd()
}

func TestEvictIdle(t *testing.T) {
	c := newWorld(t).newConfig(t)
	c.MaxConns, c.ConnsFull = 2, config.ConnsEvictIdle
	s := serve(t, c)
	first, second := s.dial(), s.dial()
	for _, idle := range []*client{first, second} {
		idle.send(get("/v1/hold"))
		idle.read()
	}
	third := s.dial()
	third.send(get("/v1/hold"))
	require.Equal(t, 200, third.read().StatusCode)
	first.atEnd()
	second.send(get("/v1/hold"))
	require.Equal(t, 200, second.read().StatusCode, "only the longest idle one went")
}

func TestDrain(t *testing.T) {
	s := serve(t, newWorld(t).newConfig(t))
	idle, busy, silent := s.dial(), s.dial(), s.dial()
	idle.send(get("/v1/hold"))
	idle.read()
	busy.send(get("/v1/hold?ms=300") + get("/v1/hold?ms=1"))
	eventually(t, func() bool { return s.inFlight.Load() == 2 }, "in flight")
	began := time.Now()
	require.NoError(t, s.stop())
	require.Less(t, time.Since(began), time.Second+s.config.Drain/2)
	require.False(t, busy.read().Close, "another answer follows")
	require.True(t, busy.read().Close)
	for _, c := range []*client{idle, busy, silent} {
		c.atEnd()
	}
	require.Error(t, s.ready())
}

func TestDrainIsBounded(t *testing.T) {
	config := newWorld(t).newConfig(t)
	config.Drain = 100 * time.Millisecond
	s := serve(t, config)
	c := s.dial()
	c.send(get("/v1/hold?ms=60000"))
	eventually(t, func() bool { return s.inFlight.Load() == 1 }, "in flight")
	require.NoError(t, s.stop())
	_, err := c.tryRead()
	require.Error(t, err)
	require.Zero(t, s.inFlight.Load())
	require.EqualValues(t, 1, s.counts().Abandoned["in_service"])
}

// A client that resets the connection frees what its request held, at once.
func TestResetCancels(t *testing.T) {
	w := newWorld(t)
	w.hangA.Store(true)
	s := serve(t, w.newConfig(t))
	clients := []*client{s.dial(), s.dial()}
	clients[0].send(get("/v1/hold?ms=60000"))
	clients[1].send(order("c-1"))
	eventually(t, func() bool { return s.inFlight.Load() == 2 && w.askedA.Load() == 1 }, "both wait")
	for _, c := range clients {
		c.reset()
	}
	eventually(t, func() bool { return s.counts().Abandoned["in_service"] == 2 }, "both given up")
	require.Zero(t, s.inFlight.Load())
	s.onLoop(func(l *loop) {
		assert.Zero(t, l.timers.set)
		assert.Empty(t, l.conns)
		assert.Zero(t, l.downstreams[flow.DownstreamA].open, "the call is out of step with its connection")
	})
}

func TestTotalDeadlines(t *testing.T) {
	c := newWorld(t).newConfig(t)
	c.HeaderTimeout, c.BodyTimeout, c.IdleTimeout = 150*time.Millisecond, 150*time.Millisecond, 150*time.Millisecond
	for _, test := range []struct {
		name, first, drip string
		status            int
		phase             string
	}{
		{"silent", "", "", 0, "header"},
		{"dripping header", "GET / HTTP/1.1\r\nX: ", "x", 408, "header"},
		{"dripping body", "POST /v1/async HTTP/1.1\r\nHost: x\r\nContent-Length: 1000\r\n\r\n", "x", 408, "body"},
		{"idle", get("/v1/hold"), "", 200, "idle"},
	} {
		t.Run(test.name, func(t *testing.T) {
			s := serve(t, c)
			client := s.dial()
			client.send(test.first)
			if test.drip != "" {
				stop := make(chan struct{})
				dripped := make(chan struct{})
				go func() {
					defer close(dripped)
					for {
						select {
						case <-stop:
							return
						case <-time.After(20 * time.Millisecond):
							_, _ = client.Write([]byte(test.drip))
						}
					}
				}()
				defer func() { close(stop); <-dripped }()
			}
			if test.status != 0 {
				require.Equal(t, test.status, client.read().StatusCode)
			}
			client.atEnd()
			require.EqualValues(t, 1, s.counts().TimedOut[test.phase])
		})
	}
}

// A client that reads nothing is owed one large answer, however many it has asked for; it gets all of them when it reads.
func TestLargeAnswersWaitForTheirReader(t *testing.T) {
	const asked, size = 4, 8_000_000
	s := serve(t, newWorld(t).newConfig(t))
	slow := s.dial()
	slow.send(strings.Repeat(get("/v1/hold?size=8000000"), asked))
	eventually(t, func() bool {
		full := 0
		s.onLoop(func(l *loop) { full = l.full })
		return full == 1
	}, "reads paused")
	s.onLoop(func(l *loop) {
		assert.Less(t, l.unsent, 2*size)
		for x := range l.conns {
			assert.Less(t, x.owed(), 2*size)
			assert.NotNil(t, x.unstarted)
		}
	})
	for range asked {
		require.Len(t, slow.read().body, size)
	}
	eventually(t, func() bool { return s.counts().InFlight == 0 }, "all answered")
}

// A reader that takes nothing is cut by the write deadline, and holds back only itself.
func TestSlowReader(t *testing.T) {
	config := newWorld(t).newConfig(t)
	config.WriteTimeout = 300 * time.Millisecond
	s := serve(t, config)
	slow := s.dial()
	slow.send(strings.Repeat(get("/v1/hold?size=8000000"), 3))
	eventually(t, func() bool {
		full := 0
		s.onLoop(func(l *loop) { full = l.full })
		return full == 1
	}, "reads paused")
	other := s.dial()
	other.send(get("/v1/hold"))
	require.Equal(t, 200, other.read().StatusCode)
	eventually(t, func() bool { return s.counts().TimedOut["write"] == 1 }, "cut")
	s.onLoop(func(l *loop) {
		assert.Zero(t, l.full)
		assert.Zero(t, l.unsent)
	})
}

// A download that takes longer than --idle-timeout is not an idle connection, and draining waits for it.
func TestDownloadIsNotIdle(t *testing.T) {
	for _, drains := range []bool{false, true} {
		t.Run(fmt.Sprintf("draining=%v", drains), func(t *testing.T) {
			config := newWorld(t).newConfig(t)
			config.IdleTimeout, config.Drain = 100*time.Millisecond, patience
			s := serve(t, config)
			c := s.dial()
			c.send(get("/v1/hold?size=16000000"))
			eventually(t, func() bool { return s.loops[0].stats().OutBuffered > 0 }, "being sent")
			if drains {
				stopped := make(chan error, 1)
				go func() { stopped <- s.stop() }()
				defer func() { require.NoError(t, <-stopped) }()
			}
			time.Sleep(2 * config.IdleTimeout) // the reader's own slowness
			require.Len(t, c.read().body, 16000000)
			c.atEnd()
		})
	}
}

// Connections that come and go leave nothing behind, not even a deadline.
func TestClosedConnectionIsForgotten(t *testing.T) {
	s := serve(t, newWorld(t).newConfig(t))
	for range 20 {
		c := s.dial()
		c.send(get("/v1/hold", "Connection: close"))
		require.Equal(t, 200, c.read().StatusCode)
		c.atEnd()
	}
	eventually(t, func() bool { return s.listener.Stats().Open == 0 }, "closed")
	s.onLoop(func(l *loop) {
		assert.Empty(t, l.conns)
		assert.LessOrEqual(t, len(l.timers.heap), 1, "a spare request may keep its place")
	})
}

func TestRefusalIsNotReset(t *testing.T) {
	config := newWorld(t).newConfig(t)
	config.MaxBody = 1000
	s := serve(t, config)
	c := s.dial()
	c.send("POST /v1/async HTTP/1.1\r\nHost: x\r\nContent-Length: 3000000\r\n\r\n")
	chunk := strings.Repeat("x", 100_000)
	for range 10 {
		c.send(chunk)
	}
	a := c.read()
	require.Equal(t, 413, a.StatusCode)
	require.True(t, a.Close)
	c.atEnd()
}

func TestDescriptorPlan(t *testing.T) {
	for _, test := range []struct {
		name                          string
		limit, loops, maxConns, asked int
		reserve, perDownstream        int
	}{
		{"room for all", 20000, 2, 15000, 0, 5000, 1233},
		{"short", 256, 2, 15000, 0, 68 + 4*9, 9},
		{"clients without limit", 1068, 2, 0, 0, 68 + 200, 50},
		{"asked for", 20000, 2, 15000, 100, 468, 100},
		{"tiny", 64, 2, 10, 0, 72, 1},
	} {
		t.Run(test.name, func(t *testing.T) {
			plan := planDescriptors(test.limit, test.loops, test.maxConns, test.asked)
			require.Equal(t, descriptorPlan{test.reserve, test.perDownstream}, plan)
		})
	}
}

func TestPortInUse(t *testing.T) {
	taken, err := net.Listen("tcp", "127.0.0.1:0")
	require.NoError(t, err)
	defer taken.Close()
	c := newWorld(t).newConfig(t)
	c.Addr = taken.Addr().String()
	_, err = newServer(c, nil, nopLog)
	require.ErrorContains(t, err, "in use")
}
