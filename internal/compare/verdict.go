package compare

import (
	"fmt"
	"slices"

	"poolvsloop/internal/results"
	"poolvsloop/internal/stats"
)

// leastRequests is the number of requests below which a round says nothing of a server.
const leastRequests = 100

// verdicts returns the servers side by side.
func verdicts(run *results.Run) []results.Comparison {
	pool, loop := run.Targets[0].Rounds, run.Targets[1].Rounds
	rows := []results.Comparison{}
	if len(pool) == 0 || len(loop) == 0 {
		return rows
	}
	answers := make([]stats.Answer, len(results.Metrics))
	for i, m := range results.Metrics {
		question := stats.Question{
			A: run.Targets[1].Name, B: run.Targets[0].Name, HigherIsBetter: m.Better == results.Higher, Margin: run.Config.Margin,
		}
		answers[i] = stats.Compare(question, m.Values(loop), m.Values(pool))
	}
	stats.Decide(answers)
	for i, m := range results.Metrics {
		rows = append(rows, row(m, answers[i], pool, loop, withheld(run, m)))
	}
	return rows
}

// row is what run.json says of a metric. A reason to withhold the verdict makes it inconclusive.
func row(m results.Metric, answer stats.Answer, pool, loop []results.Figures, reason string) results.Comparison {
	r := results.Judged(m, answer, pool, loop)
	switch {
	case reason != "":
		r.Verdict, r.Note, r.RoundsToSettle = stats.Inconclusive, reason, 0
	case r.Verdict == stats.Inconclusive && min(answer.RoundsA, answer.RoundsB) < stats.LeastRounds:
		r.Note = fmt.Sprintf("needs %d rounds", stats.LeastRounds)
	case answer.Settle > 0:
		r.Note = fmt.Sprintf("about %d rounds would settle it", answer.Settle)
	case r.Verdict == stats.Inconclusive:
		r.Note = fmt.Sprintf("more than %d rounds would be needed", stats.MostSettle)
	}
	return r
}

// withheld says why no verdict is given by a metric, or "". A run that is not valid decides nothing; servers that
// rejected or lost requests are compared only by what does not depend on how many; the slowest requests decide nothing
// when a downstream was late, nor a percentile that a round is too short for.
func withheld(run *results.Run, m results.Metric) string {
	pool, loop := run.Targets[0], run.Targets[1]
	sent, answered := results.Fewest(slices.Concat(pool.Rounds, loop.Rounds))
	alike := pool.Total.FailedShare() <= results.FailedTooMuch && loop.Total.FailedShare() <= results.FailedTooMuch
	switch {
	case !run.Valid:
		return "the run is not valid"
	case sent < leastRequests:
		return fmt.Sprintf("a round needs %d requests", leastRequests)
	case !alike && !m.WithFailures:
		return "requests were rejected: compare goodput"
	case alike && results.GivenByRate(run.Config, m, pool.Total, loop.Total):
		return "given by --rate"
	case run.LateTail && m.Tail:
		return "a downstream was late"
	case m.Percentile > 0 && !stats.Carries(answered, m.Percentile):
		return fmt.Sprintf("a round needs %d answers", stats.Needs(m.Percentile))
	}
	return ""
}
