package compare

import (
	"fmt"
	"math"
	"time"

	"poolvsloop/internal/lab"
	"poolvsloop/internal/results"
)

// WarmUp is the unmeasured load on a server's process before its rounds: how many 2xx answers it gave, and when it ended.
type WarmUp struct {
	OK2xx int
	Ended time.Time
}

// serverRules hold what the load engine saw against what the server counted itself.
var serverRules = []rule{
	{
		name: "flow_balance", unit: "answers", warn: 0, bound: 0,
		says: "answers that only the load runner or only the server counted",
		cure: "Something between them drops or repeats requests, or others use the server too.",
		of: func(m Measurement) float64 {
			apart := float64(m.Own.Answered) - float64(m.Load.Answered)
			if m.Attached || len(m.Load.Crowds) > 0 {
				apart = min(apart, 0) // crowds, health checks and others use the server, too: the ledgers tell what it repeats
			}
			return max(0, math.Abs(apart)-float64(m.Load.Sent-m.Load.Answered))
		},
	},
	{
		name: "littles_law_server", unit: "% of X·R", warn: 105, bound: 105,
		says: "mean number of requests in the server by its own clock, against throughput times response time",
		cure: "A server cannot hold requests longer than their clients wait: one of the two clocks is wrong.",
		of: func(m Measurement) float64 {
			if m.Own.ServiceS == 0 || !wholly2xx(m) || len(m.Load.Crowds) > 0 {
				return math.NaN()
			}
			return percent(m.Own.ServiceS+m.Own.QueueS, figures(m).MeanMS/1e3*float64(m.Load.Answered))
		},
	},
	{
		name: "littles_law_calls", unit: "% of service", warn: 105, bound: 105,
		says: "mean number of requests in A and B by their ledgers, against that in the server by its own clock",
		cure: "A request is in the server for as long as its calls take: one of the two clocks is wrong.",
		of: func(m Measurement) float64 {
			if m.Own.ServiceS == 0 || !wholly2xx(m) {
				return math.NaN()
			}
			return percent(calling(m.A)+calling(m.B), m.Own.ServiceS)
		},
	},
	{
		name: "descriptors", unit: "accepts", warn: 0, bound: 0,
		says: "connections that a server could not take for want of descriptors", cure: "Raise ulimit -n.",
		of: func(m Measurement) float64 { return float64(m.Own.DescriptorsFull) },
	},
}

// generatorLag is about the clients of a closed loop.
var generatorLag = rule{
	name: "generator_lag", unit: "% of the clients' time", warn: 3, bound: 10,
	says: "time that clients lay idle between two requests", cure: "End other programs, or take fewer clients.",
	of: func(m Measurement) float64 {
		return percent(m.Load.Turnaround.Seconds(), m.Load.Duration.Seconds()*float64(m.Load.Clients))
	},
}

// calling is the time in seconds that all calls of a ledger took.
func calling(l lab.Ledger) float64 { return float64(l.Calls) * l.DeliveredMS.Mean / 1e3 }

// checkSeries: the seconds of a round add up to it, and there are no more of them than it lasted.
func checkSeries(all []Measurement) results.Check {
	return each("series", all, "the seconds of every round add up to its totals", func(m Measurement) string {
		answered := 0
		for _, second := range m.Load.Seconds {
			answered += second.Answered
		}
		if answered != m.Load.Answered {
			return fmt.Sprintf("the seconds have %d answers, the round %d", answered, m.Load.Answered)
		}
		if most := int(m.Load.Duration/time.Second) + 1; len(m.Load.Seconds) > most {
			return fmt.Sprintf("%d seconds in a round of %s", len(m.Load.Seconds), m.Load.Duration.Round(time.Millisecond))
		}
		return ""
	})
}

// checkWarmUp: each process of a server was warmed up, and that was over before its rounds began.
func checkWarmUp(wanted bool, all []Measurement) results.Check {
	if !wanted {
		return results.Check{
			Name: "warm_up", OK: true, Status: results.Warning,
			Detail: "no warm-up was asked for (--warmup 0): the first round has the servers' first requests in it",
		}
	}
	return each("warm_up", all, "the servers answered before their first round, which began after that", func(m Measurement) string {
		switch {
		case m.WarmUp.OK2xx == 0:
			return "it gave no 2xx answer while it was warmed up"
		case m.Load.Started.Before(m.WarmUp.Ended):
			return "the round began before the warm-up ended"
		}
		return ""
	})
}
