package report

import (
	"strings"

	"poolvsloop/internal/results"
)

// Text is the whole report: what is wrong with the run if it is not valid, what was compared, a report for each server,
// the evidence, and the comparison: what is read first on a terminal is what was printed last.
func Text(run *results.Run) string {
	text := Invalid(run) + Banner(run)
	for _, target := range run.Targets {
		text += "\n\n" + serverBlock(run.Config, target)
	}
	return text + "\n\n" + evidence(run) + comparison(run)
}

// evidence is what the conclusion rests on, section by section.
func evidence(run *results.Run) string {
	text := crowds(run) + timelines(run) + predictions(run)
	if len(run.Comparison) > 0 {
		text += explanations(run) + anatomy(run) + steady(run) + "\n"
	}
	return text + costs(run) + checks(run) + "\n"
}

// Server is the part about one server, to stand alone.
func Server(run *results.Run, target results.Target) string {
	return Invalid(run) + serverBlock(run.Config, target)
}

// Comparison is the report without the parts about each server, to stand alone.
func Comparison(run *results.Run) string {
	return Invalid(run) + Banner(run) + "\n" + evidence(run) + comparison(run)
}

// Invalid returns the block that stands above everything else of a run that is not valid, and "" for a valid one.
func Invalid(run *results.Run) string {
	if run.Valid {
		return ""
	}
	rule := strings.Repeat("=", columns) + "\n"
	var b strings.Builder
	b.WriteString(rule + headline(run) + "\n")
	for _, reason := range run.InvalidReasons {
		b.WriteString(wrap("- "+reason, "  ", "    "))
	}
	return b.String() + rule
}

// headline is what stands first of a run that is not valid.
func headline(run *results.Run) string {
	if run.Interrupted {
		return "INTERRUPTED: a partial report. INVALID: these figures decide nothing."
	}
	return "INVALID: these figures decide nothing."
}
