package stats

import (
	"math"

	"github.com/aclements/go-moremath/stats"
)

// Verdicts about the course of a round.
const (
	// Flat: no trend that matters.
	Flat = "flat"
	// Warming: response times fell, so that the round began before the server was at its best.
	Warming = "warming"
	// Drifting: response times rose.
	Drifting = "drifting"
	// TooShort: the round has too few requests to tell.
	TooShort = "none"
)

const (
	// leastWindows is the length of a series from which the normal distribution serves for Kendall's statistic.
	leastWindows = 10
	// trendError is the chance that a round without a trend passes for one with a trend, before the tolerance.
	trendError = 0.01
)

// Course is how a figure went over a round.
type Course struct {
	// Verdict is [Flat], [Warming], [Drifting] or [TooShort].
	Verdict string
	// Change is the median of the second half by that of the first, less 1; 0 when the round is too short.
	Change float64
	// P is the two-sided p of a series without a trend, 1 when the round is too short.
	P float64
}

// CourseOf judges the response times of the successive windows of a round. There is a trend when the test of Mann and
// Kendall finds one (p below 0.01) and the halves differ by more than [Margin], the difference that is taken for none.
// The test asks of every two windows which one is higher, whatever the distribution, and sees no single outlier: H. B.
// Mann, Nonparametric Tests Against Trend, Econometrica 13 (1945); the p is that of the normal distribution, with a
// correction for continuity and none for ties, which makes it larger.
func CourseOf(windows []float64) Course {
	n := len(windows)
	if n < leastWindows {
		return Course{Verdict: TooShort, P: 1}
	}
	sum := 0.0
	for i, x := range windows {
		for _, y := range windows[i+1:] {
			switch {
			case y > x:
				sum++
			case y < x:
				sum--
			}
		}
	}
	sd := math.Sqrt(float64(n*(n-1)*(2*n+5)) / 18)
	c := Course{Verdict: Flat, P: min(1, 2*stats.StdNormal.CDF(-(math.Abs(sum)-1)/sd))}
	first := Summarize(windows[:n/2]).Median
	if first <= 0 {
		return c
	}
	c.Change = Summarize(windows[(n+1)/2:]).Median/first - 1
	switch {
	case c.P >= trendError:
	case c.Change > Margin && sum > 0:
		c.Verdict = Drifting
	case c.Change < 1/(1+Margin)-1 && sum < 0:
		c.Verdict = Warming
	}
	return c
}
