package single

import (
	"fmt"
	"time"

	"poolvsloop/internal/load"
	"poolvsloop/internal/stats"
)

// Bounds of the judgement.
const (
	// lateBound is the share of late requests above which the load was not the one asked for.
	lateBound = 0.01
	// mostRefused is the number of requests behind which a run ends when all were refused. A refusal takes microseconds: a run
	// of ten seconds would ask a million times.
	mostRefused = 1000
	// lagBound is the share of the mean response time above which the engine's own delay in it is worth a warning.
	lagBound = 0.1
	// allowance is the time of a loop that is not held against it: starting its thread, and a wait for a processor, may be
	// most of a very short run.
	allowance = 10 * time.Millisecond
	// jainBound is the value of Jain's index below which the answers are unevenly spread: half of the clients got nearly
	// none, say.
	jainBound = 0.5
)

// judge says whether the run measured what it should, and what its figures must be read with.
func (x *Report) judge(p *Plan, r *load.Result) {
	invalid := func(bad bool, format string, args ...any) {
		if bad {
			x.InvalidReasons = append(x.InvalidReasons, fmt.Sprintf(format, args...))
		}
	}
	if err := r.Books(); err != nil {
		invalid(true, "%s", err)
	}
	invalid(r.NobodyListens, "nobody listens at %s: the first %d requests were refused and none was answered, so the run ended there", p.Load.Addr,
		r.Refused)
	invalid(r.Interrupted && !r.NobodyListens, "the run was interrupted before its end")
	invalid(r.OK2xx == 0 && !r.NobodyListens, "no request succeeded: of %d sent, none was answered with 2xx", r.Sent)
	invalid(r.Answered > 0 && r.NeediestLoop-allowance > time.Duration(load.MostLoopShare*float64(r.Duration)),
		"the generator is the limit: a loop of it used or waited for %.0f %% of a core, bound %.0f %%",
		100*x.Generator.NeediestLoop, 100*load.MostLoopShare)
	invalid(r.Sent > 0 && float64(r.Late) > lateBound*float64(r.Sent),
		"the generator did not keep its schedule: %d of %d requests were sent more than %s late, bound %.0f %%", r.Late, r.Sent,
		load.LateAfter, 100*lateBound)
	for _, cause := range []string{load.NoPort, load.NoDescriptor} {
		invalid(r.Failures[cause] > 0, "the generator ran short: %d requests failed for %q", r.Failures[cause], cause)
	}
	x.Valid = len(x.InvalidReasons) == 0
	x.warn(p, r)
}

// littleFails says whether clients were waiting for something that neither the answered requests nor the generator's
// turnaround show. A client that has nothing left to send lies idle for as long as the last answers take, at most the
// longest response time: a run must be so much longer than that for the law to tell. In a pipeline fewer requests are in
// flight than the clients could have, which says nothing.
func littleFails(x *Report, r *load.Result) bool {
	if r.Answered == 0 || x.Model.Pipeline > 1 || r.Response.Max > int64((1-stats.LeastLittle)*float64(r.LastAnswer.Microseconds())) {
		return false
	}
	idle := r.Turnaround.Seconds() / float64(r.Answered)
	l := stats.LittlesLawOf(answering(r), x.Response.MeanMS/1e3+x.Model.ThinkS+idle, r.Clients)
	return l.Ratio < stats.LeastLittle
}

// warn adds the warnings.
func (x *Report) warn(p *Plan, r *load.Result) {
	warn := func(on bool, format string, args ...any) {
		if on {
			x.Warnings = append(x.Warnings, fmt.Sprintf(format, args...))
		}
	}
	closed := x.Model.Loop == closedLoop
	warn(closed && x.Fairness.Starved > 0, "%d of %d connections starved: no request of theirs was answered", x.Fairness.Starved, r.Clients)
	warn(closed && len(r.Starved) > 0, "each starved connection that waited in vain counts in the percentiles as much as one that was served")
	warn(closed && x.Fairness.Starved == 0 && r.Answered >= 10*r.Clients && x.Fairness.Jain < jainBound, "the answers are unevenly spread over the clients, "+
		"%d to %d: the percentiles are those of the few that got most", x.Fairness.Min, x.Fairness.Max)
	warn(closed && littleFails(x, r), "X*(R+Z) accounts for %.1f of %d clients (%.0f %%): the rest waited for something that the answered requests don't show",
		x.LittlesLaw.InFlight, x.LittlesLaw.Clients, 100*x.LittlesLaw.Ratio)
	warn(r.TimedOut+r.InFlight > 0, "%d requests got no answer in time: percentiles marked ≥ are at least so long", r.TimedOut+r.InFlight)
	warn(r.Dropped > 0, "%d of %d requests were dropped, and have no times", r.Dropped, r.Planned)
	warn(r.Failed() > r.TimedOut, "%d requests were refused, reset or aborted, and have no times", r.Failed()-r.TimedOut)
	warn(r.Non2xx > 0, "%d answers were not 2xx; their times are among the others", r.Non2xx)
	warn(r.Response.Clamped > 0, "%d times above %s count as that", r.Response.Clamped, load.MaxTimeout)
	warn(x.Generator.EventLagMeanMS > lagBound*x.Response.MeanMS, "events waited %.3f ms for the generator on average, %.0f %% of the "+
		"mean response time", x.Generator.EventLagMeanMS, 100*x.Generator.EventLagMeanMS/x.Response.MeanMS)
	warn(r.Idle.Failed > 0, "%d of %d idle connections could not be opened: %s", r.Idle.Failed, p.Load.Idle, r.Idle.Cause)
}
