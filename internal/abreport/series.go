package abreport

import (
	"math"
	"slices"

	"github.com/HdrHistogram/hdrhistogram-go"
)

// MedianRule says which value stands in the median column.
type MedianRule uint8

const (
	// Middle is the median: the middle value, or the mean of the two middle ones, cut to a microsecond.
	Middle MedianRule = iota
	// AsAB is what ab 2.3 computes: element N/2 (from 0) for an even number of values N, and the mean of the elements
	// N/2 and N/2+1 for an odd one above 1. The two cases are swapped, and the second is off by one.
	AsAB
)

// Series is a distribution of times in microseconds. The zero value is empty, and all its figures are 0.
type Series struct {
	sorted []int64
	hist   *hdrhistogram.Histogram
	n      int64

	min, max, sum int64
	squares       float64 // sum of the squares; for a series of single times, of the differences from mean
}

// Exact makes a series of single times. It sorts them in place and keeps the slice.
func Exact(us []int64) Series {
	if len(us) == 0 {
		return Series{}
	}
	slices.Sort(us)
	s := Series{sorted: us, n: int64(len(us)), min: us[0], max: us[len(us)-1]}
	for _, x := range us {
		s.sum += x
	}
	mean := float64(s.Mean())
	for _, x := range us {
		s.squares += (float64(x) - mean) * (float64(x) - mean)
	}
	return s
}

// Moments is what is known exactly about a distribution of which else only a histogram is kept. Times are in
// microseconds.
type Moments struct {
	Min, Max, Sum int64
	SumSquares    float64
}

// Histogram makes a series of a histogram of microseconds. Its ranks are then as exact as the histogram's buckets, its
// other figures wholly. It keeps h.
func Histogram(h *hdrhistogram.Histogram, m Moments) Series {
	if h.TotalCount() == 0 {
		return Series{}
	}
	s := Series{hist: h, n: h.TotalCount(), min: m.Min, max: m.Max, sum: m.Sum}
	mean := float64(s.Mean())
	s.squares = m.SumSquares - 2*mean*float64(m.Sum) + float64(s.n)*mean*mean
	return s
}

// Count is the number of times in the series.
func (s *Series) Count() int64 { return s.n }

// Mean is the arithmetic mean, cut to a microsecond.
func (s *Series) Mean() int64 {
	if s.n == 0 {
		return 0
	}
	return s.sum / s.n
}

// SD is the standard deviation of a sample, in microseconds: the root of the mean square distance from [Series.Mean]
// over N−1; 0 for less than two times.
func (s *Series) SD() float64 {
	if s.n < 2 {
		return 0
	}
	return math.Sqrt(max(0, s.squares) / float64(s.n-1))
}

// Median is the median by that rule.
func (s *Series) Median(rule MedianRule) int64 {
	half := s.n / 2
	if rule == AsAB {
		if s.n%2 == 0 || s.n == 1 {
			return s.at(half)
		}
		return (s.at(half) + s.at(half+1)) / 2
	}
	if s.n%2 == 1 {
		return s.at(half)
	}
	return (s.at(half-1) + s.at(half)) / 2
}

// Served is the time within which that many in a thousand of the requests ended, by ab's rule: element N·permille/1000,
// counted from 0 in order of time, and the longest for 1000. It is the smallest time that more than that share of the
// requests did not exceed.
func (s *Series) Served(permille int64) int64 { return s.at(s.n * permille / 1000) }

// at is the element with that index in order of time; beyond the ends, the one at the end.
func (s *Series) at(i int64) int64 {
	switch {
	case s.n == 0:
		return 0
	case i <= 0:
		return s.min
	case i >= s.n-1:
		return s.max
	case s.sorted != nil:
		return s.sorted[i]
	}
	v := s.hist.ValueAtPercentile(100 * float64(i+1) / float64(s.n))
	return min(max(v, s.min), s.max)
}
