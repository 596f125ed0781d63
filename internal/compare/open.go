package compare

import (
	"fmt"
	"math"
	"math/rand/v2"

	"poolvsloop/internal/latency"
	"poolvsloop/internal/load"
	"poolvsloop/internal/queueing"
	"poolvsloop/internal/results"
	"poolvsloop/internal/single"
)

// mostLate is the share of late requests above which the load was not the one asked for: with more of them the slowest
// percent of the response times may be the generator's own.
const mostLate = 0.01

// arrivals is the schedule of a round in an open loop, nil in a closed one. It is a function of the seed and the round
// alone, so both servers get the same.
func arrivals(c results.Config, round int) *load.Arrivals {
	if !c.Open() {
		return nil
	}
	return &load.Arrivals{
		Plan: load.Steady(c.Rate), Poisson: c.Arrivals == single.PoissonArrivals,
		Seed: rand.NewPCG(c.Seed, uint64(round)).Uint64(),
	}
}

// defaultInFlight bounds the requests in flight of an open loop when --in-flight does not: some more than a server takes
// connections by default, so that its own bounds show first.
const defaultInFlight = 12_000

// resolveInFlight bounds the requests in flight of an open loop: a server that does not keep up would otherwise be sent
// more and more, until descriptors or memory end the run.
func resolveInFlight(c *results.Config) error {
	if !c.Open() {
		return nil
	}
	most, err := load.MostConnections()
	if err != nil {
		return err
	}
	if c.InFlight == 0 {
		c.InFlight = min(defaultInFlight, most)
	}
	return unless(1 <= c.InFlight && c.InFlight <= most,
		"--in-flight %d: want 1 to %d, which the limit of descriptors allows; raise that with ulimit -n", c.InFlight, most)
}

// droppedRule: an open loop offered what its rate says, but for what its bound kept back.
var droppedRule = rule{
	name: "dropped", unit: "% of requests", warn: 0, bound: 1,
	says: "requests that were due and never sent",
	cure: "The bound --in-flight was reached, or the round ended first: the server did not keep up. Take a lower --rate.",
	of: func(m Measurement) float64 {
		r := m.Load
		return percent(float64(r.Dropped-r.Undue), float64(r.Planned-r.Undue))
	},
}

// needed is how many requests a server has to hold at once in an open loop, by Little's law: the rate times the waits for
// A and B, which is less than there really are; NaN when those waits are not known.
func needed(c results.Config) float64 {
	waits := 0.0
	for _, text := range []string{c.LatencyA, c.LatencyB} {
		model, err := latency.Parse(text, latency.OpenFile)
		if err != nil {
			return math.NaN()
		}
		mean, _ := queueing.Moments(model)
		waits += mean
	}
	return c.Rate * waits
}

// overloads derives in which ways the servers have to reject requests of an open loop: those that cannot hold what is
// asked of them even if a request cost nothing but its waits.
func overloads(c results.Config, sides Sides, servers map[Server]results.Settings) map[Server]Rejection {
	need, all := needed(c), map[Server]Rejection{}
	for _, side := range sides {
		s := servers[side]
		if side.kind() == EventLoop {
			most, _ := s.Number("max_inflight")
			all[side] = Rejection{Unavailable: most > 0 && need > float64(most)}
			continue
		}
		workers, told := s.Number("workers")
		queue, bounded := s.Number("queue")
		over := told && bounded && queue >= 0 && need > float64(workers)
		all[side] = Rejection{Unavailable: over && s["queue_full"] == "503", Close: over && s["queue_full"] == "close"}
	}
	return all
}

// lateShare is the share of the sent requests that were sent late, 0 in a closed loop.
func lateShare(m Measurement) float64 {
	if m.Load.Sent == 0 {
		return 0
	}
	return float64(m.Load.Late) / float64(m.Load.Sent)
}

// checkOnSchedule: the load engine sent the requests of an open loop when they were due.
func checkOnSchedule(all []Measurement) results.Check {
	most := worst(all, lateShare)
	holds := fmt.Sprintf("at most %.2f %% of the requests were sent more than %s late, bound %.0f %%", 100*most, load.LateAfter,
		100*mostLate)
	c := each("sent_on_time", all, holds, func(m Measurement) string {
		if lateShare(m) <= mostLate {
			return ""
		}
		return fmt.Sprintf("the generator did not keep its schedule: %d of %d requests were sent more than %s late, bound %.0f %%",
			m.Load.Late, m.Load.Sent, load.LateAfter, 100*mostLate)
	})
	return withFigure(c, 100*most, 100*mostLate, "% of requests")
}
