package compare

import (
	"fmt"
	"math"

	"poolvsloop/internal/lab"
	"poolvsloop/internal/results"
	"poolvsloop/internal/stats"
	"poolvsloop/internal/why"
)

// waiting is how long requests had to wait in A and B on average, and how much longer they did, the queues in front of A
// and B included; both in ms.
type waiting struct{ intended, late float64 }

func waited(a, b lab.Ledger) waiting {
	intended := a.IntendedMS.Mean + b.IntendedMS.Mean
	return waiting{intended, a.DeliveredMS.Mean + b.DeliveredMS.Mean - intended + queued(a) + queued(b)}
}

// queued is how long a call of a downstream waited at its concurrency limit, on average over all calls, in ms.
func queued(l lab.Ledger) float64 {
	if l.Calls == 0 {
		return 0
	}
	return l.QueueMS.Mean * float64(l.Queued) / float64(l.Calls)
}

// share is late as a share of intended; without an intended wait nothing can be late.
func (w waiting) share() float64 {
	if w.intended <= 0 {
		return 0
	}
	return w.late / w.intended
}

// checkOnTime: the downstreams delivered the delays they had to.
func checkOnTime(all []Measurement) results.Check {
	a, b := ledgers(all)
	whole := waited(a, b)
	holds := fmt.Sprintf("requests waited %.1f ms in A and B as wanted, and %.2f ms more (%.1f %%), bound %.0f %%",
		whole.intended, whole.late, 100*whole.share(), 100*why.MostLate)
	c := each("downstreams_on_time", all, holds, func(m Measurement) string {
		if w := waited(m.A, m.B); w.share() > why.MostLate {
			return fmt.Sprintf("requests waited %.1f ms in A and B, and %.1f ms more (%.0f %%), bound %.0f %%",
				w.intended, w.late, 100*w.share(), 100*why.MostLate)
		}
		return ""
	})
	switch queue := queued(a) + queued(b); {
	case c.OK:
	case queue > whole.late/2:
		c.Detail += fmt.Sprintf(". %.0f %% of that was spent in front of a concurrency limit of A or B: the downstreams were "+
			"measured, not the servers", 100*queue/whole.late)
	default:
		c.Detail += ". A busy machine does that: end other programs, or take fewer clients or longer delays"
	}
	late := worst(all, func(m Measurement) float64 { return 100 * waited(m.A, m.B).share() })
	return withFigure(c, late, 100*why.MostLate, "% of the wait")
}

// checkEqualDelays: the downstreams delivered the same delays to both servers, within the margin of a tie.
func checkEqualDelays(sides Sides, all []Measurement) results.Check {
	first, second := waited(ledgers(of(sides[0], all))).share(), waited(ledgers(of(sides[1], all))).share()
	apart := math.Abs(first - second)
	c := results.Check{
		Name: "equal_delays", OK: apart <= stats.Margin,
		Detail: fmt.Sprintf("delays of A and B were %.1f %% too long for %s and %.1f %% for %s, "+
			"bound %.0f %% apart", 100*first, sides[0], 100*second, sides[1], 100*stats.Margin),
	}
	return withFigure(c, 100*apart, 100*stats.Margin, "% of the wait")
}

// lateTail says whether more than 1 % of the delays of a downstream were too long in any round (the ledger's own
// judgement): then the slowest 1 % of the requests are at least in part the downstream's.
func lateTail(all []Measurement) bool {
	for _, m := range all {
		if m.A.Late || m.B.Late {
			return true
		}
	}
	return false
}
