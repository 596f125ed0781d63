package report

import (
	"fmt"
	"math"
	"strconv"
	"strings"

	"poolvsloop/internal/results"
)

// checks is a table of the rules that the measurement must obey, and below it what those say that do not just hold.
func checks(run *results.Run) string {
	var b, remarks strings.Builder
	fmt.Fprintf(&b, "%-26s %-12s %10s %10s  %s\n", "Checks", "status", "figure", "bound", "unit")
	for _, c := range run.Checks {
		b.WriteString(strings.TrimRight(fmt.Sprintf("  %-24s %-12s %10s %10s  %s", c.Name, c.Status, short(c.Figure),
			short(c.Bound), c.Unit), " ") + "\n")
		if c.Status != results.Passed {
			remarks.WriteString(wrap(fmt.Sprintf("%s: %s: %s", strings.ToUpper(c.Status), c.Name, c.Detail), "", "  "))
		}
	}
	if remarks.Len() > 0 {
		b.WriteString("\n" + remarks.String())
	}
	return b.String()
}

// summary counts the rules by what became of them.
func summary(run *results.Run) string {
	count := map[string]int{}
	for _, c := range run.Checks {
		count[c.Status]++
	}
	text := fmt.Sprintf("Checks: %d passed, %d failed", count[results.Passed], count[results.Failed])
	for _, status := range []string{results.Warning, results.NotChecked} {
		if n := count[status]; n > 0 {
			text += fmt.Sprintf(", %d %s", n, status)
		}
	}
	return text + ".\n"
}

// short prints a figure in at most four digits, "-" for one that is not known.
func short(n results.Number) string {
	v := float64(n)
	if math.IsNaN(v) || math.IsInf(v, 0) {
		return "-"
	}
	return strconv.FormatFloat(v, 'g', 4, 64)
}
