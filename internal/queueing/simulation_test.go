package queueing

import (
	"fmt"
	"math"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"poolvsloop/internal/latency"
)

func model(t require.TestingT, spec string) latency.Model {
	m, err := latency.Parse(spec, latency.OpenFile)
	require.NoError(t, err)
	return m
}

// open is the pool of 20 workers with service of that distribution.
func open(t *testing.T, rate float64, service string, queue, requests int) *Simulated {
	return Simulation{
		Rate: rate, Workers: 20, Queue: queue, Waits: []Wait{{model(t, service), 1}}, CPU: model(t, "0s"), Cores: 1,
		Requests: requests, Warmup: requests / 20, Seed: 1,
	}.Run()
}

// tailed is a log-normal distribution of mean 100 ms and σ = 1.5 by its p50 and p99.
const tailed = "lognormal:p50=32465246ns,p99=1063814733ns"

func TestSimulationOfOpenPools(t *testing.T) {
	for name, c := range map[string]struct {
		rate              float64
		service           string
		queue             int
		blocked, response float64
		tolerance         float64
	}{
		"overload, exponential":     {300, "exp:100ms", 100, 0.3333, 0.590, 0.015},
		"overload, constant":        {300, "100ms", 100, 0.331, 0.588, 0.01},
		"near capacity":             {180, "exp:100ms", 100, 0, 0.1275, 0.03},
		"near capacity, constant":   {180, "100ms", 100, 0, 0.1144, 0.01},
		"no queue, constant":        {180, "100ms", 0, 0.1092, 0.1, 0.02},
		"no queue, exponential":     {180, "exp:100ms", 0, 0.1092, 0.1, 0.02},
		"no queue, log-normal":      {180, tailed, 0, 0.1092, 0.1, 0.03},
		"a hundredth waits 5 s":     {180, "steps:p99=50500us,p100=5s", Unlimited, 0, 0.362, 0.2},
		"log-normal without limits": {180, tailed, Unlimited, 0, 0.191, 0.1},
	} {
		t.Run(name, func(t *testing.T) {
			requests := 200_000
			if c.tolerance > 0.1 { // what is rare weighs much
				requests = 2_000_000
			}
			s := open(t, c.rate, c.service, c.queue, requests)
			require.InDelta(t, c.blocked, s.Blocked(), 0.004)
			require.InEpsilon(t, c.response, s.Mean.Seconds(), c.tolerance)
		})
	}
}

// TestGoodputOfQueues: answers within a second, at 300 arrivals a second.
func TestGoodputOfQueues(t *testing.T) {
	for _, c := range []struct {
		queue                 int
		constant, exponential float64
	}{{0, 186, 187}, {20, 200, 200}, {100, 200, 198}, {150, 200, 182}, {180, 200, 119}, {200, 0, 43}, {1000, 0, 0}} {
		t.Run(fmt.Sprint(c.queue), func(t *testing.T) {
			for service, want := range map[string]float64{"100ms": c.constant, "exp:100ms": c.exponential} {
				s := open(t, 300, service, c.queue, 40_000)
				good := 0
				for _, response := range s.sorted {
					if response <= time.Second {
						good++
					}
				}
				require.InDelta(t, want, float64(good)/s.Seconds, 5, service)
			}
		})
	}
}

func TestSimulationOfClosedPools(t *testing.T) {
	for _, c := range []struct {
		clients, workers, cores int
		demand, delay           string
		want                    float64
	}{
		{50, 20, 1, "exp:2ms", "exp:50ms", 360.07},
		{200, 100, 2, "exp:1ms", "exp:100ms", 990.5},
		{500, 200, 2, "exp:1ms", "exp:100ms", 1888},
		{2000, Unlimited, 2, "exp:1ms", "exp:100ms", 1998},
		{500, 10, 2, "exp:1ms", "exp:5ms", 1519.3},
		{500, 10, 2, "exp:1ms", "exp:20ms", 475.2},
		{500, 50, 2, "exp:1ms", "exp:20ms", 1957.5},
		{500, 2, 2, "exp:1ms", "0s", 2000},
	} {
		t.Run(fmt.Sprintf("c %d N %d %s", c.clients, c.workers, c.delay), func(t *testing.T) {
			s := Simulation{
				Clients: c.clients, Workers: c.workers, Queue: Unlimited, Waits: []Wait{{model(t, c.delay), 1}},
				CPU: model(t, c.demand), Cores: c.cores, Requests: 60_000, Warmup: 10_000, Seed: 1,
			}.Run()
			require.InEpsilon(t, c.want, s.Throughput(), 0.01)
			require.InEpsilon(t, float64(c.clients), Little(s.Throughput(), s.Mean.Seconds()), 0.01)
		})
	}
}

