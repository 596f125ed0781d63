package compare

import (
	"fmt"
	"maps"
	"math"
	"net/http"
	"slices"
	"strings"

	"poolvsloop/internal/load"
	"poolvsloop/internal/results"
	"poolvsloop/internal/stats"
)

// faultsShown is how many faults of one rule are told; the rest is counted.
const faultsShown = 3

// each makes the check of a rule that must hold in every round, of which there is one at least. fault returns what is
// wrong with a round, or ""; holds is what is said when nothing is.
func each(name string, all []Measurement, holds string, fault func(Measurement) string) results.Check {
	var faults []string
	for _, m := range all {
		if text := fault(m); text != "" {
			faults = append(faults, fmt.Sprintf("%s in round %d: %s", m.Server, m.Round, text))
		}
	}
	if len(faults) == 0 {
		return results.Check{Name: name, OK: true, Detail: holds}
	}
	return results.Check{Name: name, Detail: shorten(faults)}
}

// shorten joins the first few texts and counts the rest.
func shorten(texts []string) string {
	if more := len(texts) - faultsShown; more > 0 {
		return fmt.Sprintf("%s; and %d more", strings.Join(texts[:faultsShown], "; "), more)
	}
	return strings.Join(texts, "; ")
}

// checkBooks: every planned request was sent or dropped, and every sent one has one outcome.
func checkBooks(all []Measurement) results.Check {
	sent := 0
	for _, m := range all {
		sent += m.Load.Sent
	}
	holds := fmt.Sprintf("all of %d requests have one outcome each", sent)
	c := each("closed_books", all, holds, func(m Measurement) string {
		if err := m.Load.Books(); err != nil {
			return err.Error()
		}
		return ""
	})
	return withFigure(c, worst(all, unbooked), 0, "requests")
}

// unbooked is how many planned requests have no outcome, or one too many.
func unbooked(m Measurement) float64 {
	c := m.Load.Counts
	outcomes := c.Answered + c.TimedOut + c.Reset + c.Refused + c.Aborted + c.InFlight
	return math.Abs(float64(c.Planned-c.Sent-c.Dropped)) + math.Abs(float64(c.Sent-outcomes))
}

// checkAnswers: every request was answered with 2xx, but for those that a bound of the server had to reject.
func checkAnswers(all []Measurement, allowed map[Server]Rejection) results.Check {
	completed, rejected := 0, 0
	for _, m := range all {
		completed += m.Load.OK2xx
		rejected += m.Load.Sent - m.Load.OK2xx
	}
	holds := fmt.Sprintf("%d answers, all 2xx", completed)
	if rejected > 0 {
		holds = fmt.Sprintf("%d answers 2xx; %d requests rejected, as the bounds of the servers want it", completed, rejected)
	}
	unexplained := func(m Measurement) int {
		r := m.Load
		bad := r.Sent - r.OK2xx
		if allowed[m.Server].Unavailable {
			bad -= r.ByStatus[http.StatusServiceUnavailable]
		}
		if allowed[m.Server].Close {
			bad -= r.Reset + r.Aborted
		}
		return bad
	}
	c := each("answers", all, holds, func(m Measurement) string {
		r := m.Load
		if unexplained(m) == 0 && r.OK2xx > 0 {
			return ""
		}
		return fmt.Sprintf("%d of %d requests not answered with 2xx (non-2xx %d, timed out %d, reset %d, refused %d, "+
			"aborted %d, in flight at the end %d)%s", r.Sent-r.OK2xx, r.Sent, r.Non2xx, r.TimedOut, r.Reset, r.Refused,
			r.Aborted, r.InFlight, causes(m))
	})
	share := worst(all, func(m Measurement) float64 { return percent(float64(unexplained(m)), float64(m.Load.Sent)) })
	return withFigure(c, share, 0, "% of requests")
}

// causes tells the failures of a round apart.
func causes(m Measurement) string {
	var text strings.Builder
	for _, status := range slices.Sorted(maps.Keys(m.Load.ByStatus)) {
		if status/100 != 2 {
			fmt.Fprintf(&text, "; status %d: %d", status, m.Load.ByStatus[status])
		}
	}
	for _, cause := range slices.Sorted(maps.Keys(m.Load.Failures)) {
		fmt.Fprintf(&text, "; %s: %d", cause, m.Load.Failures[cause])
	}
	return text.String()
}

