package stats

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"
)

// series is n windows made by f.
func series(n int, f func(i int) float64) []float64 {
	xs := make([]float64, n)
	for i := range xs {
		xs[i] = f(i)
	}
	return xs
}

func TestCourse(t *testing.T) {
	for name, c := range map[string]struct {
		windows []float64
		verdict string
		change  float64
	}{
		"nothing":                      {nil, TooShort, 0},
		"nine windows":                 {series(9, func(i int) float64 { return float64(1 + i) }), TooShort, 0},
		"constant":                     {series(20, func(int) float64 { return 50 }), Flat, 0},
		"zero":                         {series(20, func(int) float64 { return 0 }), Flat, 0},
		"a steady rise":                {series(20, func(i int) float64 { return 100 + float64(i) }), Drifting, 114.5/104.5 - 1},
		"a steady fall":                {series(20, func(i int) float64 { return 120 - float64(i) }), Warming, 105.5/115.5 - 1},
		"a rise within the margin":     {series(20, func(i int) float64 { return 1000 + float64(i) }), Flat, 1014.5/1004.5 - 1},
		"to and fro":                   {series(20, func(i int) float64 { return 50 + 10*float64(i%2) }), Flat, 0},
		"one stall":                    {series(20, func(i int) float64 { return 50 + 500*float64(i/19) }), Flat, 0},
		"slow in the first windows":    {series(20, func(i int) float64 { return 50 + 50*math.Exp(-float64(i)/3) }), Warming, 50.40/61.31 - 1},
		"a step up in the second half": {series(20, func(i int) float64 { return 50 + 10*float64(i/10) }), Drifting, 0.2},
	} {
		t.Run(name, func(t *testing.T) {
			got := CourseOf(c.windows)
			require.Equal(t, c.verdict, got.Verdict, "%+v", got)
			require.InDelta(t, c.change, got.Change, 0.005)
			require.True(t, got.P >= 0 && got.P <= 1, "p = %v", got.P)
		})
	}
}

// By hand: ten windows in order have S = 45, and var S = 10·9·25/18 = 125, so z = 44/11.18034 = 3.93548.
func TestCourseByHand(t *testing.T) {
	require.InDelta(t, 8.30e-5, CourseOf(series(10, func(i int) float64 { return float64(1 + i) })).P, 1e-6)
}

// Windows that are noise around one level are flat, but for one in a hundred.
func TestNoiseIsFlat(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	trends := 0
	const rounds = 2000
	for range rounds {
		if CourseOf(series(20, func(int) float64 { return math.Exp(0.1 * random.NormFloat64()) })).Verdict != Flat {
			trends++
		}
	}
	require.LessOrEqual(t, trends, rounds/50)
	t.Logf("%d of %d", trends, rounds)
}
