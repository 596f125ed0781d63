package compare

import (
	"fmt"
	"math"

	"poolvsloop/internal/results"
	"poolvsloop/internal/stats"
)

// latenessBound is the share of a request's intended wait in A and B by which the wait may come out too long on
// average. Above it the downstreams are a limit themselves. METHOD.md says why.
const latenessBound = 0.10

// intended is how long a request had to wait in A and B on average, and late how much longer it did; both in ms.
func intended(m Measurement) float64 { return m.A.IntendedMS.Mean + m.B.IntendedMS.Mean }

func late(m Measurement) float64 { return m.A.DeliveredMS.Mean + m.B.DeliveredMS.Mean - intended(m) }

// lateShare is late as a share of intended; without an intended wait nothing can be late.
func lateShare(m Measurement) float64 {
	if intended(m) <= 0 {
		return 0
	}
	return late(m) / intended(m)
}

// checkOnTime: the downstreams delivered the delays they had to.
func checkOnTime(all []Measurement) results.Check {
	whole := pooled(all)
	holds := fmt.Sprintf("requests waited %.1f ms in A and B as wanted, and %.2f ms more (%.1f %%)", intended(whole), late(whole),
		100*lateShare(whole))
	c := each("downstreams_on_time", all, holds, func(m Measurement) string {
		if share := lateShare(m); share > latenessBound {
			return fmt.Sprintf("requests waited %.1f ms in A and B, and %.1f ms more (%.0f %%)", intended(m), late(m), 100*share)
		}
		return ""
	})
	if !c.OK {
		c.Detail += ". A busy machine does that: end other programs, or take fewer clients or longer delays"
	}
	return c
}

// checkEqualDelays: the downstreams delivered the same delays to both servers, within the margin of a tie.
func checkEqualDelays(all []Measurement) results.Check {
	pool, loop := pooled(of(ThreadPool, all)), pooled(of(EventLoop, all))
	apart := math.Abs(lateShare(pool) - lateShare(loop))
	return results.Check{
		Name: "equal_delays", OK: apart <= stats.Margin,
		Detail: fmt.Sprintf("delays of A and B were %.1f %% too long for the thread pool and %.1f %% for the event loop",
			100*lateShare(pool), 100*lateShare(loop)),
	}
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
