package stats

import (
	"math"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestSummarize(t *testing.T) {
	nan, inf := math.NaN(), math.Inf(1)
	for _, c := range []struct {
		name string
		xs   []float64
		want Summary
	}{
		{"nothing", nil, Summary{}},
		{"one", []float64{4}, Summary{1, 4, 4, 4}},
		{"odd", []float64{9, 1, 5}, Summary{3, 5, 1, 9}},
		{"even", []float64{8, 2, 4, 1}, Summary{4, 3, 1, 8}},
		{"negative", []float64{-3, -1}, Summary{2, -2, -3, -1}},
		{"without what is no number", []float64{nan, 7, inf, 3, -inf}, Summary{2, 5, 3, 7}},
		{"only what is no number", []float64{nan, inf}, Summary{}},
		{"no overflow", []float64{math.MaxFloat64, math.MaxFloat64}, Summary{2, math.MaxFloat64, math.MaxFloat64, math.MaxFloat64}},
	} {
		t.Run(c.name, func(t *testing.T) { require.Equal(t, c.want, Summarize(c.xs)) })
	}
}

func TestSummarizeLeavesItsInput(t *testing.T) {
	xs := []float64{3, math.NaN(), 1}
	Summarize(xs)
	require.Equal(t, 3.0, xs[0])
	require.True(t, math.IsNaN(xs[1]))
	require.Equal(t, 1.0, xs[2])
}

func TestFairness(t *testing.T) {
	for _, c := range []struct {
		name    string
		answers []int
		want    Fairness
	}{
		{"nobody", nil, Fairness{}},
		{"no answers", []int{0, 0}, Fairness{Clients: 2, Starved: 2}},
		{"all alike", []int{7, 7, 7}, Fairness{3, 0, 7, 7, 7, 1}},
		{"one gets all", []int{0, 12, 0, 0}, Fairness{4, 3, 0, 0, 12, 0.25}},
		{"1 2 3 4: 10²/(4·30)", []int{4, 1, 3, 2}, Fairness{4, 0, 1, 2, 4, 100.0 / 120}},
	} {
		t.Run(c.name, func(t *testing.T) { require.Equal(t, c.want, FairnessOf(c.answers)) })
	}
}

func TestLittlesLaw(t *testing.T) {
	// The starving pool of ten workers under a hundred clients.
	got := LittlesLawOf(6621, 0.00148, 100)
	require.InDelta(t, 9.799, got.InFlight, 1e-3)
	require.InDelta(t, 0.098, got.Ratio, 1e-4)
	require.Zero(t, LittlesLawOf(10, 1, 0).Ratio)
}

// A percentile needs so many requests that one of them lies above its interval, about 1.96²·p/(1−p),
// and a little more for the rounding of ranks.
func TestNeeds(t *testing.T) {
	require.InDelta(t, 6, Needs(50), 1)
	require.InDelta(t, 380, Needs(99), 100)
	require.InDelta(t, 3838, Needs(99.9), 1000)
	for _, percent := range []float64{50, 90, 99, 99.9, 99.99} {
		n := Needs(percent)
		require.True(t, Carries(n, percent))
		require.False(t, Carries(n-1, percent), percent)
	}
}
