package queueing

import (
	"fmt"
	"math"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"
)

// mva is the textbook recursion for stations of one server (Reiser and Lavenberg, 1980).
func mva(delay float64, demands []float64, most int) []float64 {
	xs, queue := make([]float64, most+1), make([]float64, len(demands))
	for n := 1; n <= most; n++ {
		total := delay
		for k, d := range demands {
			total += d * (1 + queue[k])
		}
		xs[n] = float64(n) / total
		for k, d := range demands {
			queue[k] = xs[n] * d * (1 + queue[k])
		}
	}
	return xs
}

func TestThroughputsAreThoseOfMVA(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		delay := rapid.Float64Range(0, 1).Draw(t, "delay")
		demands := rapid.SliceOfN(rapid.Float64Range(1e-4, 0.1), 1, 3).Draw(t, "demands")
		n := rapid.IntRange(1, 100).Draw(t, "n")
		w := Network{Delay: delay}
		for _, d := range demands {
			w.Stations = append(w.Stations, Station{Demand: d, Servers: 1})
		}
		require.InEpsilonSlice(t, mva(delay, demands, n)[1:], w.Throughputs(n)[1:], 1e-9)
	})
}

// TestThroughputsOfOneStation holds the convolution against the birth-death process of the machine repair model.
func TestThroughputsOfOneStation(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		delay := rapid.Float64Range(1e-3, 2).Draw(t, "delay")
		s := Station{rapid.Float64Range(1e-4, 0.1).Draw(t, "demand"), rapid.IntRange(1, 20).Draw(t, "servers")}
		n := rapid.IntRange(1, 300).Draw(t, "n")
		station := Independent(s.Servers, s.Demand)
		require.InEpsilon(t, station.Closed(n, delay).Throughput, Network{delay, []Station{s}}.Throughputs(n)[n], 1e-9)
	})
}

// TestThroughputsStayWithinBounds: rising in n, above no bound, and reaching the ceiling at last.
func TestThroughputsStayWithinBounds(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		w := Network{Delay: rapid.Float64Range(0, 1).Draw(t, "delay")}
		alone, ceiling := w.Delay, math.Inf(1)
		for range rapid.IntRange(1, 3).Draw(t, "stations") {
			s := Station{rapid.Float64Range(1e-4, 0.1).Draw(t, "demand"), rapid.IntRange(1, 8).Draw(t, "servers")}
			w.Stations = append(w.Stations, s)
			alone += s.Demand
			ceiling = min(ceiling, float64(s.Servers)/s.Demand)
		}
		xs := w.Throughputs(200)
		for n := 1; n < len(xs); n++ {
			require.GreaterOrEqual(t, xs[n], xs[n-1]*(1-1e-9))
			require.LessOrEqual(t, xs[n], min(ceiling, float64(n)/alone)*(1+1e-9))
		}
	})
}

func TestManyRequestsLoseNoDigits(t *testing.T) {
	xs := Network{0.05, []Station{{0.001, 2}}}.Throughputs(100_000)
	require.InDelta(t, 2000, xs[100_000], 1e-6)
	require.InDelta(t, 100_000, Network{Delay: 1}.Throughputs(100_000)[100_000], 1e-3)
	require.True(t, math.IsInf(Network{}.Throughputs(2)[2], 1), "nothing to wait for")
}

// TestPoolUnderClosedLoad has what a simulation of the same pools yields.
func TestPoolUnderClosedLoad(t *testing.T) {
	for _, c := range []struct {
		clients, workers, cores int
		demand, delay           float64
		formula, simulated      float64
	}{
		{50, 20, 1, 0.002, 0.05, 360.05, 360.07},
		{200, 100, 2, 0.001, 0.1, 985.5, 990.5},
		{500, 200, 2, 0.001, 0.1, 1885, 1888},
		{2000, 2000, 2, 0.001, 0.1, 2000, 1998},
	} {
		t.Run(fmt.Sprintf("c %d N %d m %d", c.clients, c.workers, c.cores), func(t *testing.T) {
			seidmann := mva(c.delay+c.demand*float64(c.cores-1)/float64(c.cores), []float64{c.demand / float64(c.cores)}, c.workers)
			require.InEpsilon(t, c.formula, seidmann[min(c.clients, c.workers)], 3e-4, "the approximation of the table")
			pool := Pool{Network{c.delay, []Station{{c.demand, c.cores}}}.Throughputs(c.workers)}
			require.InEpsilon(t, c.simulated, pool.Closed(c.clients, 0).Throughput, 5e-3)
		})
	}
}

// crossover is the throughput of a pool of N workers at 500 clients on 2 cores, with D = 1 ms, by S, as the approximation
// by Seidmann has it.
var crossover = map[int]map[float64]float64{
	2:    {0: 1600, 0.001: 941, 0.005: 331, 0.02: 95, 0.1: 20, 0.5: 4, 2: 1},
	10:   {0: 2000, 0.001: 1998, 0.005: 1481, 0.02: 473, 0.1: 99, 0.5: 20, 2: 5},
	50:   {0: 2000, 0.001: 2000, 0.005: 2000, 0.02: 1952, 0.1: 494, 0.5: 100, 2: 25},
	200:  {0: 2000, 0.001: 2000, 0.005: 2000, 0.02: 2000, 0.1: 1885, 0.5: 399, 2: 100},
	1000: {0: 2000, 0.001: 2000, 0.005: 2000, 0.02: 2000, 0.1: 2000, 0.5: 997, 2: 250}, // as the event loop
}

// exactly is where that approximation is off, and what is true: two workers never wait for one of two cores, so that
// their throughput is 2/(S+D).
var exactly = map[int]map[float64]float64{
	2:   {0: 2000, 0.001: 1000, 0.005: 333.3},
	10:  {0.005: 1519.3, 0.02: 475.2}, // the simulation agrees: TestSimulationOfClosedPools
	50:  {0.02: 1957.5, 0.1: 494.75},
	200: {0.1: 1888.3},
}

func TestCrossover(t *testing.T) {
	const clients, demand, cores = 500, 0.001, 2
	for workers, row := range crossover {
		for s, want := range row {
			t.Run(fmt.Sprintf("N %d S %g", workers, s), func(t *testing.T) {
				n := min(clients, workers)
				tolerance := max(0.55, want*1e-3)
				require.InDelta(t, want, mva(s+demand/cores, []float64{demand / cores}, n)[n], tolerance)
				if exact, off := exactly[workers][s]; off {
					want, tolerance = exact, 0.1
				}
				require.InDelta(t, want, Network{s, []Station{{demand, cores}}}.Throughputs(n)[n], tolerance)
			})
		}
	}
}