// checkContent: every answer 200 came from the server that was asked, and all have one length.
func checkContent(all []Measurement) results.Check {
	const holds = "all answers 200 are of the server asked, and of one length"
	return each("answer_content", all, holds, func(m Measurement) string {
		switch r := m.Load; {
		case r.Wrong > 0:
			return fmt.Sprintf("%d answers are wrong, such as: %s", r.Wrong, shorten(r.WrongSample))
		case r.Different > 0 && r.Non2xx == 0:
			return fmt.Sprintf("%d answers are not %d bytes long as the first", r.Different, r.Length)
		}
		return ""
	})
}

// checkGenerator: the load engine had processor time to spare. Its loop is one thread, so one core is its limit,
// whatever the rest of the process does; and a core that others had is none.
func checkGenerator(all []Measurement) results.Check {
	most := 0.0
	for _, m := range all {
		most = max(most, generatorShare(m))
	}
	holds := fmt.Sprintf("the load runner's loop used or waited for at most %.2f of one core, bound %.2f", most, load.MostLoopShare)
	c := each("generator_not_the_limit", all, holds, func(m Measurement) string {
		if share := generatorShare(m); share > load.MostLoopShare {
			return fmt.Sprintf("generator is the limit: its loop used or waited for %.2f of one core, bound %.2f", share, load.MostLoopShare)
		}
		return ""
	})
	return withFigure(c, 100*most, 100*load.MostLoopShare, "% of a core")
}

func generatorShare(m Measurement) float64 {
	if m.Load.Duration <= 0 {
		return 0
	}
	return m.Load.NeediestLoop.Seconds() / m.Load.Duration.Seconds()
}

// checkStarved: every client got an answer, but where a server has to close connections without one.
func checkStarved(all []Measurement, allowed map[Server]Rejection) results.Check {
	return each("no_client_starved", all, "no client went without an answer", func(m Measurement) string {
		f := stats.FairnessOf(m.Load.AnswersPerClient)
		if f.Starved == 0 || allowed[m.Server].Close {
			return ""
		}
		return fmt.Sprintf("%d of %d clients got no answer", f.Starved, f.Clients)
	})
}

// checkLittle: no more requests were in progress than there were clients (Little: L = X·R), and not many fewer.
func checkLittle(all []Measurement) results.Check {
	low, high := math.Inf(1), 0.0
	for _, m := range all {
		ratio := little(m).Ratio
		low, high = min(low, ratio), max(high, ratio)
	}
	holds := fmt.Sprintf("X·R over clients is %.3f to %.3f, bound %.2f", low, high, stats.MostLittle)
	c := each("littles_law", all, holds, func(m Measurement) string {
		if ratio := little(m).Ratio; ratio > stats.MostLittle {
			return fmt.Sprintf("X·R is %.3f times the number of clients, bound %.2f", ratio, stats.MostLittle)
		}
		return ""
	})
	if c.OK && slices.ContainsFunc(all, waitedUnseen) {
		c.Status = results.Warning
		c.Detail += fmt.Sprintf("; below %.2f something waited that the response times do not show", stats.LeastLittle)
	}
	return withFigure(c, 100*high, 100*stats.MostLittle, "% of clients")
}

// waitedUnseen says whether X·R of a round misses clients that its end does not explain.
func waitedUnseen(m Measurement) bool {
	return little(m).Ratio < stats.LeastLittle && m.Load.Answered >= stats.LeastForLittle*m.Load.Clients
}

// checkRounds: all rounds were measured to their end.
func checkRounds(measured, planned int, interrupted bool, stopped error) results.Check {
	c := results.Check{Name: "all_rounds", OK: measured == planned && !interrupted && stopped == nil}
	c.Detail = fmt.Sprintf("%d of %d rounds measured", measured, planned)
	switch {
	case interrupted:
		c.Detail = "INTERRUPTED: " + c.Detail
	case stopped != nil:
		c.Detail += ": " + stopped.Error()
	}
	return c
}

// checkLab: no program of the lab ended by itself.
func checkLab(broken error) results.Check {
	if broken != nil {
		return results.Check{Name: "lab_alive", Detail: broken.Error()}
	}
	return results.Check{Name: "lab_alive", OK: true, Detail: "no program of the lab ended by itself"}
}
