package report

import (
	"fmt"
	"math"
	"strings"

	"poolvsloop/internal/results"
	"poolvsloop/internal/sweep"
)

// capacityText says how much load each server carries within its bounds, and what each step showed.
func capacityText(s *sweep.Sweep) string {
	if len(s.Capacities) == 0 {
		return ""
	}
	unit, loop := unitOf(s.Search), "a closed loop: the search is over the number of clients"
	if s.Search.Over == "rate" {
		loop = "an open loop: the search is over the rate of arrivals"
	}
	text := fmt.Sprintf("The most load under which %s (%s)\n\n", strings.Join(s.Search.Conditions, " and "), loop)
	for _, c := range s.Capacities {
		if label := sweep.Label(s.Knobs(), c.Settings); label != "" {
			text += "  " + label + "\n"
		}
		for _, server := range c.Servers {
			text += wrap(server.Name+": "+bracketWords(server, unit), "    ", "      ")
		}
		if c.Ahead != "" {
			text += wrap(aheadWords(c), "    ", "      ")
		}
		for _, step := range c.Steps {
			text += wrap(stepWords(s, step, unit), "      ", "        ")
		}
	}
	return text + wrap("One measurement at each step: near the bound, noise moves it by more than the bracket says.", "  ", "  ")
}

// unitOf is that of the loads of a search.
func unitOf(s *sweep.Search) string {
	if s.Over == "rate" {
		return "/s"
	}
	return " clients"
}

func bracketWords(c sweep.ServerCapacity, unit string) string {
	var words []string
	for _, part := range []struct {
		x    results.Number
		says string
	}{{c.Kept, "kept at %s%s"}, {c.Broken, "not at %s%s"}, {c.Unknown, "not known at %s%s"}} {
		if !math.IsNaN(float64(part.x)) {
			words = append(words, fmt.Sprintf(part.says, short(part.x), unit))
		}
	}
	text := strings.Join(words, ", ")
	if c.Note != "" {
		text += ": " + c.Note
	}
	return text
}

func aheadWords(c sweep.Capacity) string {
	if math.IsNaN(float64(c.AtMost)) {
		return fmt.Sprintf("%s carries at least %s times as much", c.Ahead, number(c.AtLeast))
	}
	return fmt.Sprintf("%s carries %s to %s times as much", c.Ahead, number(c.AtLeast), number(c.AtMost))
}

// stepWords say what came of a step for each server.
func stepWords(s *sweep.Sweep, step sweep.CapacityStep, unit string) string {
	var words []string
	for i, outcome := range step.Outcomes {
		name := fmt.Sprint(i + 1)
		if i < len(s.Servers) {
			name = s.Servers[i]
		}
		text := name + " " + outcome
		if step.Why[i] != "" {
			reason, _, _ := strings.Cut(step.Why[i], ": ")
			text += " (" + reason + ")"
		}
		words = append(words, text)
	}
	return fmt.Sprintf("%g%s: %s", step.Load, unit, strings.Join(words, ", "))
}
