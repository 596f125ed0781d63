package stats

import (
	"cmp"
	"math"
	"slices"

	"github.com/aclements/go-moremath/stats"
)

// Verdicts that name no winner.
const (
	Tie          = "tie"
	Inconclusive = "inconclusive"
)

// MostSettle bounds [Answer.Settle].
const MostSettle = 100

// Decide gives the answers to a family of questions (all metrics of a comparison) their verdicts, in place:
//
//   - [Tie] when the interval lies wholly within the margin;
//   - the better server when the interval lies wholly on one side of 1, and P, corrected for the number of questions by
//     Holm's method (S. Holm, A Simple Sequentially Rejective Multiple Test Procedure, 1979), is 0.05 at most;
//   - [Inconclusive] otherwise.
//
// Few rounds can't pass Holm's test however far they lie apart ([Corrected] says so). A server is then named by its
// interval alone: an indication, of which one in 35 is an accident for each metric.
func Decide(family []Answer) {
	holm(family)
	for i := range family {
		a := &family[i]
		a.Verdict = a.verdict(len(family))
		if a.Verdict == Inconclusive {
			a.Settle = a.settle(len(family))
		}
	}
}

// Corrected says whether rounds of each server that lie all apart pass Holm's test in a family of so many questions.
func Corrected(roundsA, roundsB, family int) bool {
	if roundsA < LeastRounds || roundsB < LeastRounds {
		return false
	}
	least := 2 * stats.UDist{N1: roundsA, N2: roundsB}.CDF(0)
	return least*float64(family) <= 1-Confidence
}

// holm sets the corrected probabilities: the smallest P times the number of questions, the next one times one less, and
// so on, none below its predecessor.
func holm(family []Answer) {
	order := make([]*Answer, len(family))
	for i := range family {
		order[i] = &family[i]
	}
	slices.SortStableFunc(order, func(a, b *Answer) int { return cmp.Compare(a.P, b.P) })
	largest := 0.0
	for i, a := range order {
		largest = max(largest, min(1, a.P*float64(len(order)-i)))
		a.Holm = largest
	}
}

func (a *Answer) verdict(family int) string {
	higher, lower := a.A, a.B
	if !a.HigherIsBetter {
		higher, lower = a.B, a.A
	}
	switch {
	case a.High == 0:
		return Inconclusive
	case a.Low > 1/(1+a.Margin) && a.High < 1+a.Margin:
		return Tie
	case a.Holm > 1-Confidence && Corrected(a.RoundsA, a.RoundsB, family):
		return Inconclusive
	case a.Low > 1:
		return higher
	case a.High < 1:
		return lower
	}
	return Inconclusive
}

// settle looks for the number of rounds whose interval would be narrow enough to lie on one side of 1 in a family of so
// many questions, or within the margin.
func (a *Answer) settle(family int) int {
	if a.spread == 0 {
		return 0
	}
	apart := math.Abs(math.Log(a.Ratio))
	for n := min(a.RoundsA, a.RoundsB) + 1; n <= MostSettle; n++ {
		tells := a.halfWidth(n, (1-Confidence)/float64(family)) < apart && Corrected(n, n, family)
		if tells || a.halfWidth(n, 1-Confidence) < math.Log1p(a.Margin)-apart {
			return n
		}
	}
	return 0
}

// halfWidth is about what n rounds of each server would give: that of Student's interval for the difference of two
// means, wider by what ranks are less efficient, 3/π. Student's quantile is z + (z³+z)/4ν (M. Abramowitz, I. A. Stegun,
// Handbook of Mathematical Functions, 26.7.5).
func (a *Answer) halfWidth(n int, error float64) float64 {
	z := stats.StdNormal.InvCDF(1 - error/2)
	quantile := z + (z*z*z+z)/float64(4*(2*n-2))
	return quantile * a.spread * math.Sqrt(2/float64(n)*math.Pi/3)
}
