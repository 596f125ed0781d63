package stats

import "github.com/aclements/go-moremath/stats"

// Student is the quantile of Student's t distribution of that many degrees of freedom, above 0, below which a share p of
// it lies, above 0.5 and below 1; 1000 at most. Any goroutine may call it.
func Student(p, freedom float64) float64 {
	distribution := stats.TDist{V: freedom}
	low, high := 0.0, 1000.0
	for range 60 {
		if middle := (low + high) / 2; distribution.CDF(middle) < p {
			low = middle
		} else {
			high = middle
		}
	}
	return high
}
