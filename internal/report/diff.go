package report

import (
	"fmt"
	"strings"

	"poolvsloop/internal/diff"
	"poolvsloop/internal/results"
)

// diffLegend says what the columns of a diff are.
const diffLegend = "medians of the rounds; ratio = second / first over all pairs of rounds, with its 95 % interval"

// Diff is the text about two runs: which they are, in what they differ, and a table for each server.
func Diff(d *diff.Diff) string {
	var b strings.Builder
	fmt.Fprintf(&b, "first:   %s\nsecond:  %s\n\n", d.First, d.Second)
	b.WriteString(differences(d))
	b.WriteString("\n" + wrap("("+diffLegend+")", "", " "))
	for _, s := range d.Servers {
		fmt.Fprintf(&b, "\n%s (%s, %s)\n\n", s.Name, roundsOf(s.FirstRounds), roundsOf(s.SecondRounds))
		fmt.Fprintf(&b, "  %-29s %10s %10s %7s  %-16s %s\n", "", "first", "second", "ratio", "interval", "verdict")
		for _, r := range s.Metrics {
			shown := diffRow(r)
			fmt.Fprintf(&b, "  %-29s %10s %10s %7s  %-16s %s\n", label(shown), figure(r.First), figure(r.Second), number(r.Ratio),
				interval(shown), r.Verdict+diffNote(r))
		}
		b.WriteString(diffCosts(s.Cost))
	}
	return b.String()
}

// DiffMarkdown is the same to be pasted into a pull request.
func DiffMarkdown(d *diff.Diff) string {
	var b strings.Builder
	fmt.Fprintf(&b, "### poolvsloop: %s (first) and %s (second)\n\n", d.First, d.Second)
	b.WriteString(fenced(differences(d)) + "\n(" + diffLegend + ")\n")
	for _, s := range d.Servers {
		fmt.Fprintf(&b, "\n#### %s (%s, %s)\n\n", s.Name, roundsOf(s.FirstRounds), roundsOf(s.SecondRounds))
		b.WriteString("| metric | first | second | ratio | 95 % interval | verdict |\n| --- | ---: | ---: | ---: | :---: | --- |\n")
		for _, r := range s.Metrics {
			shown := diffRow(r)
			fmt.Fprintf(&b, "| %s | %s | %s | %s | %s | %s |\n", label(shown), figure(r.First), figure(r.Second), number(r.Ratio),
				interval(shown), cell(r.Verdict+diffNote(r)))
		}
		b.WriteString(markdownDiffCosts(s.Cost))
	}
	return b.String()
}

// differences lists what the runs do not share.
func differences(d *diff.Diff) string {
	if len(d.Differences) == 0 {
		return "No difference in configuration, environment or versions.\n"
	}
	var b strings.Builder
	b.WriteString("THE RUNS DIFFER. A winner below may be due to any of these:\n")
	for _, x := range d.Differences {
		b.WriteString(wrap(fmt.Sprintf("%s: %s in the first, %s in the second", x.Key, x.First, x.Second), "  ", "    "))
	}
	return b.String()
}

// diffRow is what a row of a diff shares with one of a comparison.
func diffRow(r diff.Row) results.Comparison {
	return results.Comparison{Metric: r.Metric, Unit: r.Unit, CILow: r.CILow, CIHigh: r.CIHigh}
}

func diffNote(r diff.Row) string {
	if r.Note == "" {
		return ""
	}
	return ": " + r.Note
}
