package timeline

import (
	"fmt"
	"math"
)

// bars are the heights of a line of bars, from nothing to the highest figure.
var bars = []rune("▁▂▃▄▅▆▇█")

// spark draws figures as a line of bars that begin at 0, so many of them at most: each is then the mean of several. A blank
// is a figure that is not known. It returns the least and the highest bar, NaN without any.
func spark(figures []float64, most int) (line string, least, highest float64) {
	means := merge(figures, perBar(len(figures), most))
	least, highest = math.NaN(), math.NaN()
	for _, x := range means {
		if !math.IsNaN(x) && !(x >= least) {
			least = x
		}
		if !math.IsNaN(x) && !(x <= highest) {
			highest = x
		}
	}
	drawn := make([]rune, len(means))
	for i, x := range means {
		switch {
		case math.IsNaN(x):
			drawn[i] = ' '
		case highest == 0:
			drawn[i] = bars[0]
		default:
			drawn[i] = bars[min(int(x/highest*float64(len(bars))), len(bars)-1)]
		}
	}
	return string(drawn), least, highest
}

// merge makes one figure of each so many: the mean of those that are known.
func merge(figures []float64, each int) []float64 {
	var means []float64
	for from := 0; from < len(figures); from += each {
		sum, n := 0.0, 0.0
		for _, x := range figures[from:min(from+each, len(figures))] {
			if !math.IsNaN(x) {
				sum, n = sum+x, n+1
			}
		}
		means = append(means, sum/n)
	}
	return means
}

// perBar is how many figures make a bar when there are so many bars at most.
func perBar(figures, most int) int { return max(1, (figures+most-1)/most) }

// show prints a figure in four digits or more.
func show(v float64) string {
	switch {
	case math.IsNaN(v):
		return "-"
	case v >= 1000:
		return fmt.Sprintf("%.0f", v)
	case v >= 100:
		return fmt.Sprintf("%.1f", v)
	}
	return fmt.Sprintf("%.2f", v)
}
