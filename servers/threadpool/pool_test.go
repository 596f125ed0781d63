package main

import (
	"fmt"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

func sized(workers, queue int) func(*Config) {
	return func(c *Config) { c.Workers, c.Queue = workers, queue }
}

func TestWorkersStartBeforeAnythingIsQueued(t *testing.T) {
	everyKind(t, func(t *testing.T, mode func(*Config)) {
		g := newGate(t)
		s := start(t, testConfig(mode, sized(3, 5)), g)
		require.Zero(t, s.pool.stats().Started)
		for i := 1; i <= 3; i++ {
			s.dial().send(get("/gate", "Connection: close"))
			g.expect(1)
			require.Equal(t, poolStats{Workers: 3, Started: i, Busy: i, QueueLimit: 5}, present(s.pool))
		}
		s.dial().send(get("/gate", "Connection: close"))
		eventually(t, func() bool { return s.pool.stats().QueueDepth == 1 }, "a fourth request is queued")
		require.Equal(t, 3, s.pool.stats().Started)
		g.let(3)
		g.expect(1)
		g.let(1)
	})
}

func TestParkedWorkerServesTheNext(t *testing.T) {
	modes(t, func(t *testing.T, mode func(*Config)) {
		s := start(t, testConfig(mode), newGate(t))
		c := s.dial()
		for range 50 {
			c.send(get("/")).expect(200)
			eventually(t, func() bool { return s.pool.stats().Busy == 0 }, "the worker parks")
		}
		require.Equal(t, 1, s.pool.stats().Started)
	})
}

func TestQueueIsServedInOrder(t *testing.T) {
	everyKind(t, func(t *testing.T, mode func(*Config)) {
		g := newGate(t)
		s := start(t, testConfig(mode, sized(1, 20)), g)
		var want []string
		var clients []*client
		for i := range 15 {
			path := fmt.Sprintf("/gate/%d", i)
			want = append(want, path)
			clients = append(clients, s.dial().send(get(path, "Connection: close")))
			eventually(t, func() bool { return s.pool.stats().QueueDepth+s.pool.stats().Busy == i+1 }, "it is taken or queued")
		}
		for i, c := range clients {
			require.Equal(t, want[i:i+1], g.expect(1))
			g.let(1)
			c.expect(200)
		}
	})
}

func TestResize(t *testing.T) {
	modes(t, func(t *testing.T, mode func(*Config)) {
		g := newGate(t)
		s := start(t, testConfig(mode, sized(2, 10)), g)
		for range 6 {
			s.dial().send(get("/gate"))
		}
		g.expect(2)
		eventually(t, func() bool { return s.pool.stats().QueueDepth == 4 }, "four wait")

		require.NoError(t, s.setConfig([]byte(`{"workers":5}`)))
		g.expect(3)
		require.Equal(t, poolStats{Workers: 5, Started: 5, Busy: 5, QueueDepth: 1, QueueLimit: 10}, present(s.pool))

		require.NoError(t, s.setConfig([]byte(`{"workers":1,"queue":3}`)))
		require.Equal(t, 5, s.pool.stats().Started, "surplus workers end after their request")
		g.let(5)
		g.expect(1)
		eventually(t, func() bool { return s.pool.stats().Started == 1 }, "four have ended")
		g.let(1)
		eventually(t, func() bool { return s.pool.stats().Busy == 0 }, "the last parks")
		require.Equal(t, poolStats{Workers: 1, Started: 1, QueueLimit: 3}, present(s.pool))
	})
}

func TestResizeEndsParkedWorkers(t *testing.T) {
	modes(t, func(t *testing.T, mode func(*Config)) {
		g := newGate(t)
		s := start(t, testConfig(mode, sized(4, 0)), g)
		for range 4 {
			s.dial().send(get("/gate"))
		}
		g.expect(4)
		g.let(4)
		eventually(t, func() bool { return s.pool.stats().Busy == 0 }, "all park")
		require.NoError(t, s.setConfig([]byte(`{"workers":2}`)))
		require.Equal(t, poolStats{Workers: 2, Started: 2}, present(s.pool))
		s.dial().send(get("/")).expect(200)
	})
}

func TestSetConfigRefuses(t *testing.T) {
	s := start(t, testConfig(sized(4, 7)), newGate(t))
	for body, says := range map[string]string{
		`workers=5`:                     `want a JSON object such as {"workers": 20, "queue": 50}`,
		`null`:                          `want a JSON object such as {"workers": 20, "queue": 50}`,
		`{"workers":5}{"workers":6}`:    `want a JSON object such as {"workers": 20, "queue": 50}`,
		`{"workers":5,"stack":"fiber"}`: `unknown setting "stack": want queue, workers`,
		`{"workers":"many"}`:            `--workers "many": want a whole number`,
		`{"workers":5.5}`:               `--workers "5.5": want a whole number`,
		`{"workers":null}`:              `workers: want a text or a number, not null`,
		`{"workers":0}`:                 `--workers 0: want 1 to 10000`,
		`{"queue":-2}`:                  `--queue -2: want -1 to 1048576`,
		`{"workers":100000}`:            `--workers 100000: want 1 to 10000`,
	} {
		t.Run(body, func(t *testing.T) {
			require.EqualError(t, s.setConfig([]byte(body)), says)
			now := s.pool.stats()
			require.Equal(t, []int{4, 7}, []int{now.Workers, now.QueueLimit})
		})
	}
}

func TestPanicIsAnswered(t *testing.T) {
	everyKind(t, func(t *testing.T, mode func(*Config)) {
		s := start(t, testConfig(mode, sized(1, 5)), newGate(t))
		c := s.dial()
		for range 3 {
			r := c.send(get("/panic")).expect(500)
			require.JSONEq(t, `{"error":"internal error"}`, r.body)
		}
		c.send(get("/")).expect(200)
		require.Equal(t, 1, s.pool.stats().Started)
		require.EqualValues(t, 3, s.meter.Counts().Panics)
	})
}

func TestPoolSumsUpItsUse(t *testing.T) {
	start := time.Now()
	at := func(seconds int) time.Time { return start.Add(time.Duration(seconds) * time.Second) }
	p := newPool(3, queue{limit: 9}, nil, nil)
	p.account(at(0))
	p.started, p.queue.depth = 3, 2
	p.account(at(2))
	p.parked, p.queue.depth = make([]*worker, 2), 0
	p.account(at(5))
	require.Equal(t, poolUsage{asOf: at(5), busy: 9 * time.Second, queued: 4 * time.Second}, p.usage)
	p.account(at(4))
	require.Equal(t, at(5), p.usage.asOf, "time does not go back")
}

// present is what a pool is like now, without what it summed up.
func present(p *pool) poolStats {
	now := p.stats()
	now.BusySeconds, now.QueuedSeconds = 0, 0
	return now
}
