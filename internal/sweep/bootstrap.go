package sweep

import (
	"math"
	"math/rand/v2"
	"slices"

	"github.com/aclements/go-moremath/stats"

	"poolvsloop/internal/results"
	own "poolvsloop/internal/stats"
)

const (
	// leastRounds is the number of rounds from which there is an interval.
	leastRounds = own.LeastRounds
	// confidence is that of every interval.
	confidence = own.Confidence
	// resamples is how many times the rounds are drawn anew for an interval.
	resamples = 1000
)

// resample draws as many of the values as there are, each as often as it comes (B. Efron, Bootstrap Methods, 1979).
func resample(random *rand.Rand, xs []float64) []float64 {
	drawn := make([]float64, len(xs))
	for i := range drawn {
		drawn[i] = xs[random.IntN(len(xs))]
	}
	return drawn
}

// interval is what the middle of resampled values spans, of samples of so many rounds. Few rounds show less than their
// spread, so that the middle is wider than the confidence says: by √(n/(n−1)) and by Student's quantile in place of the
// normal one (T. Hesterberg, What Teachers Should Know about the Bootstrap, 2015, §3.3.1), of 2(n−1) degrees of freedom,
// since every figure here rests on two cells or two servers at least. Unknown without values. It sorts xs.
func interval(xs []float64, rounds int) (low, high results.Number) {
	if len(xs) == 0 || rounds < leastRounds {
		return results.Unknown, results.Unknown
	}
	slices.Sort(xs)
	n := float64(rounds)
	quantile := math.Sqrt(n/(n-1)) * own.Student((1+confidence)/2, 2*(n-1))
	tail := int(stats.StdNormal.CDF(-quantile) * float64(len(xs)))
	return results.Number(xs[tail]), results.Number(xs[len(xs)-1-tail])
}

// middle is the median, 0 of nothing. It sorts xs.
func middle(xs []float64) float64 {
	if len(xs) == 0 {
		return 0
	}
	slices.Sort(xs)
	n := len(xs)
	return xs[(n-1)/2]/2 + xs[n/2]/2
}
