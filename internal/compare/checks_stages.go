package compare

import (
	"math"
	"time"

	"poolvsloop/internal/anatomy"
)

// stageRules hold what single requests told of their stages against each other, and against the load runner's clock.
var stageRules = []rule{
	{
		name: "stages_told", unit: "answers", warn: 0, bound: 0,
		says: "2xx answers without the stages that their request asked for",
		cure: "A server, or something before it, drops or changes Server-Timing.",
		of:   ofStages(func(c *anatomy.Collector) float64 { return float64(c.Untold) }),
	},
	{
		// Each of the five stages and the total are rounded by half a microsecond at most.
		name: "stages_add_up", unit: "µs", warn: 3, bound: 3,
		says: "what the stages of a request took together beyond its time in the server",
		cure: "A stage is counted twice, or holds time that is not the request's.",
		of: ofStages(func(c *anatomy.Collector) float64 {
			return most(c.Samples, func(s anatomy.Sample) float64 { return -micros(s.Rest()) })
		}),
	},
	{
		// Of the time more than a microsecond beyond, a thousandth is left to the clocks of two machines.
		name: "stages_in_response", unit: "% of the response time", warn: 100.1, bound: 100.1,
		says: "time of a request in the server by its own clock, against the response time",
		cure: "A server cannot hold a request longer than its client waits: one of the two clocks is wrong.",
		of: ofStages(func(c *anatomy.Collector) float64 {
			return most(c.Samples, func(s anatomy.Sample) float64 { return percent(micros(s.Total()), micros(s.Response)+1) })
		}),
	},
}

// ofStages is a figure of what a round's requests told, not known when none was asked.
func ofStages(figure func(*anatomy.Collector) float64) func(Measurement) float64 {
	return func(m Measurement) float64 {
		if m.Stages == nil || m.Stages.Told+m.Stages.Untold == 0 {
			return math.NaN()
		}
		return figure(m.Stages)
	}
}

// most is the largest figure of samples, NaN without any.
func most(samples []anatomy.Sample, of func(anatomy.Sample) float64) float64 {
	if len(samples) == 0 {
		return math.NaN()
	}
	figure := math.Inf(-1)
	for _, s := range samples {
		figure = max(figure, of(s))
	}
	return figure
}

func micros(d time.Duration) float64 { return float64(d) / float64(time.Microsecond) }
