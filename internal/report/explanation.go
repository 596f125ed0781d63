package report

import (
	"fmt"
	"math"
	"strings"

	"poolvsloop/internal/results"
)

// explanations are the tables of what each server used of its resources, with the limit marked.
func explanations(run *results.Run) string {
	var b strings.Builder
	for _, e := range run.Explanations {
		if len(e.Resources) == 0 {
			continue
		}
		fmt.Fprintf(&b, "Resources of %s (means; limit: %s)\n", e.Server, e.Bottleneck)
		for _, r := range e.Resources {
			mark := "  "
			if r.Name == e.Bottleneck {
				mark = "> "
			}
			line := mark + fmt.Sprintf("%-17s %9s of %-7s %-11s %7s  %s", r.Name, figure(float64(r.Used)), bounded(r.Of), r.Unit,
				percent(r.Share), r.Note)
			b.WriteString(strings.TrimRight(line, " ") + "\n")
		}
		b.WriteString("\n")
	}
	return b.String()
}

func percent(n results.Number) string {
	if math.IsNaN(float64(n)) {
		return "-"
	}
	return fmt.Sprintf("%.1f %%", 100*float64(n))
}
