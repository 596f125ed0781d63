package why

import (
	"math"
	"testing"

	"github.com/stretchr/testify/require"

	"poolvsloop/internal/lab"
	"poolvsloop/internal/predict"
	"poolvsloop/internal/results"
)

// known is 200 clients on 20 workers, or on two loops, for 10 s: 50 ms in A and B, and nothing full.
func known(server string) Seen {
	delays := lab.Ledger{Calls: 1000, IntendedMS: lab.Delays{Mean: 25}, DeliveredMS: lab.Delays{Mean: 25.2}}
	return Seen{
		Server: server, Cores: 2, DownstreamConns: 500,
		Config: results.Config{
			Concurrency: 200, Workers: 20, Queue: 200, QueueFull: "503", LatencyA: "25ms", LatencyB: "25ms", HitRatio: 1, Seed: 1,
			Dispatch: "request", Mistake: "none", Loops: 2,
		},
		Figures: results.Figures{DurationS: 10, Sent: 4000, Completed: 4000, GoodputRPS: 400, MeanMS: 500, ServerCPUS: 2},
		Own:     lab.Own{WorkersS: 100, QueueS: 100, LoopsS: 4, LagS: 0.5, Ticks: 1000, ServiceS: 100},
		A:       delays, B: delays, Cache: lab.Counts{Gets: 4000}, OthersCPU: 2, Generator: 0.1, AloneMS: 51, WaitMS: 50, LateMS: 0.4,
		Calibration: &results.Calibration{MeanMS: 51, WaitMS: 50, ServerCPUUS: 400, OtherCPUUS: 350},
	}
}

