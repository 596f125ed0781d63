package diff

import (
	"testing"

	"github.com/stretchr/testify/require"

	"poolvsloop/internal/cost"
	"poolvsloop/internal/results"
	"poolvsloop/internal/stats"
)

// withCost gives both servers of a run costs: that many µs a request, and that many KiB an idle connection.
func withCost(r *results.Run, us, kib float64) *results.Run {
	r.Cost = &results.Cost{RateRPS: 400}
	for _, t := range r.Targets {
		c := results.CostTarget{Name: t.Name}
		for n := range cost.Full.Repetitions {
			c.Repetitions = append(c.Repetitions, results.CostRepetition{
				ServerCPUUSPerRequest: us * (1 + float64(n)/1000), CtxSwitchesPerRequest: 8,
				ReadWriteCallsPerRequest: results.Unknown, SyscallsPerRequest: results.Unknown,
			})
		}
		for _, n := range cost.Steps(4000) {
			c.Readings = append(c.Readings, results.IdleReading{
				Connections: n, Open: n, RSSBytes: int64(20<<20 + kib*1024*float64(n)), KernelBytes: results.Unknown, TCPBufferBytes: results.Unknown,
			})
		}
		r.Cost.Targets = append(r.Cost.Targets, c)
	}
	return r
}

func TestCosts(t *testing.T) {
	first, second := withCost(run("one", 100, 100), 200, 4), withCost(run("two", 100, 100), 300, 2)
	d, err := Of(first, second)
	require.NoError(t, err)
	for _, s := range d.Servers {
		require.InDelta(t, 400, s.Cost.RateRPS, 0)
		require.Equal(t, First, s.Cost.Requests[0].Verdict, "less CPU")
		require.InDelta(t, 1.5, float64(s.Cost.Requests[0].Ratio), 0.01, "second over first")
		require.Equal(t, stats.Tie, s.Cost.Requests[1].Verdict)
		require.Equal(t, Second, s.Cost.Idle[0].Verdict, "less memory")
		require.InDelta(t, -2, s.Cost.Idle[0].Difference.KiB, 1e-6)
		require.Len(t, s.Cost.NotMeasured, 4, "read and write calls, system calls, kernel memory, buffers")
	}
}

func TestCostsThatCannotBeCompared(t *testing.T) {
	first, second := withCost(run("one", 100, 100), 200, 4), withCost(run("two", 100, 100), 300, 2)
	second.Cost.RateRPS = 500
	d, err := Of(first, second)
	require.NoError(t, err)
	require.Empty(t, d.Servers[0].Cost.Requests)
	require.Len(t, d.Servers[0].Cost.Idle, 1, "memory has no rate")
	require.Contains(t, d.Servers[0].Cost.NotMeasured[0].Why, "the rates differ, 400 and 500 requests/s")

	d, err = Of(first, run("two", 100, 100))
	require.NoError(t, err)
	require.Contains(t, d.Servers[0].Cost.NotMeasured[0].Why, "only one of the runs")

	d, err = Of(run("one", 100, 100), run("two", 100, 100))
	require.NoError(t, err)
	require.Nil(t, d.Servers[0].Cost)
}
