package queueing

import (
	"math"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"
)

// known is 200 clients on 20 workers that wait 50 ms, on 2 cores.
func known(t require.TestingT, change func(*Inputs)) Inputs {
	in := Inputs{
		Clients: 200, Workers: 20, Queue: 200, Rejects: true, A: model(t, "20ms"), B: model(t, "30ms"), HitRatio: 1,
		CPU: 400 * time.Microsecond, Cores: 2, Seed: 1,
	}
	if change != nil {
		change(&in)
	}
	return in
}

func loop(in *Inputs) { in.Workers, in.Queue, in.Rejects, in.Loops = Unlimited, 0, false, 2 }

func TestPredict(t *testing.T) {
	for name, c := range map[string]struct {
		change                 func(*Inputs)
		bound                  string
		throughput, mean       float64
		p50, busy, queue, knee float64
	}{
		"a pool with too few workers": {nil, "N/(S+D)", 20 / 0.0504, 200 / (20 / 0.0504), 0.504, 20, 180, 20},
		"an event loop":               {loop, "c/(Z+S+D)", 200 / 0.0504, 0.0504, 0.0504, 200, 0, 252},
		"one loop that blocks": {
			func(in *Inputs) { loop(in); in.Loops, in.Blocking = 1, true }, "loops/(S+D)", 1 / 0.0504, 200 * 0.0504, 200 * 0.0504, 1, 199, 1,
		},
		"a bound of requests in progress": {
			func(in *Inputs) { loop(in); in.Workers, in.Rejects = 20, true }, "max-inflight/(S+D)", 20 / 0.0504, 0.0504, 0.0504, 20, 0, 20,
		},
		"workers that keep connections": {
			func(in *Inputs) { in.KeepsConnection = true }, "c/(Z+S+D)", 20 / 0.0504, 0.0504, 0.0504, 20, 0, 20,
		},
		"more clients than places": {
			func(in *Inputs) { in.Queue = 100 }, "N/(S+D)", 20 / 0.0504, 120 * 0.0504 / 20, 120 * 0.0504 / 20, 20, 100, 20,
		},
		"a queue that lets wait": {
			func(in *Inputs) { in.Queue, in.Rejects = 10, false }, "N/(S+D)", 20 / 0.0504, 0.504, 0.504, 20, 180, 20,
		},
		"programs beside the server": {
			func(in *Inputs) { loop(in); in.OtherCPU = 600 * time.Microsecond }, "m/(D+D')", 2000, 0.1, 0.1, 200, 0, 102,
		},
		"thinking clients": {
			func(in *Inputs) { loop(in); in.Think = time.Second }, "c/(Z+S+D)", 200 / 1.0504, 0.0504, 0.0504, 10, 0, 5252,
		},
		"misses": {
			func(in *Inputs) { in.HitRatio, in.Cache = 0.5, 2*time.Millisecond }, "N/(S+D)", 20 / 0.0534, 200 * 0.0534 / 20, 0.534, 20, 180, 20,
		},
	} {
		t.Run(name, func(t *testing.T) {
			p := Predict(known(t, c.change))
			require.Equal(t, c.bound, p.Bounds[0].Name)
			require.InEpsilon(t, c.throughput, p.Throughput, 0.012)
			require.InEpsilon(t, c.mean, p.Mean, 0.03)
			require.InEpsilon(t, c.p50, p.P50, 0.03)
			require.InEpsilon(t, c.busy, p.Busy, 0.05)
			require.InDelta(t, c.queue, p.Queue, 0.5)
			require.InEpsilon(t, c.knee, p.Knee, 0.01)
		})
	}
}

