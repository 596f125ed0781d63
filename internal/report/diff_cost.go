package report

import (
	"fmt"

	"poolvsloop/internal/diff"
	"poolvsloop/internal/results"
)

// diffCosts is the part about the costs of one server in both runs, "" where neither has any.
func diffCosts(c *diff.Cost) string {
	if c == nil {
		return ""
	}
	text := ""
	if len(c.Requests) > 0 {
		text += "\n" + diffRequestsHeading(c) + "\n\n" + requestTable("first", "second", costRows(c))
	}
	if len(c.Idle) > 0 {
		text += "\n" + diffIdleHeading + "\n\n" + idleTable("first", "second", idleRows(c))
	}
	if missing := notMeasured(c.NotMeasured); missing != "" {
		text += "\n" + missing
	}
	return text
}

// markdownDiffCosts is the same as tables.
func markdownDiffCosts(c *diff.Cost) string {
	if c == nil {
		return ""
	}
	text := ""
	if len(c.Requests) > 0 {
		text += "\n" + diffRequestsHeading(c) + "\n\n" + markdownRequests("first", "second", costRows(c))
	}
	if len(c.Idle) > 0 {
		text += "\n" + diffIdleHeading + "\n\n" + markdownIdle("first", "second", idleRows(c))
	}
	if missing := notMeasured(c.NotMeasured); missing != "" {
		text += "\n" + paragraph(missing)
	}
	return text
}

// diffIdleHeading says what the columns of the memory of a connection are.
const diffIdleHeading = "Cost of an idle keep-alive connection (slope, 95 % interval; difference = second - first)"

func diffRequestsHeading(c *diff.Cost) string {
	return fmt.Sprintf("Cost of a request at %g requests/s (medians of the repetitions; ratio = second / first)", c.RateRPS)
}

// costRows and idleRows are the rows as those of a comparison, whose first side is the first run.
func costRows(c *diff.Cost) []results.Comparison {
	rows := make([]results.Comparison, 0, len(c.Requests))
	for _, r := range c.Requests {
		rows = append(rows, results.Comparison{
			Metric: r.Metric, Unit: r.Unit, ThreadPool: r.First, EventLoop: r.Second, Ratio: r.Ratio, CILow: r.CILow, CIHigh: r.CIHigh,
			Verdict: r.Verdict, Note: r.Note,
		})
	}
	return rows
}

func idleRows(c *diff.Cost) []results.IdleCost {
	rows := make([]results.IdleCost, 0, len(c.Idle))
	for _, r := range c.Idle {
		rows = append(rows, results.IdleCost{
			Metric: r.Metric, Unit: r.Unit, ThreadPool: r.First, EventLoop: r.Second, Difference: r.Difference, Verdict: r.Verdict,
		})
	}
	return rows
}
