package compare

import (
	"poolvsloop/internal/load"
	"poolvsloop/internal/results"
	"poolvsloop/internal/stats"
)

const (
	// windows is into how many parts of equal length a round is cut to see its course.
	windows = 20
	// leastWindow is the number of answers below which the mean of a part says little.
	leastWindow = 10
)

// course judges how the response times of a round went.
func course(m Measurement) results.Course {
	c := stats.CourseOf(meanTimes(m.Load))
	return results.Course{Order: m.Order, Verdict: c.Verdict, Change: c.Change, PValue: c.P}
}

// meanTimes returns the mean response time in ms of the answered requests that started in each part of a round; nil when
// a part has too few of them, or the single times were not kept. By their start, since the first part of a round has few
// ends, and its last one few starts that are still on their way.
func meanTimes(r *load.Result) []float64 {
	end := int64(0)
	for _, s := range r.Samples {
		end = max(end, s.Start+1)
	}
	var sums, counts [windows]float64
	for _, s := range r.Samples {
		if s.Outcome == load.Answered {
			part := s.Start * windows / end
			sums[part] += float64(s.Total) / 1e3
			counts[part]++
		}
	}
	for part, n := range counts {
		if n < leastWindow {
			return nil
		}
		sums[part] /= n
	}
	return sums[:]
}
