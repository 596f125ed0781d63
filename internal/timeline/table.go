package timeline

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"poolvsloop/internal/results"
	"poolvsloop/internal/stats"
)

// The seconds around an event that the table shows.
const (
	secondsBefore = 1
	secondsAfter  = 2
)

// table has the seconds around the events and those in which the sides were back at their levels.
func table(sides []Side, courses [][]Second, events []results.Event) string {
	var b strings.Builder
	fmt.Fprintf(&b, "  %6s", "second")
	for _, s := range sides {
		fmt.Fprintf(&b, "   %11s %10s", s.Name, "")
	}
	fmt.Fprintf(&b, "\n  %6s%s\n", "", strings.Repeat(fmt.Sprintf("   %11s %10s", "p50 [ms]", "good [1/s]"), len(sides)))
	last := -1
	for _, second := range shown(sides, courses, events) {
		if last >= 0 && second > last+1 {
			fmt.Fprintf(&b, "  %6s\n", "…")
		}
		last = second
		fmt.Fprintf(&b, "  %6d", second)
		for _, course := range courses {
			p50, good := "-", "-"
			if second < len(course) {
				p50, good = show(course[second].P50MS), show(course[second].Good)
			}
			fmt.Fprintf(&b, "   %11s %10s", p50, good)
		}
		b.WriteString(within(events, second) + "\n")
	}
	return b.String()
}

// within names the events of a second.
func within(events []results.Event, second int) string {
	names := ""
	for i, e := range events {
		if int(e.AtS) == second {
			names += " " + letter(i)
		}
	}
	if names == "" {
		return ""
	}
	return "  " + names
}

// shown are the seconds of the table, in their order.
func shown(sides []Side, courses [][]Second, events []results.Event) []int {
	length := 0
	for _, c := range courses {
		length = max(length, len(c))
	}
	var all []int
	add := func(from, to int) {
		for second := max(0, from); second <= min(to, length-1); second++ {
			all = append(all, second)
		}
	}
	for _, e := range events {
		add(int(e.AtS)-secondsBefore, int(e.AtS)+secondsAfter)
		for _, s := range sides {
			if took := recovered(s, e); len(took) > 0 {
				back := int(math.Ceil(e.AtS + stats.Summarize(took).Median))
				add(back, back)
			}
		}
	}
	slices.Sort(all)
	return slices.Compact(all)
}

// recovered are the times in which a side recovered from what an event ended, one for each round in which it did.
func recovered(s Side, event results.Event) []float64 {
	var took []float64
	for _, r := range s.Rounds {
		for _, e := range r.Events {
			if alike(e, event) && e.Recovery == results.Recovered {
				took = append(took, float64(e.RecoveredS))
			}
		}
	}
	return took
}

// recoveries say when each side was back at its level.
func recoveries(sides []Side, events []results.Event) string {
	var b strings.Builder
	fmt.Fprintf(&b, "  Time to recover, from the end of a fault until the level before the first event holds again:\n  %s\n", Rule)
	for _, s := range sides {
		fmt.Fprintf(&b, "  %-11s level %s\n", s.Name, level(s.Rounds))
		found := false
		for i, e := range events {
			if text := recovery(s, e); text != "" {
				found = true
				fmt.Fprintf(&b, "  %-11s %s: %s\n", "", letter(i), text)
			}
		}
		if !found {
			fmt.Fprintf(&b, "  %-11s %s\n", "", noEnd(s.Rounds))
		}
	}
	return b.String() + lags(sides)
}

// level is the level of a side before the first event, as the median of its rounds.
func level(rounds []results.Timeline) string {
	var p50, good []float64
	for _, r := range rounds {
		p50, good = append(p50, float64(r.BaseP50MS)), append(good, float64(r.BaseGoodRPS))
	}
	if math.IsNaN(middle(p50)) {
		return "not known (it takes two whole seconds from second 1 on)"
	}
	return fmt.Sprintf("%s ms, %s good/s", show(middle(p50)), show(middle(good)))
}

// recovery says how a side recovered from what an event ended in its rounds; "" when the event ended nothing.
func recovery(s Side, event results.Event) string {
	rounds, unknown := 0, 0
	for _, r := range s.Rounds {
		for _, e := range r.Events {
			if alike(e, event) && e.Recovery != "" {
				rounds++
				if e.Recovery == results.RecoveryNotKnown {
					unknown++
				}
			}
		}
	}
	took := recovered(s, event)
	switch {
	case rounds == 0:
		return ""
	case unknown == rounds:
		return results.RecoveryNotKnown
	case len(took) == 0:
		return results.NotRecovered
	}
	of := stats.Summarize(took)
	text := "after " + trim(of.Median) + " s"
	if of.Min < of.Max {
		text += fmt.Sprintf(" (%s to %s)", trim(of.Min), trim(of.Max))
	}
	if of.N < rounds {
		text += fmt.Sprintf(" in %d of %d rounds, %s in the others", of.N, rounds, results.NotRecovered)
	}
	return text
}

// noEnd says why there is no time to recover.
func noEnd(rounds []results.Timeline) string {
	if len(rounds) == 0 || len(rounds[0].Events) == 0 {
		return "no event of its own"
	}
	var old []string
	for setting, value := range rounds[0].Before {
		old = append(old, setting+"="+value)
	}
	slices.Sort(old)
	return "no event ends the fault: none goes back to " + strings.Join(old, " ")
}

// lags say how late events were begun and how long they took.
func lags(sides []Side) string {
	var lag, took []float64
	for _, s := range sides {
		for _, r := range s.Rounds {
			for _, e := range r.Events {
				lag, took = append(lag, float64(e.LagMS)), append(took, float64(e.TookMS))
			}
		}
	}
	if math.IsNaN(middle(lag)) {
		return "  No event was carried out.\n"
	}
	return fmt.Sprintf("  Events were begun at most %s ms late and took at most %s ms.\n", show(stats.Summarize(lag).Max), show(stats.Summarize(took).Max))
}
