package report

import (
	"fmt"
	"strings"

	"poolvsloop/internal/results"
)

// Markdown is the whole report to be pasted into a pull request: what was compared, the metrics, why, what was predicted,
// the checks, and folded up the part about each server.
func Markdown(run *results.Run) string {
	var b strings.Builder
	b.WriteString("### poolvsloop: " + run.ID + "\n\n")
	if !run.Valid {
		fmt.Fprintf(&b, "**%s**\n\n", headline(run))
		for _, reason := range run.InvalidReasons {
			fmt.Fprintf(&b, "- %s\n", oneLine(reason))
		}
		b.WriteString("\n")
	}
	b.WriteString(fenced(Banner(run)) + "\n")
	if len(run.Comparison) > 0 {
		b.WriteString(markdownComparison(run) + "\n")
	}
	sections := []string{crowds(run) + timelines(run), predictions(run)}
	if len(run.Comparison) > 0 {
		sections = append(sections, explanations(run), anatomy(run)+steady(run))
	}
	for _, text := range sections {
		if text != "" {
			b.WriteString(fenced(text) + "\n")
		}
	}
	b.WriteString(markdownCosts(run))
	b.WriteString(markdownChecks(run))
	for _, t := range run.Targets {
		fmt.Fprintf(&b, "\n<details><summary>%s</summary>\n\n%s\n</details>\n", t.Name, fenced(serverBlock(run.Config, t)))
	}
	return b.String()
}

// markdownComparison is the table of metrics, what it must be read with, and why it came out so.
func markdownComparison(run *results.Run) string {
	var b strings.Builder
	b.WriteString(markdownTable(run))
	fmt.Fprintf(&b, "\nMedians of %s; the ratio is %s / %s over all pairs of rounds.\n",
		roundsOf(len(run.Targets[0].Rounds)), run.Targets[1].Name, run.Targets[0].Name)
	for _, text := range []string{ties(run), family(len(run.Targets[0].Rounds), len(run.Comparison))} {
		if text != "" {
			b.WriteString("\n" + oneLine(text) + "\n")
		}
	}
	for _, t := range run.Targets {
		if text := remarks(t); text != "" {
			b.WriteString("\n" + text)
		}
	}
	if run.LateTail {
		b.WriteString("\n" + lateTail + "\n")
	}
	fmt.Fprintf(&b, "\n%s\n\n%s\n\n%s\n", inShort(run), run.Why, run.Next)
	return b.String()
}

// markdownTable is the comparison as a table.
func markdownTable(run *results.Run) string {
	var b strings.Builder
	fmt.Fprintf(&b, "| metric | %s | %s | ratio | 95 %% interval | verdict |\n", run.Targets[0].Name, run.Targets[1].Name)
	b.WriteString("| --- | ---: | ---: | ---: | :---: | --- |\n")
	for _, r := range run.Comparison {
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

// markdownChecks is every rule, and whether it holds.
func markdownChecks(run *results.Run) string {
	var b strings.Builder
	b.WriteString(summary(run) + "\n| check | status | figure | bound | unit | detail |\n| --- | --- | ---: | ---: | --- | --- |\n")
	for _, c := range run.Checks {
		status := c.Status
		if !c.OK {
			status = "**" + status + "**"
		}
		fmt.Fprintf(&b, "| %s | %s | %s | %s | %s | %s |\n", c.Name, status, short(c.Figure), short(c.Bound), c.Unit, cell(c.Detail))
	}
	return b.String()
}

func fenced(text string) string { return "```\n" + strings.TrimRight(text, "\n") + "\n```\n" }

// cell is text that may stand in a table.
func cell(text string) string { return strings.ReplaceAll(oneLine(text), "|", `\|`) }

func oneLine(text string) string { return strings.Join(strings.Fields(text), " ") }