func TestPredictOpen(t *testing.T) {
	exponential := func(rate float64) func(*Inputs) {
		return func(in *Inputs) {
			in.Clients, in.Rate, in.A, in.B, in.CPU, in.Queue = 0, rate, model(t, "0s"), model(t, "exp:100ms"), 0, 100
		}
	}
	for name, c := range map[string]struct {
		change                    func(*Inputs)
		model                     string
		throughput, mean, blocked float64
	}{
		"below capacity": {exponential(180), modelOpen, 180, 0.1275, 0},
		"above capacity": {exponential(300), modelOpen, 200, 0.59, 0.3333},
		"constant service": {
			func(in *Inputs) { exponential(180)(in); in.B = model(t, "100ms") }, modelDES, 180, 0.1144, 0,
		},
		"an event loop": {
			func(in *Inputs) { exponential(300)(in); loop(in); in.CPU = time.Millisecond }, modelOpen, 300, 0.101, 0,
		},
		"a queue without limit": {
			func(in *Inputs) { exponential(180)(in); in.Queue = Unlimited }, modelOpen, 180, 0.1275, 0,
		},
	} {
		t.Run(name, func(t *testing.T) {
			p := Predict(known(t, c.change))
			require.Equal(t, c.model, p.Model)
			require.InEpsilon(t, c.throughput, p.Throughput, 0.01)
			require.InEpsilon(t, c.mean, p.Mean, 0.03)
			require.InDelta(t, c.blocked, p.Blocked, 1e-3)
		})
	}
}

func TestWhatIsNotPredictedIsSaid(t *testing.T) {
	p := Predict(known(t, func(in *Inputs) { in.Queue = 10 }))
	require.True(t, math.IsNaN(p.Blocked))
	require.Contains(t, p.Weak[0], "170 clients have no place")
	p = Predict(known(t, func(in *Inputs) { in.KeepsConnection = true }))
	require.Contains(t, p.Weak[0], "180 clients wait")
	p = Predict(known(t, func(in *Inputs) { loop(in); in.Clients, in.Rate = 0, 6000 }))
	require.Equal(t, 5000.0, p.Throughput)
	require.True(t, math.IsNaN(p.Mean) && math.IsNaN(p.P99))
	require.Contains(t, p.Weak[len(p.Weak)-1], "grows without end")
	p = Predict(known(t, func(in *Inputs) { in.B = model(t, "steps:p99=30ms,p100=20s") }))
	require.Contains(t, p.Weak[0], "heavy tail")
	p = Predict(known(t, func(in *Inputs) { loop(in); in.A, in.B, in.CPU = model(t, "0s"), model(t, "0s"), 0 }))
	require.True(t, math.IsNaN(p.Throughput), "nothing to wait for")
}

// TestMeansStayWithinBounds: for any inputs no bound is exceeded, the laws hold, and more clients never mean less
// throughput.
func TestMeansStayWithinBounds(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		in := known(t, func(in *Inputs) {
			in.Clients = rapid.IntRange(1, 400).Draw(t, "clients")
			in.Workers, in.Queue = rapid.IntRange(1, 300).Draw(t, "workers"), Unlimited
			in.Loops = rapid.IntRange(0, 3).Draw(t, "loops")
			in.CPU = time.Duration(rapid.IntRange(1, 5000).Draw(t, "cpu")) * time.Microsecond
			in.OtherCPU = time.Duration(rapid.IntRange(0, 2000).Draw(t, "other")) * time.Microsecond
		})
		p, s := Means(in), in.service()
		require.LessOrEqual(t, p.Throughput, p.Bounds[0].Rate*(1+1e-9))
		require.GreaterOrEqual(t, p.Mean, s.alone()*(1-1e-9))
		require.InEpsilon(t, float64(in.Clients), Little(p.Throughput, p.Mean), 1e-6)
		in.Clients++
		require.GreaterOrEqual(t, Means(in).Throughput, p.Throughput*(1-1e-9))
	})
}

// TestSimulationStaysWithinBounds looks at systems of both kinds, with fewer loops than cores, too.
func TestSimulationStaysWithinBounds(t *testing.T) {
	for loops := range 4 {
		for _, other := range []time.Duration{0, time.Millisecond, 3 * time.Millisecond} {
			in := known(t, func(in *Inputs) { in.Loops, in.OtherCPU, in.Queue = loops, other, Unlimited })
			normal, _, _ := in.normal()
			s := normal.simulation()
			s.Requests, s.Warmup = 10_000, 2_000
			require.LessOrEqual(t, s.Run().Throughput(), Means(in).Bounds[0].Rate*1.01)
		}
	}
}
