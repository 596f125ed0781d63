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

// passed says how many of the rules hold without a remark.
func passed(run *results.Run) string {
	held := 0
	for _, c := range run.Checks {
		if c.Status == results.Passed {
			held++
		}
	}
	return fmt.Sprintf("Checks: %d of %d passed.\n", held, len(run.Checks))
}

// short prints a figure in at most four digits, "-" for one that is not known.
func short(n results.Number) string {
	v := float64(n)
	if math.IsNaN(v) || math.IsInf(v, 0) {
		return "-"
	}
	return strconv.FormatFloat(v, 'g', 4, 64)
}
