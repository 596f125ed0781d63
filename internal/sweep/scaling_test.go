package sweep

import (
	"math"
	"testing"

	"github.com/stretchr/testify/require"

	"poolvsloop/internal/results"
)

// measured makes a sweep along the number of clients: the throughputs of both servers by clients.
func measured(t *testing.T, grid string, pool, loop func(n float64) float64, change func(Cell, *results.Run)) *Sweep {
	t.Helper()
	return assembled(t, plan(t, grid), func(c Cell) *results.Run {
		n, _ := Number(c.Settings["concurrency"])
		run := fake(c, pool(n), loop(n))
		if change != nil {
			change(c, run)
		}
		return run
	})
}

// assembled is a sweep of which every cell is measured.
func assembled(t *testing.T, p Plan, measure func(Cell) *results.Run) *Sweep {
	t.Helper()
	var entries []Entry
	for _, c := range p.Cells() {
		entries = append(entries, Entry{Cell: c.Number, Settings: c.Settings, Position: c.Number})
	}
	s, err := assemble(p, entries, func(e Entry) (*results.Run, error) {
		return measure(Cell{Number: e.Cell, Settings: e.Settings}), nil
	})
	require.NoError(t, err)
	validate(t, s)
	return s
}

const doubling = "c=1..128*2"

// bounded is the throughput of a pool of that many workers with requests of 50 ms.
func bounded(workers float64) func(float64) float64 {
	return func(n float64) float64 { return math.Min(n, workers) / 0.05 }
}

func TestScalingOfAServerThatFollowsTheLaw(t *testing.T) {
	l := law{20, 0.04, 0.0001}
	s := measured(t, doubling, l.at, bounded(1000), nil)
	require.Len(t, s.Scaling, 2)
	pool, loop := s.Scaling[0], s.Scaling[1]
	require.Equal(t, "threadpool", pool.Server)
	require.Empty(t, pool.USL.Refused)
	require.InEpsilon(t, 20, float64(pool.USL.Lambda.Value), 0.05)
	require.InEpsilon(t, 0.04, float64(pool.USL.Sigma.Value), 0.2)
	require.Less(t, float64(pool.USL.Lambda.CILow), 20.0)
	require.Greater(t, float64(pool.USL.Lambda.CIHigh), 20.0)
	require.InEpsilon(t, l.peak(), float64(pool.USL.PeakClients), 0.3)
	for _, p := range pool.Points {
		require.InDelta(t, 0, float64(p.Residual), 0.03)
	}
	require.Empty(t, pool.Knee.Note)
	require.InEpsilon(t, l.at(128)/l.at(1), float64(pool.Knee.Clients), 0.1)

	require.Contains(t, loop.USL.Refused, "in proportion")
	require.True(t, math.IsNaN(float64(loop.USL.Lambda.Value)))
	require.Contains(t, loop.Knee.Note, "none up to 128 clients")
}

func TestScalingRefuses(t *testing.T) {
	for name, c := range map[string]struct {
		grid   string
		pool   func(float64) float64
		change func(Cell, *results.Run)
		usl    string
		knee   string
	}{
		"few points":        {"c=1..16*2", bounded(4), nil, "5 points: three parameters need 6", ""},
		"invalid points":    {doubling, bounded(4), func(c Cell, r *results.Run) { r.Valid = c.Number < 6 }, "5 points", ""},
		"failed requests":   {doubling, bounded(4), func(c Cell, r *results.Run) { r.Targets[0].Total.Failed = 100 * (c.Number / 5) }, "4 points", ""},
		"flat all along":    {"c=100..800+100", bounded(4), nil, "the same all along", "below 100 clients"},
		"another shape":     {"c=1..512*2", bounded(20), nil, "another shape", ""},
		"hardly any points": {"c=1,2", bounded(1), nil, "2 points", "a knee needs 3"},
	} {
		t.Run(name, func(t *testing.T) {
			pool := measured(t, c.grid, c.pool, bounded(1000), c.change).Scaling[0]
			require.Contains(t, pool.USL.Refused, c.usl)
			require.True(t, math.IsNaN(float64(pool.USL.Sigma.Value)))
			if c.knee == "" {
				require.Empty(t, pool.Knee.Note)
			} else {
				require.Contains(t, pool.Knee.Note, c.knee)
			}
		})
	}
}

func TestKneeOfAPool(t *testing.T) {
	s := measured(t, "c=5..320*2;workers=20", bounded(20), bounded(1000), nil)
	knee := s.Scaling[0].Knee
	require.InDelta(t, 20, float64(knee.Clients), 1)
	require.Less(t, float64(knee.CILow), 20.6)
	require.Greater(t, float64(knee.CIHigh), 19.8)
	require.Equal(t, map[string]string{"workers": "20"}, s.Scaling[0].Settings)
}