func TestExplainNamesTheLimit(t *testing.T) {
	for name, c := range map[string]struct {
		server, limit string
		change        func(*Seen)
		text          []string
		predicted     float64
	}{
		"workers": {predict.ThreadPool, Workers, func(s *Seen) { s.Own.WorkersS = 199.2 }, []string{
			"the workers (19.92 of 20 workers, 99.6 %)", "CPU of the lab 20 %", "raise --workers to 200 (predicted ", "against 400 measured now)",
		}, 2660},
		"workers that keep connections": {predict.ThreadPool, Workers, func(s *Seen) {
			s.Own.WorkersS, s.Config.Dispatch, s.Config.KeepAlive = 200, "connection", true
		}, []string{"keeps its connection until that closes"}, 2660},
		"workers that wait for the CPU": {predict.ThreadPool, CPU, func(s *Seen) { s.Own.WorkersS, s.Figures.ServerCPUS = 200, 19 },
			[]string{"the CPU (1.90 of 2 cores, 95.0 %)", "give it 4 cores"}, 396},
		"the lab's programs need the CPU": {predict.EventLoop, LabCPU, func(s *Seen) { s.OthersCPU = 17 },
			[]string{"CPU of the lab (1.90 of 2 cores, 95.0 %)", "a machine of its own"}, 3984},
		"a quota": {predict.ThreadPool, CPUQuota, func(s *Seen) { s.Periods, s.Throttled = 100, 95 },
			[]string{"the CPU quota (95.00 of 100 periods, 95.0 %)", "raise the CPU quota"}, math.NaN()},
		"a quota that seldom runs out": {predict.ThreadPool, Workers, func(s *Seen) { s.Periods, s.Throttled, s.Own.WorkersS = 100, 5, 200 },
			[]string{"CPU quota 5 %"}, 2660},
		"no delay at all": {predict.ThreadPool, LabCPU, func(s *Seen) {
			s.A, s.B, s.WaitMS, s.LateMS, s.OthersCPU = lab.Ledger{}, lab.Ledger{}, 0, 0, 18
		}, []string{"CPU of the lab"}, 396},
		"loops that compute": {predict.EventLoop, Loops, func(s *Seen) { s.Own.LoopsS = 19 },
			[]string{"the loops (1.90 of 2 loops, 95.0 %)", "4 cores, and a loop for each"}, 3950},
		"fewer loops than cores": {predict.EventLoop, Loops, func(s *Seen) { s.Own.LoopsS, s.Config.Loops = 9.9, 1 },
			[]string{"raise --loops to 2"}, 2660},
		"loops that block": {predict.EventLoop, Loops, func(s *Seen) { s.Own.LoopsS, s.Config.Mistake = 19.9, "block" },
			[]string{"take --mistake=block away: each loop waits inside its callbacks"}, 2660},
		"a bound of requests": {predict.EventLoop, Inflight, func(s *Seen) {
			s.Config.MaxInflight, s.Own.ServiceS, s.Figures.Failed = 20, 196, 3000
		}, []string{"the requests let in (19.60 of 20 requests, 98.0 %)", "take --max-inflight away", "Not served: 75.0 % of the event loop's"}, 2660},
		"connections to A": {predict.EventLoop, ConnsA, func(s *Seen) { s.DownstreamConns = 2; s.A.Calls = 800 },
			[]string{"connections to A (2.02 of 2", "raise --downstream-conns"}, math.NaN()},
		"late downstreams": {predict.ThreadPool, Late, func(s *Seen) { s.Own.WorkersS, s.LateMS = 200, 8 },
			[]string{"A and B, which were 8.0 ms late on 50.0 ms", "nothing is known of the server"}, math.NaN()},
		"the load runner": {predict.ThreadPool, LoadRunner, func(s *Seen) { s.Own.WorkersS, s.Generator = 200, 0.9 },
			[]string{"the load runner (0.90 of 1 cores, 90.0 %)"}, math.NaN()},
		"the clients": {predict.EventLoop, Clients, func(s *Seen) { s.Figures.MeanMS = 52 },
			[]string{"the 200 clients: each waits for its answer, 52.0 ms, of which 50.4 ms in A and B", "send more at once: -c 400"}, 2660},
		"nothing known":       {predict.ThreadPool, Unknown, func(*Seen) {}, []string{"unknown: nothing above 50 %"}, math.NaN()},
		"not calibrated":      {predict.ThreadPool, Workers, func(s *Seen) { s.Own.WorkersS, s.Calibration = 200, nil }, []string{"raise --workers to 200."}, math.NaN()},
		"rejections are fast": {predict.ThreadPool, Unknown, func(s *Seen) { s.Figures.MeanMS, s.Figures.Failed = 5, 400 }, nil, math.NaN()},
		"an attached lab":     {predict.ThreadPool, Workers, func(s *Seen) { s.Own.WorkersS, s.OthersCPU = 200, math.NaN() }, nil, 2660},
	} {
		t.Run(name, func(t *testing.T) {
			s := known(c.server)
			c.change(&s)
			e := Explain(s)
			require.Equal(t, c.limit, e.Bottleneck)
			text := Text([]Seen{s}, []results.Explanation{e})
			for _, part := range c.text {
				require.Contains(t, text, part)
			}
			require.NotContains(t, text, "NaN")
			if math.IsNaN(c.predicted) {
				require.True(t, math.IsNaN(float64(e.PredictedRPS)), e.PredictedRPS)
				return
			}
			require.InEpsilon(t, c.predicted, float64(e.PredictedRPS), 0.05)
		})
	}
}

func TestExpectedIsARangeWhenARequestCostOtherCPUTime(t *testing.T) {
	for name, c := range map[string]struct {
		before, during float64
		want           string
	}{
		"alike":            {1000, 1020, "1000"},
		"dearer":           {1959, 1755, "1755 to 1959"},
		"cheaper":          {1755, 1959, "1755 to 1959"},
		"not known":        {math.NaN(), 10, ""},
		"of an older run":  {1000, 0, "1000"},
		"not known of run": {1000, math.NaN(), "1000"},
	} {
		t.Run(name, func(t *testing.T) {
			require.Equal(t, c.want, Expected(results.Explanation{
				PredictedRPS: results.Number(c.before), PredictedRunCPURPS: results.Number(c.during),
			}))
		})
	}
	s := known(predict.EventLoop)
	s.Figures.MeanMS = 52
	s.Figures.ServerCPUS, s.OthersCPU = 4, 4 // 1 ms and 1 ms of a request, on 2 cores
	require.InEpsilon(t, 1000, float64(Explain(s).PredictedRunCPURPS), 0.02)
	s.OthersCPU = math.NaN()
	require.True(t, math.IsNaN(float64(Explain(s).PredictedRunCPURPS)))
}

