package timeline

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"poolvsloop/internal/results"
)

// Side is one server, its rounds second by second and what their events did.
type Side struct {
	Name   string
	Series []results.Series
	Rounds []results.Timeline
}

// width is how many bars a line has at most.
const width = 60

// Text says what happened in rounds of that length and how each side took it: the events, a line of bars for each figure,
// a table of the seconds around the events, and when each side was back at its level. It is "" without events.
func Text(sides []Side, length time.Duration) string {
	events := eventsOf(sides)
	if len(events) == 0 {
		return ""
	}
	seconds := int(length / time.Second)
	courses := make([][]Second, len(sides))
	for i, s := range sides {
		courses[i] = Course(s.Series, seconds)
	}
	var b strings.Builder
	b.WriteString("Timeline (second by second; p50 and good, the number, of the 2xx answers: medians of the rounds)\n\n")
	for i, e := range events {
		fmt.Fprintf(&b, "  %s  %-7s %s%s\n", letter(i), at(e), key(e)+"="+e.Value, ends(e))
	}
	b.WriteString("\n" + bands(sides, courses, events, seconds) + "\n" + table(sides, courses, events) + "\n")
	b.WriteString(recoveries(sides, events))
	return b.String()
}

// eventsOf are the events of all sides in the order of their times, each once.
func eventsOf(sides []Side) []results.Event {
	var all []results.Event
	for _, s := range sides {
		if len(s.Rounds) == 0 {
			continue
		}
		for _, e := range s.Rounds[0].Events {
			if !slices.ContainsFunc(all, func(o results.Event) bool { return alike(o, e) }) {
				all = append(all, e)
			}
		}
	}
	slices.SortStableFunc(all, func(a, b results.Event) int { return cmp.Compare(a.AtS, b.AtS) })
	return all
}

func alike(a, b results.Event) bool { return a.AtS == b.AtS && key(a) == key(b) && a.Value == b.Value }

func key(e results.Event) string { return e.Program + "." + e.Setting }

func at(e results.Event) string { return trim(e.AtS) + "s" }

func trim(v float64) string { return strconv.FormatFloat(v, 'f', -1, 64) }

func ends(e results.Event) string {
	if e.EndsFault {
		return "   (ends the fault)"
	}
	return ""
}

// letter names an event; those behind the last letter share a sign.
func letter(i int) string {
	if i < 26 {
		return string(rune('a' + i))
	}
	return "+"
}

// bands are a line of bars for each figure of each side, with the events above them.
func bands(sides []Side, courses [][]Second, events []results.Event, seconds int) string {
	var b strings.Builder
	marks := []rune(strings.Repeat(" ", (seconds+perBar(seconds, width)-1)/perBar(seconds, width)))
	for i := len(events) - 1; i >= 0; i-- {
		if bar := int(events[i].AtS) / perBar(seconds, width); bar < len(marks) {
			marks[bar] = []rune(letter(i))[0]
		}
	}
	fmt.Fprintf(&b, "  %-23s %s", "", strings.TrimRight(string(marks), " "))
	fmt.Fprintf(&b, "   (a bar is %d s)\n", perBar(seconds, width))
	for i, s := range sides {
		for _, f := range figures {
			line, least, most := spark(f.of(courses[i]), width)
			fmt.Fprintf(&b, "  %-11s %-11s %s  %s .. %s\n", s.Name, f.name, line, show(least), show(most))
		}
	}
	return b.String()
}

// figures are those of a second.
var figures = []struct {
	name string
	of   func([]Second) []float64
}{
	{"p50 [ms]", func(all []Second) []float64 {
		return each(all, func(s Second) float64 { return s.P50MS })
	}},
	{"good [1/s]", func(all []Second) []float64 {
		return each(all, func(s Second) float64 { return s.Good })
	}},
}

func each(all []Second, of func(Second) float64) []float64 {
	values := make([]float64, len(all))
	for i, s := range all {
		values[i] = of(s)
	}
	return values
}
