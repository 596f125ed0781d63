package cost

import (
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"
)

func points(ys ...float64) []Point {
	var all []Point
	for x, y := range ys {
		all = append(all, Point{float64(x), y})
	}
	return all
}

func TestFitByHand(t *testing.T) {
	// Residuals -0.4, 0.8, -1, 1.2, -0.6: their squares sum up to 3.6; those of x about its mean to 10; t(3) is 3.1824463.
	l, err := Fit(points(1, 3, 2, 5, 4))
	require.NoError(t, err)
	require.InDelta(t, 0.8, l.Slope, 1e-12)
	require.InDelta(t, 1.4, l.Intercept, 1e-12)
	require.InDelta(t, 0.34641016, l.Error, 1e-8)
	require.InDelta(t, 3, l.Freedom, 0)
	require.InDelta(t, 0.8-1.1024317, l.Low, 1e-6)
	require.InDelta(t, 0.8+1.1024317, l.High, 1e-6)
}

func TestFitOfALine(t *testing.T) {
	l, err := Fit([]Point{{0, 12e3}, {500, 16e3}, {4000, 44e3}})
	require.NoError(t, err)
	require.InDelta(t, 8, l.Slope, 1e-9)
	require.InDelta(t, 8, l.Low, 1e-6)
	require.InDelta(t, 8, l.High, 1e-6)
	flat, err := Fit(points(5, 5, 5))
	require.NoError(t, err)
	require.Equal(t, Line{Intercept: 5, Freedom: 1}, flat)
}

func TestFitNeedsReadings(t *testing.T) {
	for name, p := range map[string][]Point{
		"none": nil, "two": points(1, 2), "three at one place": {{5, 1}, {5, 2}, {5, 3}},
	} {
		t.Run(name, func(t *testing.T) {
			_, err := Fit(p)
			require.ErrorIs(t, err, errFewPoints)
		})
	}
}

// The interval holds the true slope in 95 of 100 measurements.
func TestTheIntervalHoldsTheSlope(t *testing.T) {
	random, held, apart := rand.New(rand.NewPCG(1, 2)), 0, 0
	const trials = 4000
	draw := func(slope float64) Line {
		var p []Point
		for range 2 {
			for _, x := range Steps(4000) {
				p = append(p, Point{float64(x), 1e4 + slope*float64(x) + 300*random.NormFloat64()})
			}
		}
		l, err := Fit(p)
		require.NoError(t, err)
		return l
	}
	for range trials {
		a, b := draw(8), draw(2)
		if a.Low <= 8 && 8 <= a.High {
			held++
		}
		if _, low, high := Apart(a, b); low <= -6 && -6 <= high {
			apart++
		}
	}
	require.InDelta(t, 0.95, float64(held)/trials, 0.012)
	require.InDelta(t, 0.95, float64(apart)/trials, 0.012)
}

func TestApartByHand(t *testing.T) {
	// Six degrees of freedom: t is 2.4469119.
	difference, low, high := Apart(Line{Slope: 8, Error: 1, Freedom: 3}, Line{Slope: 2, Error: 1, Freedom: 3})
	require.InDelta(t, -6, difference, 1e-12)
	require.InDelta(t, -6-3.4604560, low, 1e-6)
	require.InDelta(t, -6+3.4604560, high, 1e-6)
	_, low, high = Apart(Line{Slope: 8, Freedom: 3}, Line{Slope: 2, Freedom: 3})
	require.Equal(t, []float64{-6, -6}, []float64{low, high}, "readings without scatter")
}
