package compare

import (
	"fmt"
	"math"
	"slices"

	"poolvsloop/internal/load"
	"poolvsloop/internal/results"
)

// What the requests of the repetitions are judged by: one that fails leaves no figure of a request.
const (
	costAnswers = "cost_answers"
	costReached = "cost_rate_reached"
)

// repetitionRules are about each repetition at the rate.
var repetitionRules = []rule{
	{
		name: "cost_books", unit: "requests", warn: 0, bound: 0, one: "repetition",
		says: "requests of the repetitions without an outcome, or with one too many", cure: "This is a fault of the load engine.",
		of: unbooked,
	},
	{
		name: costAnswers, unit: "% of requests", warn: 0, bound: 1, one: "repetition",
		says: "requests of the repetitions without a 2xx answer of their own", cure: "The servers did other work: name a lower --cost-rate.",
		of: func(m Measurement) float64 {
			return percent(float64(m.Load.Planned-m.Load.OK2xx+m.Load.Wrong), float64(m.Load.Planned))
		},
	},
	{
		name: "cost_ledgers", unit: "calls", warn: 0, bound: 0, one: "repetition",
		says: "calls of A, the cache and B in the repetitions that are no request's, or are missing", cure: "The servers did other work.",
		of: func(m Measurement) float64 {
			off := 0.0
			for _, law := range ledgerLaws {
				off += law.off(m)
			}
			return off
		},
	},
	{
		name: "cost_sent_on_time", unit: "% of requests", warn: 1, bound: 5, one: "repetition",
		says: fmt.Sprintf("requests of the repetitions that were sent more than %s late", load.LateAfter),
		cure: "They came in heaps, which costs less than one by one. End other programs.",
		of:   func(m Measurement) float64 { return 100 * lateShare(m) },
	},
}

// costChecks are the rules that the measurement of costs must obey.
func costChecks(e *CostEvidence) []results.Check {
	var checks []results.Check
	if e == nil {
		return checks
	}
	if len(e.Repetitions) > 0 {
		var all []Measurement
		for _, r := range e.Repetitions {
			all = append(all, r.Measurement)
		}
		for _, r := range repetitionRules {
			checks = append(checks, r.check(all))
		}
		checks = append(checks, checkReached(e))
	}
	if len(e.Readings) > 0 {
		checks = append(checks, checkIdle(e))
	}
	return checks
}

const (
	// behindWarn and behindMost bound, in %, by how much the answers of a server fall behind what arrives.
	behindWarn, behindMost = 3, 10
)

// checkReached: each server answered as fast as requests came. All repetitions of a server count together, since what is in
// flight at both ends of one is a matter of chance.
func checkReached(e *CostEvidence) results.Check {
	most, where := math.Inf(-1), Server("")
	for _, server := range e.servers() {
		came, answered := 0, 0
		for _, r := range e.Repetitions {
			if r.Server == server {
				c, a := secondHalf(r.Load, e.Duration)
				came, answered = came+c, answered+a
			}
		}
		if behind := percent(float64(came-answered), float64(came)); behind > most {
			most, where = behind, server
		}
	}
	most = max(0, most)
	c := results.Check{Name: costReached, OK: most <= behindMost, Detail: fmt.Sprintf("answers of %s fell behind the arrivals of the same time by "+
		"%.3g %% of them at most, bound %d %%", where, most, behindMost)}
	switch {
	case !c.OK:
		c.Detail += fmt.Sprintf(": it did not keep %g requests/s. Name a lower --cost-rate", e.Rate)
	case most > behindWarn:
		c.Status = results.Warning
		c.Detail += fmt.Sprintf(", normal up to %d %%: %g requests/s are near its limit", behindWarn, e.Rate)
	}
	return withFigure(c, most, behindMost, "% of arrivals")
}

// servers are those with repetitions, in the order of their first ones.
func (e *CostEvidence) servers() []Server {
	var all []Server
	for _, r := range e.Repetitions {
		if !slices.Contains(all, r.Server) {
			all = append(all, r.Server)
		}
	}
	return all
}

// unkept says why there is no figure of a request: a server that did not keep the rate did other work than the other one.
// It is "" when both did.
func unkept(checks []results.Check) string {
	for _, c := range checks {
		if !c.OK && (c.Name == costAnswers || c.Name == costReached) {
			return "the rate was not kept by both servers: " + c.Detail
		}
	}
	return ""
}

// checkIdle: all idle connections were there when memory was read.
func checkIdle(e *CostEvidence) results.Check {
	missing, held, where := 0, 0, ""
	for server, readings := range e.Readings {
		for _, r := range readings {
			held += r.Open
			if gone := r.Connections - r.Open; gone > missing {
				missing, where = gone, fmt.Sprintf("%d of %d connections to %s in pass %d", gone, r.Connections, server, r.Pass)
			}
		}
	}
	c := results.Check{Name: "cost_idle_connections", OK: missing == 0, Detail: fmt.Sprintf("all idle connections were there at each of the readings, %d in all", held)}
	if !c.OK {
		c.Detail = fmt.Sprintf("%s were not there when memory was read: a server closes idle ones after its --idle-timeout, a slow machine needs "+
			"longer than that. Take fewer: --cost-connections", where)
	}
	if e.Lost != "" {
		c.Detail = e.Lost
	}
	return withFigure(c, float64(missing), 0, "connections")
}
