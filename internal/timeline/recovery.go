package timeline

import (
	"fmt"
	"maps"
	"math"
	"time"

	"poolvsloop/internal/results"
	"poolvsloop/internal/stats"
)

// What back at the level means.
const (
	// Margin is how far above the level's p50, and below its good answers, a second may be, relative.
	Margin = 0.2
	// leastSlackMS is the least that the p50 may be above the level: below it a busy machine's timers decide.
	leastSlackMS = 1
	// deviations is how many standard deviations of a Poisson count the good answers may be below the level, where that is
	// more than Margin: so far a steady server strays once in 700 seconds.
	deviations = 3
	// inARow is for how many seconds together it must be so.
	inARow = 2
	// leastSeconds is the number of whole seconds that make a level.
	leastSeconds = 2
)

// Rule says in words what back at the level means.
var Rule = fmt.Sprintf("%d seconds with a p50 up to %.0f %% (or %d ms) above and up to %.0f %% (or %d sd of a count) fewer good", inARow,
	100*Margin, leastSlackMS, 100*Margin, deviations)

// Level is how a server did before the first event.
type Level struct {
	// P50MS and Good are medians of seconds: of their p50 and of their number of 2xx answers.
	P50MS, Good float64
}

// LevelBefore takes the level from the whole seconds before a time, but for the first one, in which a load begins. ok is
// false with fewer than two of them, and when nothing was answered in most.
func LevelBefore(seconds []results.Second, first time.Duration) (level Level, ok bool) {
	end := min(int(first/time.Second), len(seconds))
	if end-1 < leastSeconds {
		return Level{}, false
	}
	var p50, good []float64
	for _, s := range seconds[1:end] {
		p50, good = append(p50, float64(s.P50MS)), append(good, float64(s.OK2xx))
	}
	level = Level{P50MS: stats.Summarize(p50).Median, Good: stats.Summarize(good).Median}
	return level, level.Good > 0
}

// Holds says whether a second is at the level. One without a 2xx answer is not.
func (l Level) Holds(s results.Second) bool {
	slow := l.P50MS + max(Margin*l.P50MS, leastSlackMS)
	few := l.Good - max(Margin*l.Good, deviations*math.Sqrt(l.Good))
	return s.OK2xx > 0 && float64(s.P50MS) <= slow && float64(s.OK2xx) >= few
}

// Recovery is the time from an event until the first of the whole seconds from which on the level holds for two seconds
// together, both before the time until. ok is false when there are none.
func (l Level) Recovery(seconds []results.Second, from, until time.Duration) (after time.Duration, ok bool) {
	first := int((from + time.Second - 1) / time.Second)
	row := 0
	for i := first; i < min(int(until/time.Second), len(seconds)); i++ {
		if !l.Holds(seconds[i]) {
			row = 0
			continue
		}
		if row++; row == inARow {
			return time.Duration(i+1-inARow)*time.Second - from, true
		}
	}
	return 0, false
}

// Done is how an event went.
type Done struct {
	Event
	// Begun says that it was begun, Lag how much later than intended, Took how long the program took to take it.
	Begun     bool
	Lag, Took time.Duration
	// Err is why it failed, nil for one that did not.
	Err error
}

// Judge says what became of a round of so many whole seconds in which the events were carried out, in the order of their
// times. before has the values from before the first one, by [Event.Key].
func Judge(seconds []results.Second, length time.Duration, events []Done, before map[string]string) results.Timeline {
	x := results.Timeline{
		BaseP50MS: results.Unknown, BaseGoodRPS: results.Unknown, Before: map[string]string{}, Events: []results.Event{},
	}
	maps.Copy(x.Before, before)
	if len(events) == 0 {
		return x
	}
	level, known := LevelBefore(seconds, events[0].At)
	if known {
		x.BaseP50MS, x.BaseGoodRPS = results.Number(level.P50MS), results.Number(level.Good)
	}
	plan := make([]Event, len(events))
	for i, e := range events {
		plan[i] = e.Event
	}
	for i, ends := range EndsFault(plan, before) {
		e := document(events[i])
		if e.EndsFault = ends; ends {
			e.Recovery = results.RecoveryNotKnown
			if known && e.Error == "" {
				e.Recovery, e.RecoveredS = recoveryOf(level, seconds, events[i].At, until(plan[i+1:], length))
			}
		}
		x.Events = append(x.Events, e)
	}
	return x
}

// until is when the next event comes, or the round ends.
func until(next []Event, length time.Duration) time.Duration {
	if len(next) > 0 {
		return min(next[0].At, length)
	}
	return length
}

func recoveryOf(level Level, seconds []results.Second, from, until time.Duration) (string, results.Number) {
	after, ok := level.Recovery(seconds, from, until)
	if !ok {
		return results.NotRecovered, results.Unknown
	}
	return results.Recovered, results.Number(after.Seconds())
}

func document(d Done) results.Event {
	e := results.Event{
		AtS: d.At.Seconds(), Program: d.Program, Setting: d.Setting, Value: d.Value,
		LagMS: results.Unknown, TookMS: results.Unknown, RecoveredS: results.Unknown,
	}
	if d.Begun {
		e.LagMS, e.TookMS = milliseconds(d.Lag), milliseconds(d.Took)
	}
	if d.Err != nil {
		e.Error = d.Err.Error()
	}
	return e
}

func milliseconds(d time.Duration) results.Number { return results.Number(float64(d) / 1e6) }
