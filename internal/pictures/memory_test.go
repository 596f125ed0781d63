package pictures

import (
	"testing"

	"github.com/stretchr/testify/require"
	"gonum.org/v1/plot/plotter"

	"poolvsloop/internal/results"
)

// costly gives a run readings of memory: base and step in MiB for 1000 connections.
func costly(base, step float64) *results.Cost {
	c := &results.Cost{Idle: []results.IdleCost{{
		Metric: "rss", ThreadPool: results.Slope{KiB: step * 1024 / 1000, CILow: 5, CIHigh: 6}, EventLoop: results.Slope{KiB: 1, CILow: 0.9, CIHigh: 1.1},
	}}}
	for _, name := range []string{"threadpool", "eventloop"} {
		t := results.CostTarget{Name: name}
		for i := range 5 {
			rss := int64((base + step*float64(i)) * (1 << 20))
			t.Readings = append(t.Readings, results.IdleReading{Connections: 1000 * i, RSSBytes: rss})
		}
		c.Targets = append(c.Targets, t)
	}
	return c
}

func TestMemoryAgainstConnections(t *testing.T) {
	d := readExample(t)
	d.Run.Cost = costly(20, 5)
	p, why, err := memory(d)
	require.NoError(t, err)
	require.Empty(t, why)
	requireSound(t, p)
	require.Contains(t, p.Sees, "5.12 KiB on the thread pool (5.00 to 6.00), 1.00 KiB on the event loop (0.90 to 1.10)")
	require.Contains(t, p.Text, "thread pool 0: 20.0, 1000: 25.0, 2000: 30.0, 3000: 35.0, 4000: 40.0;")
	ends := through(readings(d.Run.Cost.Targets[0]), 0.005)
	require.InDeltaSlice(t, []float64{0, 20, 4000, 40}, []float64{ends[0].X, ends[0].Y, ends[1].X, ends[1].Y}, 1e-9)
	require.Equal(t, plotter.XY{X: 1000, Y: 25}, readings(d.Run.Cost.Targets[0])[1])
}

func TestMemoryThatWasNotMeasuredSaysWhy(t *testing.T) {
	for name, c := range map[string]struct {
		cost *results.Cost
		why  string
	}{
		"no costs":    {nil, "costs were not measured, which --cost does"},
		"too few":     {&results.Cost{NotMeasured: []results.NotMeasured{{What: "memory of an idle connection", Why: "too few"}}}, "too few"},
		"kernel only": {&results.Cost{Idle: []results.IdleCost{{Metric: "kernel_memory"}}}, "the memory of idle connections was not measured"},
	} {
		t.Run(name, func(t *testing.T) {
			d := readExample(t)
			d.Run.Cost = c.cost
			_, why, err := memory(d)
			require.NoError(t, err)
			require.Equal(t, c.why, why)
		})
	}
}
