package main

import (
	"testing"

	"github.com/stretchr/testify/require"
)

// The mistakes are wrong in how they wait, not in what they answer.
func TestMistakesAnswerRight(t *testing.T) {
	for _, mistake := range []string{MistakeBlock, MistakeUnbounded} {
		t.Run(mistake, func(t *testing.T) {
			w := newWorld(t)
			config := w.newConfig(t)
			config.Mistake = mistake
			s := serve(t, config)
			c := s.dial()
			for _, cache := range []string{"miss", "hit "} {
				c.send(order("c-1", "X-Lab-Timing: 1"))
				a := c.read()
				require.Equal(t, 200, a.StatusCode, a.body)
				require.Contains(t, a.body, `"cache":"`+cache+`"`)
				require.Contains(t, a.Header.Get("Server-Timing"), "a;dur=")
			}
			w.a.CloseClientConnections()
			c.send(order("c-2"))
			require.Equal(t, 200, c.read().StatusCode, "a dead kept connection is replaced")
			w.statusB.Store(500)
			c.send(order("c-2"))
			require.Equal(t, 502, c.read().StatusCode)
			w.cache.Close()
			w.statusB.Store(0)
			c.send(order("c-2"))
			require.Contains(t, c.read().body, `"miss"`)
		})
	}
}

func TestUnboundedClientMayLeave(t *testing.T) {
	config := newWorld(t).newConfig(t)
	config.Mistake = MistakeUnbounded
	s := serve(t, config)
	c := s.dial()
	c.send(get("/v1/hold?ms=100"))
	eventually(t, func() bool { return s.inFlight.Load() == 1 }, "in service")
	c.reset()
	eventually(t, func() bool { return s.inFlight.Load() == 0 }, "given up")
	eventually(t, func() bool {
		spare := 0
		s.onLoop(func(l *loop) { spare = len(l.spare) })
		return spare == 1
	}, "the request came back")
}

func TestUnboundedPanic(t *testing.T) {
	config := newWorld(t).newConfig(t)
	config.Mistake = MistakeUnbounded
	s := serve(t, config, func(s *server) { s.handler = nil })
	c := s.dial()
	c.send(get("/v1/hold"))
	require.Equal(t, 500, c.read().StatusCode)
}

func TestCPUPool(t *testing.T) {
	config := newWorld(t).newConfig(t)
	config.CPUOn, config.CPUWorkers, config.CPUQueue = CPUOnPool, 1, 1
	s := serve(t, config)
	busy, queued, refused, other := s.dial(), s.dial(), s.dial(), s.dial()
	busy.send(get("/v1/hold?cpu=200000000"))
	eventually(t, func() bool { return s.cpu.busy.Load() == 1 }, "one worker works")
	queued.send(get("/v1/hold?cpu=1"))
	eventually(t, func() bool { return len(s.cpu.queue) == 1 }, "one step waits")
	refused.send(get("/v1/hold?cpu=1"))
	a := refused.read()
	require.Equal(t, 503, a.StatusCode)
	require.Equal(t, `{"error":"queue full"}`, a.body)
	other.send(get("/v1/hold"))
	require.Equal(t, 200, other.read().StatusCode, "the loop does not wait")
	require.EqualValues(t, 1, s.cpu.busy.Load(), "still at it")
	require.Equal(t, 200, busy.read().StatusCode)
	require.Equal(t, 200, queued.read().StatusCode)
	require.EqualValues(t, 1, s.counts().Rejected["queue_full"])
}

func TestCPUOnLoop(t *testing.T) {
	s := serve(t, newWorld(t).newConfig(t))
	c := s.dial()
	c.send(get("/v1/hold?cpu=1000000"))
	require.Equal(t, 200, c.read().StatusCode)
	eventually(t, func() bool { return s.loops[0].stats().HandlerMax > 0.0005 }, "seen as a long callback")
}
