package compare

import (
	"cmp"
	"fmt"
	"math"
	"strings"

	"poolvsloop/internal/results"
)

// rule is a check with a figure, of which every round's must stay within bounds.
type rule struct {
	name, unit string
	// warn and bound are the figures above which the check warns and fails: the same where there is no middle way.
	warn, bound float64
	// says is what the figure is, in words that go before it; cure is what to do about it.
	says, cure string
	// one is what a measurement is called, "" for a round.
	one string
	// of returns the figure of a round, NaN where it is not known.
	of func(Measurement) float64
}

// check holds the rule against every round.
func (r rule) check(all []Measurement) results.Check {
	c := results.Check{Name: r.name, OK: true, Status: results.NotChecked, Unit: r.unit, Figure: results.Unknown, Bound: results.Number(r.bound)}
	var worst Measurement
	for _, m := range all {
		figure := results.Number(r.of(m))
		if !math.IsNaN(float64(figure)) && (c.Status == results.NotChecked || figure > c.Figure) {
			c.Figure, c.Status, worst = figure, results.Passed, m
		}
	}
	if c.Status == results.NotChecked {
		c.Detail = "not checked: it is not known here (an attached lab, a missing file in /proc, failed requests, or a crowd)"
		return c
	}
	figure := float64(c.Figure)
	c.Detail = fmt.Sprintf("%s: %s at most, bound %s", r.says, measured(figure, r.unit), measured(r.bound, r.unit))
	switch {
	case figure > r.bound:
		c.OK, c.Status = false, results.Failed
	case figure > r.warn:
		c.Status = results.Warning
		c.Detail += ", normal up to " + measured(r.warn, r.unit)
	default:
		return c
	}
	c.Detail += fmt.Sprintf(" (%s in %s %d). %s", worst.Server, cmp.Or(r.one, "round"), worst.Round, r.cure)
	return c
}

func measured(figure float64, unit string) string { return fmt.Sprintf("%.4g %s", figure, unit) }

// withFigure gives a check its figure and bound.
func withFigure(c results.Check, figure, bound float64, unit string) results.Check {
	c.Figure, c.Bound, c.Unit = results.Number(figure), results.Number(bound), unit
	return c
}

// worst returns the largest figure of all rounds, 0 without rounds.
func worst(all []Measurement, of func(Measurement) float64) float64 {
	most := 0.0
	for i, m := range all {
		if figure := of(m); i == 0 || figure > most {
			most = figure
		}
	}
	return most
}

// finished gives a check the status that follows from OK, unless it has one, and makes figure and bound unknown where
// there is no unit. The text of one that failed names its bound.
func finished(c results.Check) results.Check {
	switch {
	case !c.OK:
		c.Status = results.Failed
	case c.Status == "":
		c.Status = results.Passed
	}
	if c.Unit == "" {
		c.Figure, c.Bound = results.Unknown, results.Unknown
	}
	if c.Status == results.Failed && !math.IsNaN(float64(c.Bound)) && !strings.Contains(c.Detail, "bound ") {
		c.Detail += fmt.Sprintf(" (bound %s)", measured(float64(c.Bound), c.Unit))
	}
	return c
}
