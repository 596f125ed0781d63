package timeline

import (
	"math"

	"poolvsloop/internal/results"
	"poolvsloop/internal/stats"
)

// Second is one second of several rounds: medians of what they have.
type Second struct {
	// P50MS is NaN when no round had a 2xx answer in it.
	P50MS, Good float64
}

// Course is the first seconds of the rounds put together, length of them at most.
func Course(rounds []results.Series, length int) []Second {
	var all []Second
	for i := range length {
		var p50, good []float64
		for _, r := range rounds {
			if i < len(r.Seconds) {
				p50, good = append(p50, float64(r.Seconds[i].P50MS)), append(good, float64(r.Seconds[i].OK2xx))
			}
		}
		if len(good) == 0 {
			break
		}
		all = append(all, Second{P50MS: middle(p50), Good: middle(good)})
	}
	return all
}

// middle is the median of what is known, NaN of nothing.
func middle(xs []float64) float64 {
	s := stats.Summarize(xs)
	if s.N == 0 {
		return math.NaN()
	}
	return s.Median
}
