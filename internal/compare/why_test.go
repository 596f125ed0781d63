package compare

import (
	"testing"

	"github.com/stretchr/testify/require"
)

func TestWhyNamesWhatHoldsTheServers(t *testing.T) {
	known := Scene{
		Clients: 50, WaitMS: 50, Workers: 200, Queue: 100, Loops: 2, CPUs: 2,
		Pool: Seen{GoodputRPS: 980, Cores: 0.2}, Loop: Seen{GoodputRPS: 985, Cores: 0.1}, Verdict: "tie",
	}
	change := func(f func(*Scene)) Scene {
		s := known
		f(&s)
		return s
	}
	for name, c := range map[string]struct {
		scene     Scene
		why, next []string
		not       []string
	}{
		"the default run": {
			known,
			[]string{
				"50 clients never fill a pool of 200 workers", "both servers are bound by the clients: 50 / 50.0 ms = 1000 req/s. That is why they tie.",
				"thread pool 980 (98 %), event loop 985 (99 %)",
			},
			[]string{"loadrunner compare --workers 20 -c 200 --queue 200`", "400 req/s against 4000"},
			[]string{"look at the processor", "Not served"},
		},
		"a tie that cannot be told": {
			change(func(s *Scene) { s.Verdict = "inconclusive" }), []string{"A tie is what to expect."}, nil, []string{"why they tie"},
		},
		"a winner where a tie was to be expected": {
			change(func(s *Scene) { s.Verdict = "threadpool" }), []string{"what the servers add to the waiting"}, nil,
			[]string{"why they tie"},
		},
		"a queue that is long enough": {
			change(func(s *Scene) { s.Queue = 500 }), nil, []string{"loadrunner compare --workers 20 -c 200`"}, nil,
		},
		"scarce workers": {
			change(func(s *Scene) { s.Clients, s.Workers, s.Pool.GoodputRPS, s.Loop.GoodputRPS = 200, 20, 395, 3900 }),
			[]string{
				"the pool has 20 workers for 200 clients", "at most 20 / 50.0 ms = 400 req/s", "waits for all 200 clients at once",
				"at most 200 / 50.0 ms = 4000 req/s", "thread pool 395 (99 %), event loop 3900 (98 %)",
			},
			[]string{"loadrunner compare --workers 200 -c 200`", "should tie"},
			[]string{"look at the processor"},
		},
		"a loop that the processor limits": {
			change(func(s *Scene) { s.Clients, s.Workers, s.Pool.GoodputRPS, s.Loop.GoodputRPS = 200, 20, 395, 2000 }),
			[]string{"event loop 2000 (50 %)", "look at the processor (the servers used 0.20 and 0.10 cores of 2"}, nil, nil,
		},
		"rejections": {
			change(func(s *Scene) { s.Clients, s.Workers, s.Pool.FailedShare = 200, 20, 0.9 }),
			[]string{"Not served: 90.0 % of the thread pool's requests, 0.0 % of the event loop's", "compare goodput"}, nil, nil,
		},
		"the blocking mistake": {
			change(func(s *Scene) { s.Blocking, s.Loop.GoodputRPS = true, 39 }),
			[]string{"--mistake=block each of the 2 loops does one request at a time", "at most 2 / 50.0 ms = 40 req/s"},
			[]string{"without --mistake"}, nil,
		},
		"a bounded event loop": {
			change(func(s *Scene) { s.Clients, s.Workers, s.MaxInflight = 200, 20, 20 }),
			[]string{"the number of requests they let in: 20 / 50.0 ms = 400"}, nil, nil,
		},
		"workers that keep their connection": {
			change(func(s *Scene) { s.Clients, s.Workers, s.ByConnection, s.KeepAlive = 200, 20, true, true }),
			[]string{"a worker keeps its connection until that closes"}, nil, nil,
		},
		"nothing to wait for": {
			change(func(s *Scene) { s.WaitMS = 0 }), []string{"what limits both servers is the processor"}, []string{"--workers 20 -c 200"}, []string{"Inf"},
		},
	} {
		t.Run(name, func(t *testing.T) {
			why, next := c.scene.Why(), c.scene.Next()
			for _, text := range c.why {
				require.Contains(t, why, text)
			}
			for _, text := range c.next {
				require.Contains(t, next, text)
			}
			for _, text := range c.not {
				require.NotContains(t, why+next, text)
			}
		})
	}
}
