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

// The expected figures were computed apart from this code, with t(0.975, 3) = 3.182446 from a printed table.
func TestCompareByHand(t *testing.T) {
	higher := Question{A: "threadpool", B: "eventloop", HigherIsBetter: true}
	lower := Question{A: "threadpool", B: "eventloop"}
	// ln(1.10), ln(1.20), ln(1.15), ln(1.25) = 0.0953102, 0.1823216, 0.1397619, 0.2231436:
	// mean 0.1601343, s 0.0550141, half width 3.182446·0.0550141/2 = 0.0875396.
	apart := [2][]float64{{110, 120, 115, 125}, {100, 100, 100, 100}}
	for _, c := range []struct {
		name             string
		q                Question
		a, b             []float64
		ratio, low, high float64
		pairs            int
		verdict          string
	}{
		{"more is better", higher, apart[0], apart[1], 1.173668, 1.075295, 1.281042, 4, "threadpool"},
		{"less is better", lower, apart[0], apart[1], 1.173668, 1.075295, 1.281042, 4, "eventloop"},
		{"the other way round", higher, apart[1], apart[0], 0.852029, 0.780614, 0.929978, 4, "eventloop"},
		{"tie within the margin", higher, []float64{100, 101, 100, 101}, []float64{101, 100, 101, 100},
			1, 0.981884, 1.018451, 4, Tie},
		{"too noisy", higher, []float64{100, 150, 80, 120}, []float64{100, 100, 100, 100}, 1.095445, 0.716038, 1.675888, 4, Inconclusive},
		{"equal rounds that differ", higher, []float64{200, 200}, []float64{100, 100}, 2, 2, 2, 2, "threadpool"},
		{"equal rounds alike", higher, []float64{5, 5}, []float64{5, 5}, 1, 1, 1, 2, Tie},
		{"significant but within the margin", higher, []float64{101, 101}, []float64{100, 100}, 1.01, 1.01, 1.01, 2, Tie},
		{"one pair", higher, []float64{200}, []float64{100}, 2, 0, 0, 1, Inconclusive},
		{"nothing", higher, nil, nil, 0, 0, 0, 0, Inconclusive},
		{"a round more on one side", higher, []float64{200, 200, 200}, []float64{100, 100}, 2, 2, 2, 2, Inconclusive},
		{"a zero", higher, []float64{200, 200, 0}, []float64{100, 100, 100}, 2, 2, 2, 2, Inconclusive},
		{"no number", higher, []float64{200, math.NaN(), 200}, []float64{100, 100, 100}, 2, 2, 2, 2, Inconclusive},
		{"infinite", higher, []float64{200, 200, 200}, []float64{100, math.Inf(1), 100}, 2, 2, 2, 2, Inconclusive},
		{"below zero", higher, []float64{-1, 200, 200}, []float64{100, 100, 100}, 2, 2, 2, 2, Inconclusive},
		{"all zero", higher, []float64{0, 0}, []float64{0, 0}, 0, 0, 0, 0, Inconclusive},
	} {
		t.Run(c.name, func(t *testing.T) {
			got := Compare(c.q, c.a, c.b)
			require.InDelta(t, c.ratio, got.Ratio, 2e-6)
			require.InDelta(t, c.low, got.Low, 2e-6)
			require.InDelta(t, c.high, got.High, 2e-6)
			require.Equal(t, c.pairs, got.Pairs)
			require.Equal(t, c.verdict, got.Verdict)
			require.True(t, got.P >= 0 && got.P <= 1, "p = %v", got.P)
		})
	}
}

func TestCompareMargin(t *testing.T) {
	a, b := []float64{110, 111, 109, 110}, []float64{100, 100, 100, 100}
	require.Equal(t, "x", Compare(Question{A: "x", B: "y", HigherIsBetter: true}, a, b).Verdict)
	require.Equal(t, Tie, Compare(Question{A: "x", B: "y", HigherIsBetter: true, Margin: 0.2}, a, b).Verdict)
}

// A p-value and a 95 % interval are two readings of one distribution: p < 0.05 exactly when the interval excludes 1.
func TestCompareValueAndIntervalAgree(t *testing.T) {
	b := []float64{100, 100, 100}
	for spread := 1.0; spread < 40; spread++ {
		got := Compare(Question{A: "x", B: "y"}, []float64{110 - spread, 110, 110 + spread}, b)
		require.Equal(t, got.P < 1-Confidence, got.Low > 1 || got.High < 1, "spread %v: %+v", spread, got)
	}
}

func TestCompareNamesNoWinnerWithoutInterval(t *testing.T) {
	for _, rounds := range [][]float64{nil, {100}, {100, 0}, {100, 100, 0}} {
		b := make([]float64, len(rounds))
		for i := range b {
			b[i] = 1
		}
		require.Equal(t, Inconclusive, Compare(Question{A: "x", B: "y"}, rounds, b).Verdict)
	}
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
