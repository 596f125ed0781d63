package why

import (
	"fmt"
	"math"
	"strconv"

	"poolvsloop/internal/load"
	"poolvsloop/internal/results"
)

// near is the share of the rate that fills a resource to which a higher rate is chosen: queues grow without end at 1.
const near = 0.9

// filling is the resource that is full first when the rate of an open loop grows, and at which rate in requests a second
// that is. A request uses of each resource what it used at this rate (utilisation law: U = X·D), so what costs more or
// less at a higher rate puts it off. Places to wait in are no work, and a quota that ran out now and then says nothing of when
// it always does. ok is false when nothing that was used has a bound.
func filling(s Seen, all []results.Resource) (r results.Resource, rate float64, ok bool) {
	rate = math.Inf(1)
	for _, candidate := range all {
		share := float64(candidate.Share)
		if candidate.Name == AcceptQueue || candidate.Name == CPUQuota || math.IsNaN(share) || share <= 0 {
			continue
		}
		bound := 1.0
		if candidate.Name == LoadRunner {
			bound = load.MostLoopShare
		}
		if at := s.Figures.GoodputRPS * bound / share; at < rate {
			r, rate, ok = candidate, at, true
		}
	}
	return r, rate, ok && rate > 0
}

// offered says what a server did with the rate that was its limit.
func offered(s Seen, e results.Explanation) string {
	text := fmt.Sprintf("the %g requests/s that were offered: %.1f answered", s.Config.Rate, s.Figures.GoodputRPS)
	if r, rate, ok := filling(s, e.Resources); ok {
		text += fmt.Sprintf("; first to be full: the %s, at about %.0f (%.1f times that)", r.Name, rate, rate/s.Figures.GoodputRPS)
	}
	return text
}

// moreRate offers the server nearly what fills its first resource.
func (s Seen) moreRate() (text string, better *Seen) {
	_, rate, ok := filling(s, Resources(s))
	if !ok {
		return "", nil
	}
	b := s
	b.Config.Rate = rounded(near * rate)
	return fmt.Sprintf("raise --rate to %g", b.Config.Rate), &b
}

// moreWorkers is how many workers an open loop keeps busy, by Little's law: its rate times the time that one works for a
// request, as the server counted it. Of a closed loop no more than its clients are of use.
func (s Seen) moreWorkers() int {
	if !s.Config.Open() {
		return s.Config.Concurrency
	}
	served := s.Figures.GoodputRPS * s.Figures.DurationS
	if served <= 0 {
		return 2 * s.Config.Workers
	}
	return max(s.Config.Workers+1, int(math.Ceil(s.Config.Rate*s.Own.ServiceS/served/near)))
}

// NextOpen is [Next] for an open loop, of which seen are both servers.
func NextOpen(argv []string, c results.Config, seen []Seen, all []results.Explanation) string {
	n := next{argv: argv, config: c}
	lowest, measured, roomy := math.Inf(1), c.Rate, true
	for i, e := range all {
		if e.Bottleneck == LoadRunner || e.Bottleneck == Late {
			return n.say("measures the servers rather than the lab", setting{"rate", "", rounded(c.Rate / 2)})
		}
		if _, rate, ok := filling(seen[i], e.Resources); ok {
			lowest = min(lowest, rate)
		}
		measured, roomy = min(measured, seen[i].Figures.GoodputRPS), roomy && e.Bottleneck == Rate
	}
	switch {
	case c.Mistake == "block" || c.Mistake == "unbounded":
		return n.say("shows the event loop as it should be", setting{"mistake", "", "none"})
	case !roomy:
		return n.say("lets both servers keep up", setting{"rate", "", rounded(max(measured, 1) / 2)})
	case math.IsInf(lowest, 1):
		return n.say("offers more", setting{"rate", "", rounded(2 * c.Rate)})
	}
	return n.say("offers nearly what the first resource of the two servers can do", setting{"rate", "", rounded(near * lowest)})
}

// rounded cuts a rate to two digits.
func rounded(rate float64) float64 {
	x, err := strconv.ParseFloat(strconv.FormatFloat(rate, 'g', 2, 64), 64)
	if err != nil {
		return rate
	}
	return x
}