func TestTextSaysHowMuchIsWaiting(t *testing.T) {
	pool, loop := known(predict.ThreadPool), known(predict.EventLoop)
	pool.Figures.MeanMS, loop.Figures.MeanMS = 52, 51
	text := func(both ...Seen) string {
		var all []results.Explanation
		for _, s := range both {
			all = append(all, Explain(s))
		}
		return Text(both, all)
	}
	require.Contains(t, text(pool, loop), "A and B take 97 % and 99 % of the response time, on whatever server")
	require.Contains(t, text(pool, loop), "The servers' own part is 1.60 ms and 0.60 ms.")
	require.NotContains(t, text(pool), "whatever server", "there is nothing to compare with")
	pool.Own.WorkersS = 199.2
	require.NotContains(t, text(pool, loop), "whatever server", "the pool is full")
}

func TestQuoted(t *testing.T) {
	for word, want := range map[string]string{
		"5": "5", "": "''", "steps:p99=30ms,p100=3s": "steps:p99=30ms,p100=3s", "a b": "'a b'", "a'b": `'a'\''b'`, "a'$(b)`c`": `'a'\''$(b)` + "`c`'",
		"~": "'~'", "10s b.latency=50ms": "'10s b.latency=50ms'",
	} {
		require.Equal(t, want, Quoted(word))
	}
}

func TestNothingMeasuredUsesNothing(t *testing.T) { require.Empty(t, Resources(Seen{})) }

func TestNext(t *testing.T) {
	workers := []results.Explanation{{Server: predict.ThreadPool, Bottleneck: Workers}, {Server: predict.EventLoop, Bottleneck: Clients}}
	for name, c := range map[string]struct {
		argv   []string
		change func(*results.Config)
		limits []results.Explanation
		want   string
	}{
		"the default run": {
			[]string{"loadrunner"}, func(c *results.Config) { c.Concurrency, c.Workers, c.Queue = 50, 200, 100 }, nil,
			"`loadrunner compare --workers 20 -c 200 --queue 200` shows a difference",
		},
		"go run": {
			[]string{"go", "run", "./loadrunner"}, func(c *results.Config) { c.Concurrency, c.Workers, c.Queue = 50, 200, -1 }, nil,
			"`go run ./loadrunner compare --workers 20 -c 200` shows a difference",
		},
		"other flags stay": {
			[]string{"bin/loadrunner", "compare", "-k", "--workers=20", "-c", "200", "--latency-a", "exp:20ms", "--workers", "20", "--name", "a b"},
			func(*results.Config) {}, workers,
			"`bin/loadrunner compare -k -c 200 --latency-a exp:20ms --name 'a b' --workers 200` gives the pool a worker for every client",
		},
		"short flags": {
			[]string{"loadrunner", "compare", "-c50", "-n", "100"}, func(c *results.Config) { c.Concurrency, c.Workers = 50, 200 }, nil,
			"`loadrunner compare -n 100 --workers 20 -c 200` shows",
		},
		"the mistake": {
			[]string{"loadrunner", "compare", "--mistake=block"}, func(c *results.Config) { c.Mistake = "block" }, workers,
			"`loadrunner compare --mistake none` shows the event loop as it should be",
		},
		"a bound of requests": {
			[]string{"loadrunner", "compare", "--max-inflight", "20"}, func(c *results.Config) { c.MaxInflight = 20 }, workers,
			"`loadrunner compare --max-inflight 0` lets",
		},
		"the generator": {
			[]string{"loadrunner", "compare", "-c", "200"}, func(*results.Config) {}, []results.Explanation{{Bottleneck: LoadRunner}},
			"`loadrunner compare -c 100` measures the servers rather than the lab",
		},
		"an attached lab": {
			[]string{"loadrunner", "compare", "--lab=attach"}, func(c *results.Config) { c.Lab = "attach" }, workers,
			"start the servers with --workers=200 (in compose's .env: WORKERS=200); then `loadrunner compare --lab=attach` gives",
		},
	} {
		t.Run(name, func(t *testing.T) {
			config := known(predict.ThreadPool).Config
			c.change(&config)
			require.Contains(t, Next(c.argv, config, c.limits), "Next: "+c.want)
		})
	}
}
