package report

import (
	"fmt"
	"strings"

	"poolvsloop/internal/sweep"
)

// SweepMarkdown is the report about a sweep to be pasted into a pull request.
func SweepMarkdown(s *sweep.Sweep) string {
	var b strings.Builder
	b.WriteString("### poolvsloop: " + s.ID + "\n\n" + fenced(sweepBanner(s)) + "\n")
	rows := cellRows(s)
	for column := range rows[0][len(s.Knobs()):] {
		unit := "throughput"
		if column >= 5 {
			unit = "p99"
		}
		rows[0][len(s.Knobs())+column] = unit + " " + rows[0][len(s.Knobs())+column]
	}
	b.WriteString(markdownRows(rows))
	if text := faults(s); text != "" {
		b.WriteString("\n" + fenced(text))
	}
	for _, part := range []string{scalingText(s), crossingText(s), capacityText(s)} {
		if part != "" {
			b.WriteString("\n" + fenced(part))
		}
	}
	b.WriteString("\n")
	for _, remark := range s.Remarks {
		fmt.Fprintf(&b, "- %s\n", remark)
	}
	return b.String()
}
