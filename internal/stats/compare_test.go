package stats

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"
)

var (
	higher = Question{A: "threadpool", B: "eventloop", HigherIsBetter: true}
	lower  = Question{A: "threadpool", B: "eventloop"}
)

// decided is the verdict of a family of one.
func decided(q Question, a, b []float64) Answer {
	family := []Answer{Compare(q, a, b)}
	Decide(family)
	return family[0]
}

// With four rounds each, the exact distribution has P(U = 0) = 1/70: the interval goes from the smallest ratio to the
// largest, and rounds that lie all apart have p = 2/70. The middle ratios were taken from the sixteen by hand.
func TestCompareByHand(t *testing.T) {
	apart := [2][]float64{{110, 120, 115, 125}, {100, 100, 100, 100}}
	for _, c := range []struct {
		name                string
		q                   Question
		a, b                []float64
		ratio, low, high, p float64
		verdict             string
	}{
		{"more is better", higher, apart[0], apart[1], math.Sqrt(1.15 * 1.20), 1.10, 1.25, 0.0286, "threadpool"},
		{"less is better", lower, apart[0], apart[1], math.Sqrt(1.15 * 1.20), 1.10, 1.25, 0.0286, "eventloop"},
		{"the other way round", higher, apart[1], apart[0], 1 / math.Sqrt(1.15*1.20), 0.8, 1 / 1.1, 0.0286, "eventloop"},
		{"tie within the margin", higher, []float64{100, 101, 100, 101}, []float64{101, 100, 101, 100}, 1, 100. / 101, 1.01, 1, Tie},
		{"apart but within the margin", higher, []float64{101, 101.1, 101.2, 101.3}, []float64{100, 99.9, 99.8, 99.7},
			1.0140, 1.01, 1.01605, 0.0286, Tie},
		{"too noisy", higher, []float64{100, 150, 80, 120}, []float64{100, 101, 99, 102}, 1.0945, 80. / 102, 150. / 99, 0.7429, Inconclusive},
		{"three rounds", higher, []float64{200, 201, 202}, []float64{100, 101, 102}, 1.99, 0, 0, 1, Inconclusive},
		{"three rounds against ten", higher, []float64{200, 200, 200}, []float64{100, 100, 100, 100, 100, 100, 100, 100, 100, 100},
			2, 0, 0, 1, Inconclusive},
		{"ten rounds against three", higher, []float64{100, 100, 100, 100, 100, 100, 100, 100, 100, 100}, []float64{200, 200, 200},
			0.5, 0, 0, 1, Inconclusive},
		{"nothing", higher, nil, nil, 0, 0, 0, 1, Inconclusive},
		{"a round less on one side", higher, []float64{200, 201, 202, 203, 204}, []float64{100, 101, 102, 103}, 1.99, 201. / 103, 203. / 100, 0.0159, "threadpool"},
		{"a zero", higher, []float64{200, 200, 200, 0}, []float64{100, 100, 100, 100}, 2, 0, 0, 1, Inconclusive},
		{"no number", higher, []float64{200, math.NaN(), 200, 200}, []float64{100, 100, 100, 100}, 2, 0, 0, 1, Inconclusive},
		{"infinite", higher, []float64{200, 200, 200, 200}, []float64{100, math.Inf(1), 100, 100}, 2, 0, 0, 1, Inconclusive},
		{"all zero", higher, []float64{0, 0, 0, 0}, []float64{0, 0, 0, 0}, 0, 0, 0, 1, Inconclusive},
		{"equal rounds", higher, []float64{5, 5, 5, 5}, []float64{5, 5, 5, 5}, 1, 1, 1, 1, Tie},
	} {
		t.Run(c.name, func(t *testing.T) {
			got := decided(c.q, c.a, c.b)
			require.InDelta(t, c.ratio, got.Ratio, 6e-3)
			require.InDelta(t, c.low, got.Low, 1e-5)
			require.InDelta(t, c.high, got.High, 1e-5)
			require.InDelta(t, c.p, got.P, 1e-3)
			require.Equal(t, c.verdict, got.Verdict)
		})
	}
}

// Ranks of the interval's ends, from tables of the Mann–Whitney statistic: the largest k with 2·P(U < k) ≤ 5 %.
func TestCut(t *testing.T) {
	for _, c := range []struct{ n, m, k int }{{3, 3, 0}, {3, 4, 0}, {4, 4, 1}, {5, 5, 3}, {6, 6, 6}, {8, 8, 14}, {10, 10, 24}, {20, 20, 128}, {21, 21, 142}} {
		require.Equal(t, c.k, cut(c.n, c.m), "%d and %d rounds", c.n, c.m)
	}
}

