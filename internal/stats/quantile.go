package stats

import (
	"sort"

	"github.com/aclements/go-moremath/stats"
)

// Carries says whether n independent values have a 95 % interval for a percentile (0 to 100, both excluded): its ends
// must be two of them (order statistics; H. A. David, H. N. Nagaraja, Order Statistics, 3rd ed., §7.1).
func Carries(n int, percent float64) bool {
	if n < 1 {
		return false
	}
	ci := stats.QuantileCI(n, percent/100, Confidence)
	return ci.LoOrder >= 1 && ci.HiOrder <= n
}

// Needs is the least number of values that carry the percentile.
func Needs(percent float64) int {
	return sort.Search(1<<40, func(n int) bool { return Carries(n, percent) })
}
