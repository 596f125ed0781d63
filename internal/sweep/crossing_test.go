package sweep

import (
	"math"
	"testing"

	"github.com/stretchr/testify/require"

	"poolvsloop/internal/results"
)

// power is a ratio of event loop to thread pool that is 1 at that number of clients.
func power(at, exponent float64) func(float64) float64 {
	return func(n float64) float64 { return 1000 * math.Pow(n/at, exponent) }
}

func same(float64) float64 { return 1000 }

func TestCrossing(t *testing.T) {
	s := measured(t, "c=10..1280*2", same, power(100, 0.2), nil)
	require.Equal(t, "concurrency", s.Along)
	require.Len(t, s.Crossings, 1)
	c := s.Crossings[0]
	require.Equal(t, []string{"threadpool", "eventloop"}, []string{c.From, c.To})
	require.InEpsilon(t, 100, float64(c.At), 0.1)
	require.Less(t, float64(c.CILow), 100.0)
	require.Greater(t, float64(c.CIHigh), 100.0)
	require.Greater(t, float64(c.CILow), 80.0)
	require.Less(t, float64(c.CIHigh), 125.0)
	require.Equal(t, results.Number(1), c.Level)
	require.Empty(t, c.Note)
}

func TestALeadThatBeginsWhereATieEnds(t *testing.T) {
	s := measured(t, "c=10..1280*2", bounded(100), bounded(10000), nil)
	require.Len(t, s.Crossings, 1)
	c := s.Crossings[0]
	require.Equal(t, []string{"tie", "eventloop"}, []string{c.From, c.To})
	require.InDelta(t, 1.03, float64(c.Level), 0.001)
	require.Equal(t, []results.Number{80, 160}, []results.Number{c.Above, c.Below})
	require.True(t, math.IsNaN(float64(c.At)), "a pool of 100 workers is full from 100 clients on: a line between the cells does not know that")
}

func TestNoCrossing(t *testing.T) {
	for name, c := range map[string]struct {
		loop func(float64) float64
		lead string
	}{
		"a tie all along":  {same, "tie"},
		"a lead all along": {power(1, 0.2), "eventloop"},
	} {
		t.Run(name, func(t *testing.T) {
			s := measured(t, "c=10..1280*2", same, c.loop, nil)
			require.Len(t, s.Crossings, 1)
			require.Equal(t, c.lead, s.Crossings[0].From)
			require.Equal(t, c.lead, s.Crossings[0].To)
			require.Equal(t, "none from 10 to 1280", s.Crossings[0].Note)
			require.True(t, math.IsNaN(float64(s.Crossings[0].At)))
		})
	}
	s := measured(t, "c=10,20", same, power(14, 1), func(c Cell, r *results.Run) { r.Valid = false })
	require.Empty(t, s.Crossings, "no line has a valid cell")
	s = measured(t, "c=10,20,40", same, power(14, 1), func(c Cell, r *results.Run) { r.Valid = c.Number == 2 })
	require.Equal(t, "too few cells that are valid", s.Crossings[0].Note)
}

func TestTransitions(t *testing.T) {
	const pool, loop = 0, 1
	for name, c := range map[string]struct {
		leads []int
		want  []transition
	}{
		"none":                          {[]int{pool, pool}, nil},
		"nobody at all":                 {[]int{nobody, nobody}, nil},
		"at once":                       {[]int{pool, loop}, []transition{{0, 1}}},
		"through a tie":                 {[]int{pool, nobody, nobody, loop}, []transition{{0, 3}}},
		"from a tie":                    {[]int{nobody, nobody, loop}, []transition{{1, 2}}},
		"to a tie":                      {[]int{pool, pool, nobody, nobody}, []transition{{1, 2}}},
		"a tie between is noise":        {[]int{loop, nobody, loop}, nil},
		"there and back":                {[]int{pool, loop, pool}, []transition{{0, 1}, {1, 2}}},
		"from a tie, through, to a tie": {[]int{nobody, pool, nobody, loop, nobody}, []transition{{0, 1}, {1, 3}, {3, 4}}},
	} {
		require.Equal(t, c.want, transitions(c.leads), name)
	}
}

func TestNearest(t *testing.T) {
	us, ys := []float64{0, 1, 2, 3}, []float64{-1, 1, -1, 1}
	at, ok := nearest(us, ys, true, 3)
	require.True(t, ok)
	require.InDelta(t, 2.5, at, 1e-9)
	at, _ = nearest(us, ys, true, 0)
	require.InDelta(t, 0.5, at, 1e-9)
	at, _ = nearest(us, ys, false, 0)
	require.InDelta(t, 1.5, at, 1e-9)
	_, ok = nearest(us, []float64{1, 2, 3, 4}, true, 0)
	require.False(t, ok)
}

// TestCoverage: the interval of a crossing holds the true place about as often as it says, also with the fewest rounds.
func TestCoverage(t *testing.T) {
	for rounds, step := range map[int]float64{4: 2.5, 10: 6} {
		held, all := 0, 0
		for at := 60.0; at < 200; at += step {
			s := assembled(t, plan(t, "c=20..640*2"), func(c Cell) *results.Run {
				n, _ := Number(c.Settings["concurrency"])
				return fakeRounds(c, rounds, 1000, power(at, 0.2)(n))
			})
			if c := s.Crossings[0]; c.Note == "" {
				all++
				if float64(c.CILow) <= at && at <= float64(c.CIHigh) {
					held++
				}
			}
		}
		t.Logf("%d rounds: %d of %d", rounds, held, all)
		require.Greater(t, all, 20)
		require.GreaterOrEqual(t, held, all*85/100, "%d of %d", held, all)
	}
}
