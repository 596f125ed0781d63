package stats

import (
	"math"
	"slices"
)

// Summary is the middle and the spread of a figure over rounds, in the figure's own unit.
type Summary struct {
	// N is the number of rounds whose figure is a finite number; the others are left out.
	N int
	// Median is the middle figure, or the mean of the two middle ones; all three are 0 when N is.
	Median, Min, Max float64
}

// Summarize makes the summary of a figure over rounds. It leaves xs as it is.
func Summarize(xs []float64) Summary {
	sorted := slices.DeleteFunc(slices.Clone(xs), func(x float64) bool { return math.IsNaN(x) || math.IsInf(x, 0) })
	if len(sorted) == 0 {
		return Summary{}
	}
	slices.Sort(sorted)
	n := len(sorted)
	return Summary{N: n, Min: sorted[0], Max: sorted[n-1], Median: middle(sorted)}
}
