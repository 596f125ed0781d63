package report

import (
	"fmt"
	"strings"

	"poolvsloop/internal/results"
)

// Markdown is the comparison to be pasted into a pull request: what was compared, the metrics, why, and the checks.
func Markdown(run *results.Run) string {
	var b strings.Builder
	b.WriteString("### poolvsloop: " + run.ID + "\n\n")
	if !run.Valid {
		fmt.Fprintf(&b, "**%s**\n\n", headline(run))
		for _, reason := range run.InvalidReasons {
			fmt.Fprintf(&b, "- %s\n", reason)
		}
		b.WriteString("\n")
	}
	b.WriteString("```\n" + Banner(run) + "```\n\n")
	if len(run.Comparison) > 0 {
		b.WriteString(markdownTable(run.Comparison))
		for _, t := range run.Targets {
			if text := remarks(t); text != "" {
				b.WriteString("\n" + text)
			}
		}
		if run.LateTail {
			b.WriteString("\n" + lateTail + "\n")
		}
		fmt.Fprintf(&b, "\n%s\n\n%s\n", run.Why, run.Next)
	}
	return b.String() + "\n" + checks(run)
}

// markdownTable is the comparison as a table.
func markdownTable(rows []results.Comparison) string {
	var b strings.Builder
	b.WriteString("| metric | threadpool | eventloop | ratio | 95 % interval | verdict |\n")
	b.WriteString("| --- | ---: | ---: | ---: | :---: | --- |\n")
	for _, r := range rows {
		fmt.Fprintf(&b, "| %s | %s | %s | %s | %s | %s |\n", label(r), figure(r.ThreadPool), figure(r.EventLoop),
			number(r.Ratio), interval(r), verdict(r))
	}
	return b.String()
}

// verdict is a row's verdict and why it is inconclusive.
func verdict(r results.Comparison) string {
	if r.Note == "" {
		return r.Verdict
	}
	return r.Verdict + ": " + r.Note
}