func TestCompareMargin(t *testing.T) {
	a, b := []float64{110, 111, 109, 110}, []float64{100, 100, 100, 100}
	require.Equal(t, "threadpool", decided(higher, a, b).Verdict)
	wide := higher
	wide.Margin = 0.2
	require.Equal(t, Tie, decided(wide, a, b).Verdict)
}

// The interval and the p-value are two readings of one distribution.
func TestIntervalAndProbabilityAgree(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	for range 500 {
		got := Compare(lower, rounds(random, 6, 1.05, 0.04), rounds(random, 6, 1, 0.04))
		require.Equal(t, got.P <= 1-Confidence, got.Low > 1 || got.High < 1, "%+v", got)
	}
}

// The p-values are Holm's own steps: 0.01·3, 0.02·2, 0.9·1, none below its predecessor.
func TestHolm(t *testing.T) {
	family := []Answer{{P: 0.02}, {P: 0.9}, {P: 0.01}}
	holm(family)
	require.InDeltaSlice(t, []float64{0.04, 0.9, 0.03}, []float64{family[0].Holm, family[1].Holm, family[2].Holm}, 1e-12)
	family = []Answer{{P: 0.6}, {P: 0.5}}
	holm(family)
	require.Equal(t, []float64{1, 1}, []float64{family[0].Holm, family[1].Holm})
}

func TestCorrected(t *testing.T) {
	require.False(t, Corrected(3, 3, 1))
	require.True(t, Corrected(4, 4, 1))
	require.False(t, Corrected(5, 5, 9))
	require.True(t, Corrected(6, 6, 9))
}

// rounds are those of a server whose figure is mean, with a log-normal spread.
func rounds(random *rand.Rand, n int, mean, spread float64) []float64 {
	xs := make([]float64, n)
	for i := range xs {
		xs[i] = mean * math.Exp(spread*random.NormFloat64())
	}
	return xs
}

// family is a comparison in nine figures of which one is better by ratio and the rest alike.
func family(random *rand.Rand, n int, ratio, spread float64) []Answer {
	all := make([]Answer, 9)
	for i := range all {
		mean := 1.0
		if i == 0 {
			mean = ratio
		}
		all[i] = Compare(lower, rounds(random, n, mean, spread), rounds(random, n, 1, spread))
	}
	Decide(all)
	return all
}

func won(a Answer) bool { return a.Verdict != Tie && a.Verdict != Inconclusive }

// Two equal servers: with ten rounds, at most one comparison in twenty names a winner in any of its figures.
func TestNoDifferenceNamesNoWinner(t *testing.T) {
	random := rand.New(rand.NewPCG(3, 4))
	const comparisons = 400
	wrong := 0
	for range comparisons {
		for _, a := range family(random, 10, 1, 0.08) {
			if won(a) {
				wrong++
				break
			}
		}
	}
	require.LessOrEqual(t, float64(wrong)/comparisons, 0.05)
}

// A server that is 10 % slower is called so in nine of ten comparisons of ten rounds that spread by 4 %.
func TestADifferenceIsFound(t *testing.T) {
	random := rand.New(rand.NewPCG(5, 6))
	const comparisons = 400
	right := 0
	for range comparisons {
		if family(random, 10, 1.10, 0.04)[0].Verdict == "eventloop" {
			right++
		}
	}
	require.GreaterOrEqual(t, float64(right)/comparisons, 0.9)
}

// What Settle asks for settles it, in most comparisons.
func TestSettle(t *testing.T) {
	random := rand.New(rand.NewPCG(7, 8))
	asked, settled := 0, 0
	for range 300 {
		first := family(random, 4, 1.10, 0.05)[0]
		if first.Verdict != Inconclusive || first.Settle == 0 {
			continue
		}
		require.Greater(t, first.Settle, 4)
		asked++
		if family(random, first.Settle, 1.10, 0.05)[0].Verdict != Inconclusive {
			settled++
		}
	}
	require.Positive(t, asked)
	require.Greater(t, settled*2, asked, "%d of %d", settled, asked)
	require.Zero(t, decided(lower, []float64{1, 1, 1, 1}, []float64{1, 1, 1, 1}).Settle, "a tie is settled")
	require.Zero(t, decided(lower, []float64{1, 2}, []float64{1, 2}).Settle, "too few rounds to tell their spread")
}
