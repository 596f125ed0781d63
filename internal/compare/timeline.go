package compare

import (
	"fmt"
	"math"
	"net/http"
	"time"

	"poolvsloop/internal/load"
	"poolvsloop/internal/results"
	"poolvsloop/internal/timeline"
)

// courseOf is a round second by second.
func courseOf(m Measurement) results.Series {
	return results.Series{Order: m.Order, Seconds: timeline.Seconds(m.Load.Samples)}
}

// timelineOf is what became of a round with events.
func timelineOf(m Measurement, seconds []results.Second) results.Timeline {
	t := timeline.Judge(seconds, m.Load.Window, m.Events, m.Before)
	t.Order = m.Order
	return t
}

// checkEvents: every event of every round was carried out.
func checkEvents(all []Measurement) results.Check {
	carriedOut := 0
	for _, m := range all {
		carriedOut += len(m.Events)
	}
	c := each("events", all, fmt.Sprintf("%d events, all carried out, and put back behind each round", carriedOut), func(m Measurement) string {
		var faults []string
		for _, e := range m.Events {
			if e.Err != nil {
				faults = append(faults, fmt.Sprintf("%q failed: %s", e.Event, e.Err))
			}
		}
		return shorten(faults)
	})
	return withFigure(c, worst(all, func(m Measurement) float64 {
		n := 0
		for _, e := range m.Events {
			if e.Err != nil {
				n++
			}
		}
		return float64(n)
	}), 0, "events")
}

// lagRule bounds how late events are begun: a second is what the series can tell apart.
var lagRule = rule{
	name: "events_on_time", unit: "ms", warn: 100, bound: 1000, says: "events were begun after their time",
	cure: "End other programs: both servers have to meet an event at the same moment of a round.",
	of: func(m Measurement) float64 {
		late := math.NaN()
		for _, e := range m.Events {
			if ms := float64(e.Lag) / 1e6; e.Begun && !(ms <= late) {
				late = ms
			}
		}
		return late
	},
}

// checkAnswers: every request was answered as it should be. From the first event or crowd of a round on nothing is expected
// of the answers: it may be what makes them fail.
func (e *Evidence) checkAnswers(allowed map[Server]Rejection) results.Check {
	if !eventful(e.Config) && !crowded(e.Config) {
		return checkAnswers(e.Rounds, allowed)
	}
	early := func(m Measurement) int { return failedBefore(m, disturbed(m, e.Config), allowed[m.Server]) }
	failed, completed := 0, 0
	for _, m := range e.Rounds {
		failed += m.Load.Sent - m.Load.OK2xx
		completed += m.Load.OK2xx
	}
	holds := fmt.Sprintf("%d answers 2xx; %d requests without one, none of them before the first event or crowd", completed, failed)
	c := each("answers", e.Rounds, holds, func(m Measurement) string {
		switch n := early(m); {
		case m.Load.OK2xx == 0 && !crowded(e.Config):
			return "no request was answered with 2xx" + causes(m)
		case n > 0:
			return fmt.Sprintf("%d requests not answered with 2xx before the first event or crowd%s", n, causes(m))
		}
		return ""
	})
	if m := worst(e.Rounds, unsampled); c.OK && m > 0 {
		c.Status, c.Detail = results.NotChecked, "not checked: the single times of a round were not kept, it had too many requests"
	}
	return withFigure(c, worst(e.Rounds, func(m Measurement) float64 { return float64(early(m)) }), 0, "requests")
}

// unsampled is 1 for a round whose single times were not kept.
func unsampled(m Measurement) float64 {
	if m.Load.Samples == nil && m.Load.Sent > 0 {
		return 1
	}
	return 0
}

// failedBefore counts the requests that ended before a moment of the round without a 2xx answer and that no bound of the
// server had to reject.
func failedBefore(m Measurement, moment time.Duration, allowed Rejection) (n int) {
	first := moment.Microseconds()
	for _, x := range m.Load.Samples {
		answered := x.Outcome == load.Answered
		switch {
		case x.Start+int64(x.Total) >= first, answered && x.Status/100 == 2:
		case answered && x.Status == http.StatusServiceUnavailable && allowed.Unavailable:
		case (x.Outcome == load.Reset || x.Outcome == load.Aborted) && allowed.Close:
		default:
			n++
		}
	}
	return n
}

// eventfulWhy and eventfulNext stand for an explanation, which is of a steady load.
const (
	eventfulWhy = "Why: the events change the lab within each round, on purpose: predictions, steady state and the limit are of a " +
		"steady load and are left out. The timeline tells what each event did, and how long each server took to recover."
	eventfulNext = "Next: the same command without --at, for the limit and the predictions of the steady load."
)