// TestRejectedClientsComeBackAtOnce: requests per second mean nothing then.
func TestRejectedClientsComeBackAtOnce(t *testing.T) {
	s := Simulation{
		Clients: 200, Workers: 20, Queue: 100, Rejection: 500 * time.Microsecond, Waits: []Wait{{model(t, "exp:100ms"), 1}},
		CPU: model(t, "0s"), Cores: 1, Requests: 600_000, Warmup: 100_000, Seed: 1,
	}.Run()
	require.InEpsilon(t, 200, s.Throughput(), 0.08)
	require.InEpsilon(t, 160_000, float64(s.Rejected)/s.Seconds, 0.02)
}

// TestSimulationKeepsItsBooks: for any system, what arrives is served, rejected or in flight; nothing is above its
// bounds; Little's law holds; and the same seed has the same figures.
func TestSimulationKeepsItsBooks(t *testing.T) {
	specs := []string{"0s", "5ms", "exp:5ms", "uniform:1ms..9ms", "lognormal:p50=4ms,p99=30ms", "pareto:min=2ms,alpha=1.5,max=1s",
		"steps:p50=2ms,p90=5ms,p99=20ms"}
	rapid.Check(t, func(t *rapid.T) {
		spec := func(name string) latency.Model { return model(t, rapid.SampledFrom(specs).Draw(t, name)) }
		s := Simulation{
			Workers: rapid.IntRange(1, 30).Draw(t, "workers"), Queue: rapid.IntRange(-1, 30).Draw(t, "queue"),
			Waits: []Wait{{spec("wait"), 1}, {spec("sometimes"), 0.3}}, CPU: spec("cpu"),
			Cores: rapid.IntRange(1, 4).Draw(t, "cores"), Slice: time.Duration(rapid.IntRange(0, 3).Draw(t, "slice")) * time.Millisecond,
			Requests: 1000, Warmup: 100, Seed: rapid.Uint64().Draw(t, "seed"), Rejection: time.Millisecond,
		}
		if rapid.Bool().Draw(t, "closed") {
			s.Clients, s.Think = rapid.IntRange(1, 60).Draw(t, "clients"), spec("think")
		} else {
			s.Rate, s.Evenly = rapid.Float64Range(10, 2000).Draw(t, "rate"), rapid.Bool().Draw(t, "evenly")
		}
		r := s.Run()
		require.Equal(t, r.InFlightAtStart+r.Arrived, r.Served+r.Rejected+r.InFlightAtEnd, "flow balance")
		require.LessOrEqual(t, r.Inside, float64(s.Workers)+1e-9)
		require.True(t, s.Queue == Unlimited && r.Rejected == 0 || r.Queue <= float64(max(0, s.Queue))+1e-9 || s.Queue == Unlimited)
		require.LessOrEqual(t, r.Percentile(0.5), r.Percentile(0.99))
		require.Equal(t, r, s.Run())
	})
}

func TestMoments(t *testing.T) {
	for spec, want := range map[string][2]float64{
		"0s":                                {0, 0},
		"20ms":                              {0.02, 0},
		"exp:20ms":                          {0.02, 1},
		"uniform:0s..30ms":                  {0.015, 1.0 / 3},
		"pareto:min=10ms,alpha=3":           {0.015, 1.0 / 3},
		tailed:                              {0.1, math.Exp(2.25) - 1},
		"steps:p50=20ms,p90=50ms,p99=200ms": {0.05, (0.5*400+0.4*2500+0.1*40000)/2500 - 1},
	} {
		mean, scv := Moments(model(t, spec))
		require.InDelta(t, want[0], mean, 2e-4*want[0]+1e-9, spec)
		require.InDelta(t, want[1], scv, 0.01*want[1]+2e-3, spec)
	}
}
