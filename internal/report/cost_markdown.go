package report

import (
	"fmt"
	"strings"

	"poolvsloop/internal/results"
)

// markdownCosts is what [costs] says, as tables.
func markdownCosts(run *results.Run) string {
	c := run.Cost
	if c == nil {
		return ""
	}
	var b strings.Builder
	first, second := c.Targets[0].Name, c.Targets[1].Name
	if len(c.Requests) > 0 {
		b.WriteString(requestsHeading(c) + "\n\n" + markdownRequests(first, second, c.Requests) + "\n" + paragraph(countedWords(c)))
	}
	if len(c.Idle) > 0 {
		b.WriteString(idleHeading(c) + "\n\n" + markdownIdle(first, second, c.Idle) + "\n" + paragraph(machineWords(c)))
	}
	return b.String() + paragraph(notMeasured(c.NotMeasured))
}

func markdownRequests(first, second string, rows []results.Comparison) string {
	var b strings.Builder
	fmt.Fprintf(&b, "| cost of a request | %s | %s | ratio | 95 %% interval | verdict |\n", first, second)
	b.WriteString("| --- | ---: | ---: | ---: | :---: | --- |\n")
	for _, r := range rows {
		fmt.Fprintf(&b, "| %s | %s | %s | %s | %s | %s |\n", label(r), figure(r.ThreadPool), figure(r.EventLoop), number(r.Ratio),
			interval(r), verdict(r))
	}
	return b.String()
}

func markdownIdle(first, second string, rows []results.IdleCost) string {
	var b strings.Builder
	fmt.Fprintf(&b, "| cost of an idle connection | %s | %s | difference | verdict |\n", first, second)
	b.WriteString("| --- | ---: | ---: | ---: | --- |\n")
	for _, r := range rows {
		fmt.Fprintf(&b, "| %s | %s | %s | %s | %s |\n", idleTitles[r.Metric]+" ["+r.Unit+"]", slope(r.ThreadPool), slope(r.EventLoop),
			slope(r.Difference), r.Verdict)
	}
	return b.String()
}

// paragraph is text on one line with an empty one behind it, "" for none.
func paragraph(text string) string {
	if text = oneLine(text); text == "" {
		return ""
	}
	return text + "\n\n"
}
