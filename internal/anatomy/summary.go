package anatomy

import (
	"cmp"
	"slices"
	"time"

	"poolvsloop/internal/abreport"
	"poolvsloop/internal/flow"
	"poolvsloop/internal/results"
	"poolvsloop/internal/stats"
)

// slowest is one in how many requests counts among the slowest 1 %.
const slowest = 100

// Of returns what run.json says of a server's samples, nil without any. Percentiles are by the rule of the server's
// report ([abreport.Series.Served]). One that so few samples do not carry is unknown, and so are the means of the
// slowest 1 % when its p99 is. It leaves the samples as they are.
func Of(samples []Sample) *results.Stages {
	if len(samples) == 0 {
		return nil
	}
	sorted := slices.Clone(samples)
	slices.SortStableFunc(sorted, func(a, b Sample) int { return cmp.Compare(b.Response, a.Response) })
	s := &results.Stages{Samples: len(sorted)}
	if stats.Carries(len(sorted), 99) {
		s.SlowestSamples = (len(sorted) + slowest - 1) / slowest
	}
	stage := func(of func(Sample) time.Duration) results.Stage { return stageOver(sorted, s.SlowestSamples, of) }
	told := func(name flow.Stage) results.Stage {
		return stage(func(x Sample) time.Duration { return x.Timing[name] })
	}
	s.Queue, s.A, s.Cache, s.B = told(flow.StageQueue), told(flow.StageA), told(flow.StageCache), told(flow.StageB)
	s.Fill, s.Total = told(flow.StageFill), told(flow.StageTotal)
	s.Rest, s.Outside = stage(Sample.Rest), stage(Sample.Outside)
	s.Response = stage(func(x Sample) time.Duration { return x.Response })
	return s
}

// stageOver is one stage of samples, the first so many of which are the slowest 1 %.
func stageOver(sorted []Sample, slowest int, of func(Sample) time.Duration) results.Stage {
	us := make([]int64, len(sorted))
	for i, x := range sorted {
		us[i] = of(x).Round(time.Microsecond).Microseconds()
	}
	s := results.Stage{MeanMS: meanMS(us), P50MS: results.Unknown, P99MS: results.Unknown, SlowestMeanMS: results.Unknown}
	if slowest > 0 {
		s.SlowestMeanMS = results.Number(meanMS(us[:slowest]))
	}
	series := abreport.Exact(us) // sorts us
	if stats.Carries(len(us), 50) {
		s.P50MS = results.Number(float64(series.Served(500)) / 1e3)
	}
	if stats.Carries(len(us), 99) {
		s.P99MS = results.Number(float64(series.Served(990)) / 1e3)
	}
	return s
}

// meanMS is the mean of at least one time in microseconds, in milliseconds.
func meanMS(us []int64) float64 {
	sum := int64(0)
	for _, x := range us {
		sum += x
	}
	return float64(sum) / float64(len(us)) / 1e3
}
