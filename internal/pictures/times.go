package pictures

import (
	"math"

	hdr "github.com/HdrHistogram/hdrhistogram-go"
	"gonum.org/v1/plot/plotter"

	"poolvsloop/internal/results"
)

// pooled are the times of all rounds as one, nil when there is none.
func pooled(rounds []results.Interval) *hdr.Histogram {
	all := results.Pooled(rounds)
	if all == nil || all.TotalCount() == 0 {
		return nil
	}
	return all
}

// tail is the distribution seen from its end: for shares of the slowest requests, from all to the slowest alone, the time
// in ms that the others do not exceed. X is the share.
func tail(times *hdr.Histogram) plotter.XYs {
	const perDecade = 16
	n := float64(times.TotalCount())
	points := plotter.XYs{{X: 1, Y: ms(times.Min())}}
	last := int(math.Ceil(perDecade * math.Log10(n)))
	for i := 1; i <= last; i++ {
		share := max(math.Pow(10, -float64(i)/perDecade), 1/n)
		points = append(points, plotter.XY{X: share, Y: ms(times.ValueAtQuantile(100 * (1 - share)))})
	}
	return points
}

// few is the number of slowest requests of which a tail is a matter of luck.
const few = 10

// split cuts a tail where only a few requests are left; both parts have that point.
func split(points plotter.XYs, n int64) (sure, luck plotter.XYs) {
	for i, p := range points {
		if p.X*float64(n) < few {
			return points[:i], points[max(0, i-1):]
		}
	}
	return points, nil
}

// ms is a time in ms, for a logarithmic axis: 1 µs at least.
func ms(us int64) float64 { return float64(max(1, us)) / 1e3 }
