package queueing

import (
	"fmt"
	"math"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"
)

// TestOpenPool is the table of N = 20, S = 100 ms, Q = 100.
func TestOpenPool(t *testing.T) {
	for _, c := range []struct{ rate, blocked, throughput, wait, response float64 }{
		{100, 0.0000, 100.0, 0.0000, 0.1000},
		{180, 0.0000, 180.0, 0.0275, 0.1275},
		{190, 0.0002, 190.0, 0.0732, 0.1732},
		{200, 0.0094, 198.1, 0.2398, 0.3398},
		{220, 0.0909, 200.0, 0.4500, 0.5500},
		{250, 0.2000, 200.0, 0.4800, 0.5800},
		{300, 0.3333, 200.0, 0.4900, 0.5900},
		{400, 0.5000, 200.0, 0.4950, 0.5950},
	} {
		t.Run(fmt.Sprint(c.rate), func(t *testing.T) {
			s := Independent(20, 0.1).Open(c.rate, 100)
			require.InDelta(t, c.blocked, s.Blocked, 5e-5)
			require.InDelta(t, c.throughput, s.Throughput, 0.06)
			require.InDelta(t, c.wait, s.Wait, 6e-5)
			require.InDelta(t, c.response, s.Response, 6e-5)
		})
	}
}

// TestOpenPoolAgreesWithItself: the laws hold for every pool, and no state has what it cannot have.
func TestOpenPoolAgreesWithItself(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		workers, queue := rapid.IntRange(1, 300).Draw(t, "workers"), rapid.IntRange(0, 2000).Draw(t, "queue")
		service := rapid.Float64Range(1e-4, 3).Draw(t, "service")
		rate := rapid.Float64Range(0.01, 3).Draw(t, "rho") * float64(workers) / service
		s := Independent(workers, service).Open(rate, queue)
		require.InEpsilon(t, rate*(1-s.Blocked), s.Throughput, 1e-6, "flow balance")
		require.InEpsilon(t, Utilization(s.Throughput, service), s.Inside, 1e-6, "utilization")
		require.InEpsilon(t, s.Inside+s.Queue, Little(s.Throughput, s.Response), 1e-9)
		require.LessOrEqual(t, s.Queue, float64(queue)+1e-6)
		require.InDelta(t, service, s.Response-s.Wait, service*1e-6)
		require.GreaterOrEqual(t, s.Blocked+1e-12, Independent(workers, service).Open(rate, queue+1).Blocked)
	})
}

func TestErlang(t *testing.T) {
	require.InDelta(t, 0.1092, ErlangB(20, 18), 5e-5)
	require.InDelta(t, ErlangB(20, 18), Independent(20, 0.1).Open(180, 0).Blocked, 1e-12)
	require.InDelta(t, 0.5508, ErlangC(20, 18), 5e-5)
	require.InDelta(t, 0.0275, WaitMMC(20, 18, 0.1), 5e-5)
	require.InDelta(t, ErlangC(20, 18), TailMMC(20, 18, 0.1, 0), 1e-12)
	require.InDelta(t, 0.5508*math.Exp(-2), TailMMC(20, 18, 0.1, 0.1), 5e-5)
	require.Equal(t, 1.0, ErlangC(20, 20))
	require.True(t, math.IsInf(WaitMMC(20, 20, 0.1), 1))
	require.InDelta(t, 2, WaitMMC(1, 0.5, 2), 1e-12, "M/M/1: ρS/(1−ρ)")
}

func TestWaitOfOtherDistributions(t *testing.T) {
	require.InDelta(t, WaitMMC(20, 18, 0.1), AllenCunneen(20, 18, 0.1, 1, 1), 1e-12)
	mean, scv := 0.99*0.0505+0.01*5, 0.0
	scv = (0.99*0.0505*0.0505+0.01*25)/(mean*mean) - 1
	require.InDelta(t, 0.448, AllenCunneen(20, 18, mean, 1, scv)+mean, 0.01, "1 of 100 waits 5 s")
	lognormal := math.Exp(1.5*1.5) - 1
	require.InDelta(t, 0.231, AllenCunneen(20, 18, 0.1, 1, lognormal)+0.1, 0.001, "log-normal, σ = 1.5")
	require.InDelta(t, WaitMMC(1, 0.8, 0.1), PollaczekKhinchine(8, 0.1, 1), 1e-12)
	require.InDelta(t, WaitMMC(1, 0.8, 0.1)/2, PollaczekKhinchine(8, 0.1, 0), 1e-12, "constant service waits half as long")
	require.True(t, math.IsInf(PollaczekKhinchine(10, 0.1, 0), 1))
	require.InDelta(t, 0.05, ProcessorSharing(0.01, 0.8), 1e-12)
}

// TestRules has the figures of rules that need no more than a formula.
func TestRules(t *testing.T) {
	require.InDelta(t, 180, QueueRule(20, 1, 0.1, 0.1), 1e-9)
	require.InDelta(t, 108, QueueRule(20, 1, 0.1, -0.1*math.Log(0.01)), 0.5, "exponential service, by its p99")
	require.InDelta(t, 1-math.Pow(0.99, 10), FanOut(0.01, 10), 1e-12)
	require.InDelta(t, 20, PoolSize(200, 0.1), 1e-12)
	require.InDelta(t, 0.5, ForcedFlow(5, 0.1), 1e-12)
	require.InDelta(t, 0.9, ResponseTime(200, 200, 0.1), 1e-12)
	for share, want := range map[float64]float64{0.01: 183, 0.05: 138, 0.1: 105, 0.2: 71} {
		hold := (1-share)*0.1 + share*1
		require.InDelta(t, want, 20/hold, 0.6, "a share %g hangs to a timeout of 1 s", share)
	}
	for h, want := range map[float64]float64{0: 142, 0.5: 220, 0.8: 328, 0.9: 392, 0.95: 435, 0.99: 476} {
		require.InDelta(t, want, 20/(0.041+0.1*(1-h)), 0.6, "cache hits %g that spare a call of 100 ms", h)
	}
}

func TestBounds(t *testing.T) {
	s, d, z := 0.1, 0.001, 0.0
	bounds := []Bound{
		{Name: "c/(Z+S+D)", Rate: 200 / (z + s + d), Clients: true},
		{Name: "N/(S+D)", Rate: 20 / (s + d)},
		{Name: "m/D", Rate: 2 / d},
		{Name: "µ_A", Rate: 198.1},
	}
	require.Equal(t, "N/(S+D)", Sorted(bounds)[0].Name)
	require.Equal(t, "µ_A", Sorted(bounds)[1].Name)
	ceiling, found := Ceiling(bounds)
	require.True(t, found)
	require.InDelta(t, 20, Knee(s+d, z, ceiling), 1e-9, "a pool's knee is its workers")
	require.InDelta(t, 200/ceiling, ResponseBound(s+d, 200, ceiling, z), 1e-12)
	require.InDelta(t, s+d, ResponseBound(s+d, 1, ceiling, z), 1e-12)
	_, found = Ceiling(bounds[:1])
	require.False(t, found, "the clients are no ceiling of a server")
}
