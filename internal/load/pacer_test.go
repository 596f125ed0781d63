package load

import (
	"math"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

func TestPlanWhen(t *testing.T) {
	const second = time.Second
	ramp := Plan{{From: 0, To: 100, For: 10 * second}}
	down := Plan{{From: 100, To: 0, For: 10 * second}}
	steps := Plan{{10, 10, second}, {0, 0, second}, {5, 5, 0}}
	for _, c := range []struct {
		name string
		plan Plan
		x    float64
		want time.Duration
		ok   bool
	}{
		{"first", Steady(200), 0, 0, true},
		{"second", Steady(200), 1, 5 * time.Millisecond, true},
		{"after an hour", Steady(200), 720_000, time.Hour, true},
		{"one a day", Steady(1.0 / 86400), 2, 48 * time.Hour, true},
		{"ramp from nothing: 5t²", ramp, 5, second, true},
		{"ramp, last but one tenth", ramp, 405, 9 * second, true},
		{"behind the ramp", ramp, 500, 0, false},
		{"ramp down: 100t-5t²", down, 95, second, true},
		{"ramp down, three quarters", down, 375, 5 * second, true},
		{"behind the ramp down", down, 500, 0, false},
		{"first stage", steps, 9, 900 * time.Millisecond, true},
		{"pause skipped", steps, 10, 2 * second, true},
		{"stage without end", steps, 20, 4 * second, true},
		{"pause first", Plan{{0, 0, second}, {1, 1, 0}}, 0, second, true},
		{"nothing ever", Plan{{0, 0, second}}, 0, 0, false},
		{"above int64 nanoseconds", Steady(1e-9), 10, 0, false},
		{"above int64 behind a stage", Plan{{1, 1, math.MaxInt64 - 1}, {1, 1, 0}}, 1e10, 0, false},
		{"infinite", Steady(1), math.Inf(1), 0, false},
		{"largest number", Steady(MaxRate), math.MaxFloat64, 0, false},
		{"no number", Steady(1), math.NaN(), 0, false},
	} {
		t.Run(c.name, func(t *testing.T) {
			got, ok := c.plan.When(c.x)
			require.Equal(t, c.ok, ok)
			require.InDelta(t, c.want, got, 1000)
		})
	}
}

// Arrivals never go back in time, whatever the plan.
func TestPlanWhenIsMonotonic(t *testing.T) {
	plan := Plan{{0, 50, time.Second}, {50, 3, 2 * time.Second}, {0, 0, time.Second}, {3, 0, time.Second}, {7, 7, 0}}
	last := time.Duration(0)
	for x := 0.0; x < 200; x += 0.01 {
		at, ok := plan.When(x)
		require.True(t, ok)
		require.GreaterOrEqual(t, at, last, "x=%v", x)
		last = at
	}
}

func TestPlanValidate(t *testing.T) {
	require.NoError(t, Steady(1).Validate())
	require.NoError(t, Plan{{0, 10, time.Second}, {10, 10, 0}}.Validate())
	for _, c := range []struct {
		name string
		plan Plan
		want string
	}{
		{"empty", nil, "needs a stage"},
		{"negative", Steady(-1), "rate -1"},
		{"too fast", Steady(2e7), "rate 2e+07"},
		{"no number", Steady(math.NaN()), "rate NaN"},
		{"negative time", Plan{{1, 1, -1}}, "below 0"},
		{"end before the end", Plan{{1, 1, 0}, {1, 1, 1}}, "not the last"},
		{"endless ramp", Plan{{1, 2, 0}}, "goes from 1 to 2"},
		{"silence", Plan{{0, 0, time.Second}}, "no arrivals"},
	} {
		t.Run(c.name, func(t *testing.T) { require.ErrorContains(t, c.plan.Validate(), c.want) })
	}
	require.Zero(t, Steady(1).Length())
	require.Equal(t, 3*time.Second, Plan{{1, 1, time.Second}, {1, 2, 2 * time.Second}}.Length())
	require.Equal(t, 4.0, Plan{{1, 1, time.Second}, {1, 2, 2 * time.Second}}.Arrivals())
}

// dues are the arrivals of a pacer.
func dues(p pacer) (all []int64) {
	for ; p.more; p.advance() {
		all = append(all, p.due)
	}
	return all
}

// Several loops share the arrivals of one: each arrival is one loop's.
func TestPacersShareTheArrivals(t *testing.T) {
	for _, poisson := range []bool{false, true} {
		a := Arrivals{Plan: Steady(1000), Poisson: poisson, Seed: 7}
		want := dues(newPacer(a, 0, 1, time.Second))
		var got []int64
		for i := range 3 {
			got = append(got, dues(newPacer(a, i, 3, time.Second))...)
		}
		require.ElementsMatch(t, want, got)
		if !poisson {
			require.Len(t, want, 1000)
		}
	}
}

// A Poisson process: mean and variance of the counts per interval are alike, and the gaps are exponential.
func TestPoisson(t *testing.T) {
	all := dues(newPacer(Arrivals{Plan: Steady(1000), Poisson: true, Seed: 1}, 0, 1, 20*time.Second))
	require.InDelta(t, 20_000, len(all), 5*math.Sqrt(20_000))
	counts := make([]float64, 400) // of 50 ms, 50 arrivals each
	longer := 0
	for i, at := range all {
		counts[at/int64(50*time.Millisecond)]++
		if i > 0 && at-all[i-1] > int64(time.Millisecond) {
			longer++
		}
	}
	var sum, squares float64
	for _, c := range counts {
		sum, squares = sum+c, squares+c*c
	}
	mean := sum / 400
	require.InDelta(t, 1, (squares/400-mean*mean)/mean, 0.3, "variance by mean")
	require.InDelta(t, math.Exp(-1), float64(longer)/float64(len(all)), 0.02, "gaps above the mean")
	other := dues(newPacer(Arrivals{Plan: Steady(1000), Poisson: true, Seed: 2}, 0, 1, 20*time.Second))
	require.NotEqual(t, all[0], other[0])
}
