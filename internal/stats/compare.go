package stats

import (
	"math"

	"github.com/aclements/go-moremath/stats"
)

// Verdicts that name no winner.
const (
	Tie          = "tie"
	Inconclusive = "inconclusive"
)

// Confidence is that of every interval, and Margin the difference that is taken for none unless a question names its
// own.
const (
	Confidence = 0.95
	Margin     = 0.03
)

// Question asks which of two servers is better in one figure.
type Question struct {
	// A and B are the names of the servers: the verdict is one of them, or [Tie] or [Inconclusive].
	A, B string
	// HigherIsBetter says so of the figure (throughput); otherwise lower is (times).
	HigherIsBetter bool
	// Margin is the relative difference, above 0, that is taken for none: ratios from 1/(1+Margin) to 1+Margin; 0 means
	// the constant Margin.
	Margin float64
}

// Answer is what the rounds carry.
type Answer struct {
	// Ratio is A's figure by B's: the geometric mean of the rounds' ratios. Low and High bound its 95 % interval. All
	// three are 0 when unknown: Ratio without a usable pair of rounds, the bounds with less than two.
	Ratio, Low, High float64
	// P is the probability of a ratio at least that far from 1, were there no difference; 1 when unknown.
	P float64
	// Pairs is the number of pairs of rounds that were used.
	Pairs int
	// Verdict is the better server when the interval lies wholly on one side of 1 and reaches beyond the margin there,
	// [Tie] when it lies wholly within the margin, [Inconclusive] otherwise.
	Verdict string
}

// Compare compares the figures of A's and B's rounds, of which a[i] and b[i] were measured side by side. A pair with a
// figure that is not a positive number says nothing about a ratio: it is not used, and with it no winner and no tie is
// named.
//
// The interval is Student's for the mean of n paired differences d of the logarithms, d = ln(a/b):
// mean(d) ± t(0.975, n−1) · s(d) / √n, taken back by exp; s is the standard deviation over n−1. See G. E. P. Box,
// J. S. Hunter, W. G. Hunter, Statistics for Experimenters, 2nd ed., §3.2 (paired comparison). It holds when the
// logarithms of the ratios are about normally distributed.
func Compare(q Question, a, b []float64) Answer {
	logs := make([]float64, 0, len(a))
	for i := range min(len(a), len(b)) {
		if usable(a[i]) && usable(b[i]) {
			logs = append(logs, math.Log(a[i])-math.Log(b[i]))
		}
	}
	r := Answer{Pairs: len(logs), P: 1, Verdict: Inconclusive}
	if len(logs) == 0 {
		return r
	}
	r.Ratio = math.Exp(stats.Mean(logs))
	if len(logs) < 2 {
		return r
	}
	mean, low, high := stats.MeanCI(logs, Confidence)
	r.Low, r.High, r.P = math.Exp(low), math.Exp(high), pValue(mean, logs)
	if len(logs) == max(len(a), len(b)) {
		r.Verdict = q.verdict(r.Low, r.High)
	}
	return r
}

// usable says whether a figure may stand in a ratio.
func usable(x float64) bool { return x > 0 && !math.IsInf(x, 0) }

// pValue is that of Student's test of the mean against 0.
func pValue(mean float64, logs []float64) float64 {
	sd := stats.StdDev(logs)
	if sd == 0 {
		if mean == 0 {
			return 1
		}
		return 0
	}
	n := float64(len(logs))
	return 2 * stats.TDist{V: n - 1}.CDF(-math.Abs(mean)*math.Sqrt(n)/sd)
}

// verdict judges an interval.
func (q Question) verdict(low, high float64) string {
	margin := q.Margin
	if margin == 0 {
		margin = Margin
	}
	higher, lower := q.A, q.B
	if !q.HigherIsBetter {
		higher, lower = q.B, q.A
	}
	switch {
	case low > 1/(1+margin) && high < 1+margin:
		return Tie
	case low > 1:
		return higher
	case high < 1:
		return lower
	}
	return Inconclusive
}
