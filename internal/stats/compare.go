package stats

import (
	"math"
	"slices"
	"sort"

	"github.com/aclements/go-moremath/stats"
)

// Confidence is that of every interval, and Margin the difference that is taken for none unless a question names its
// own.
const (
	Confidence = 0.95
	Margin     = 0.03
)

// LeastRounds is the number of rounds of each server from which there is an interval at all: below, even two servers
// whose rounds lie all apart have one chance in ten or more to look so without a difference.
const LeastRounds = 4

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
	Question
	// Ratio is A's figure by B's: the median of the ratios of every round of A to every round of B (J. L. Hodges, E. L.
	// Lehmann, Estimates of Location Based on Rank Tests, 1963, of the logarithms). Low and High bound its 95 % interval.
	// All three are 0 when unknown: Ratio without a usable round, the bounds with less than [LeastRounds] of a server or
	// a figure that is not a positive number.
	Ratio, Low, High float64
	// P is the probability of rounds that lie at least that far apart, were there no difference (Mann–Whitney, exact); 1
	// when unknown. Holm is P corrected for the number of questions of the family; [Decide] sets it.
	P, Holm float64
	// RoundsA and RoundsB are the numbers of rounds that were used.
	RoundsA, RoundsB int
	// Verdict is set by [Decide].
	Verdict string
	// Settle is, for a verdict that is [Inconclusive], how many rounds of each server would probably settle it, judged by
	// the spread seen; 0 for more than [MostSettle], and when the rounds tell nothing of their spread.
	Settle int

	spread float64 // standard deviation of a round, of the logarithm
}

// Compare compares the figures of A's and B's rounds. [Decide] gives the verdict.
//
// The interval is exact whatever the distribution of up to 20 rounds, if they are independent: with the n·m ratios in order,
// it goes from the k-th smallest to the k-th largest, where k is the largest number for which the Mann–Whitney statistic
// is below k with probability (1 − [Confidence])/2 at most. See M. Hollander, D. A. Wolfe, E. Chicken, Nonparametric
// Statistical Methods, 3rd ed., §4.3. So it excludes 1 when P is below 0.05, and not otherwise.
func Compare(q Question, a, b []float64) Answer {
	if q.Margin == 0 {
		q.Margin = Margin
	}
	la, lb := logarithms(a), logarithms(b)
	r := Answer{Question: q, P: 1, Holm: 1, RoundsA: len(la), RoundsB: len(lb), Verdict: Inconclusive}
	if len(la) == 0 || len(lb) == 0 {
		return r
	}
	differences := make([]float64, 0, len(la)*len(lb))
	for _, x := range la {
		for _, y := range lb {
			differences = append(differences, x-y)
		}
	}
	slices.Sort(differences)
	r.Ratio = math.Exp(middle(differences))
	if min(len(la), len(lb)) < LeastRounds || len(la) < len(a) || len(lb) < len(b) {
		return r
	}
	k := cut(len(la), len(lb))
	r.Low, r.High = math.Exp(differences[k-1]), math.Exp(differences[len(differences)-k])
	if test, err := stats.MannWhitneyUTest(la, lb, stats.LocationDiffers); err == nil {
		r.P = min(test.P, 1)
	}
	r.spread = math.Sqrt((stats.Variance(la) + stats.Variance(lb)) / 2)
	return r
}

// logarithms returns those of the figures that are positive numbers.
func logarithms(xs []float64) []float64 {
	logs := make([]float64, 0, len(xs))
	for _, x := range xs {
		if x > 0 && !math.IsInf(x, 0) {
			logs = append(logs, math.Log(x))
		}
	}
	return logs
}

// middle is the median of what is sorted.
func middle(sorted []float64) float64 {
	n := len(sorted)
	// Halved before they are added: two large figures must not overflow.
	return sorted[(n-1)/2]/2 + sorted[n/2]/2
}

// mostExact is the number of rounds up to which the interval is exact; above, it is that of the normal distribution, which
// is as good as exact there and does not take seconds.
const mostExact = 20

// cut is the rank, from 1, of the ratio at which the interval of n and m rounds begins; 0 when they are too few for one.
func cut(n, m int) int {
	const tail = (1 - Confidence) / 2
	if pairs := float64(n * m); n > mostExact || m > mostExact {
		sd := math.Sqrt(pairs * float64(n+m+1) / 12)
		return max(0, int(math.Floor(pairs/2+stats.StdNormal.InvCDF(tail)*sd)))
	}
	statistic := stats.UDist{N1: n, N2: m}
	return sort.Search(n*m/2, func(k int) bool { return statistic.CDF(float64(k)) > tail })
}
