package compare

import (
	"math"
	"time"

	"poolvsloop/internal/cost"
	"poolvsloop/internal/load"
	"poolvsloop/internal/results"
)

// costs is what run.json says of the measurement of costs, nil without one.
func (e *Evidence) costs(run *results.Run) *results.Cost {
	if e.Cost == nil || len(e.Cost.Repetitions) == 0 && len(e.Cost.Readings) == 0 && len(e.Cost.NotMeasured) == 0 {
		return nil
	}
	c := &results.Cost{
		RateRPS: e.Cost.Rate, RateFrom: e.Cost.RateFrom, RepetitionS: e.Cost.Duration.Seconds(),
		Connections: append([]int{}, e.Cost.Connections...), ConnectionsFrom: e.Cost.ConnectionsFrom,
		NotMeasured: append([]results.NotMeasured{}, e.Cost.NotMeasured...),
	}
	seen := cost.Seen{Margin: e.Config.Margin, Unkept: unkept(run.Checks)}
	if !run.Valid {
		seen.Withheld = "the run is not valid"
	}
	for i, side := range sides(e.Config) {
		seen.Sides[i], seen.Readings[i] = string(side), e.Cost.Readings[side]
		for _, r := range e.Cost.Repetitions {
			if r.Server == side {
				seen.Repetitions[i] = append(seen.Repetitions[i], repetition(r, e.Cost.Duration))
			}
		}
	}
	cost.Fill(c, seen)
	return c
}

// repetition is what run.json says of one.
func repetition(r Repetition, window time.Duration) results.CostRepetition {
	f := figures(r.Measurement)
	c := results.CostRepetition{
		Order: r.Order, Counted: r.Counted, Requests: f.Requests, Completed: f.Completed, Failed: f.Failed, Late: f.Late,
		Behind: results.Number(behind(r.Load, window)), MeanMS: f.MeanMS, ServerCPUUSPerRequest: f.ServerCPUUSPerRequest,
		CtxSwitchesPerRequest: f.CtxSwitchesPerRequest, ReadWriteCallsPerRequest: results.Unknown, SyscallsPerRequest: results.Unknown,
	}
	if n := float64(f.Completed); n > 0 {
		c.SyscallsPerRequest = results.Number(r.Syscalls / n)
		if r.Usage.ReadWriteCalls >= 0 {
			c.ReadWriteCallsPerRequest = results.Number(float64(r.Usage.ReadWriteCalls) / n)
		}
	}
	return c
}

// behind is the share of the arrivals in the second half of an open loop of that length by which the answers of that half
// are fewer, NaN when nothing came, or no single times were kept.
func behind(r *load.Result, window time.Duration) float64 {
	came, answered := secondHalf(r, window)
	if came == 0 {
		return math.NaN()
	}
	return 1 - float64(answered)/float64(came)
}

// secondHalf counts the arrivals and the answers in the second half of an open loop of that length: a server that keeps up
// answers as many as come.
func secondHalf(r *load.Result, window time.Duration) (came, answered int) {
	half, whole := (window / 2).Microseconds(), window.Microseconds()
	for _, x := range r.Samples {
		if half <= x.Start && x.Start < whole {
			came++
		}
		if end := x.Start + int64(x.Total); x.Outcome == load.Answered && half <= end && end < whole {
			answered++
		}
	}
	return came, answered
}
