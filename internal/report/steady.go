package report

import (
	"fmt"
	"math"
	"strings"

	"poolvsloop/internal/results"
	"poolvsloop/internal/stats"
)

// steady says in how many rounds of each server the response times had no trend, and how strong the strongest one was.
func steady(run *results.Run) string {
	if len(run.Config.At) > 0 {
		return wrap("not judged: events make the rounds unsteady, on purpose; for the same reason there is no prediction.",
			"Steady state: ", "  ")
	}
	var all []string
	for _, t := range run.Targets {
		all = append(all, t.Name+" "+courses(t.Steady))
	}
	return wrap(strings.Join(all, "; ")+".", "Steady state: ", "  ")
}

// courses is how the rounds of one server went.
func courses(rounds []results.Course) string {
	counts := map[string]int{}
	strongest := 0.0
	for _, c := range rounds {
		counts[c.Verdict]++
		if c.Verdict != stats.Flat && math.Abs(c.Change) > math.Abs(strongest) {
			strongest = c.Change
		}
	}
	if counts[stats.TooShort] == len(rounds) {
		return "not known (rounds too short)"
	}
	text := fmt.Sprintf("flat in %d of %s", counts[stats.Flat], roundsOf(len(rounds)))
	for _, verdict := range []string{stats.Warming, stats.Drifting} {
		if n := counts[verdict]; n > 0 {
			text += fmt.Sprintf(", %s in %d", verdict, n)
		}
	}
	if n := counts[stats.TooShort]; n > 0 {
		text += fmt.Sprintf(", too short in %d", n)
	}
	if strongest != 0 {
		text += fmt.Sprintf(" (response times %+.1f %% at most)", 100*strongest)
	}
	return text
}
