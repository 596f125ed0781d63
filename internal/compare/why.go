package compare

import (
	"fmt"
	"math"
	"strings"

	"poolvsloop/internal/results"
	"poolvsloop/internal/stats"
)

// Scene is what an explanation is derived from: how the servers and the load are configured, how long a request waits,
// and what was measured.
type Scene struct {
	Clients int
	// WaitMS is how long a request waits in A and B, in ms: the mean of the delays they intended.
	WaitMS float64
	// Workers and Queue are the thread pool's; a Queue below 0 has no limit. ByConnection says that a worker keeps its
	// connection, and KeepAlive that clients do.
	Workers, Queue          int
	ByConnection, KeepAlive bool
	// Loops are the event loop's. Blocking says that it makes its calls blocking, by mistake. MaxInflight is its bound
	// of requests in progress, 0 for none.
	Loops, MaxInflight int
	Blocking           bool
	// CPUs are those of the machine.
	CPUs int
	// Pool and Loop are what was measured, Verdict what the comparison says of goodput.
	Pool, Loop Seen
	Verdict    string
}

// Seen is what an explanation looks at of a server's measurement.
type Seen struct {
	// GoodputRPS is answers 2xx per second, FailedShare the share of requests that did not get one.
	GoodputRPS, FailedShare float64
	// Cores is how many the server kept busy.
	Cores float64
}

// held is how many requests of the clients can be in progress at once on a server, and what holds them to that number.
type held struct {
	requests int
	because  string
}

// poolHolds: a worker holds one request while it waits.
func (s Scene) poolHolds() held {
	if s.Clients <= s.Workers {
		return held{s.Clients, fmt.Sprintf("%d clients never fill a pool of %d workers", s.Clients, s.Workers)}
	}
	holds := "a worker holds one request while it waits"
	if s.ByConnection && s.KeepAlive {
		holds = "a worker keeps its connection until that closes, so the other clients wait unserved"
	}
	return held{s.Workers, fmt.Sprintf("the pool has %d workers for %d clients, and %s", s.Workers, s.Clients, holds)}
}

// loopHolds: a loop holds every request that its bounds let in, unless it blocks.
func (s Scene) loopHolds() held {
	switch {
	case s.Blocking:
		n := min(s.Loops, s.Clients)
		return held{n, fmt.Sprintf("with --mistake=block each of the %d loops does one request at a time", s.Loops)}
	case s.MaxInflight > 0 && s.MaxInflight < s.Clients:
		return held{s.MaxInflight, fmt.Sprintf("it lets in %d requests of %d clients", s.MaxInflight, s.Clients)}
	}
	return held{s.Clients, fmt.Sprintf("it waits for all %d clients at once", s.Clients)}
}

// bound is the throughput, in requests per second, that n requests at once cannot exceed: n/S, with S the time that
// each of them waits (asymptotic bounds of a closed system: Denning and Buzen, 1978).
func (s Scene) bound(n int) float64 { return float64(n) / (s.WaitMS / 1e3) }

// Why explains in a few sentences what bounds each server. It knows no other causes than waiting and says so when the
// measurement is far from the bound.
func (s Scene) Why() string {
	if s.WaitMS <= 0 {
		return "Why: requests wait for nothing in A and B, so what limits both servers is the processor."
	}
	pool, loop := s.poolHolds(), s.loopHolds()
	var b strings.Builder
	if pool.requests == loop.requests && !s.Blocking {
		fmt.Fprintf(&b, "Why: %s, and a request waits %.1f ms in A and B, so both servers are bound by the %s: "+
			"%d / %.1f ms = %.0f req/s. %s",
			pool.because, s.WaitMS, s.sharedBound(), pool.requests, s.WaitMS, s.bound(pool.requests), s.oneBound())
	} else {
		fmt.Fprintf(&b, "Why: a request waits %.1f ms in A and B. Thread pool: %s: at most %d / %.1f ms = %.0f req/s. "+
			"Event loop: %s: at most %d / %.1f ms = %.0f req/s.",
			s.WaitMS, pool.because, pool.requests, s.WaitMS, s.bound(pool.requests),
			loop.because, loop.requests, s.WaitMS, s.bound(loop.requests))
	}
	poolShare, loopShare := s.share(s.Pool, pool), s.share(s.Loop, loop)
	fmt.Fprintf(&b, " Measured: thread pool %.0f (%.0f %%), event loop %.0f (%.0f %%).", s.Pool.GoodputRPS, poolShare,
		s.Loop.GoodputRPS, loopShare)
	b.WriteString(s.rejections())
	if worst := min(poolShare, loopShare); worst < farFromBound {
		fmt.Fprintf(&b, " What is missing to 100 %% is no waiting in A and B: look at the processor (the servers used %.2f "+
			"and %.2f cores of %d, which they share with the load runner, A, B and the cache).",
			s.Pool.Cores, s.Loop.Cores, s.CPUs)
	}
	return b.String()
}

// oneBound says what follows from a bound that both servers have.
func (s Scene) oneBound() string {
	switch s.Verdict {
	case stats.Tie:
		return "That is why they tie."
	case stats.Inconclusive:
		return "A tie is what to expect."
	}
	return "A tie is what to expect: the difference is what the servers add to the waiting."
}

// farFromBound is the share of a bound, in %, below which something else than waiting limits a server.
const farFromBound = 85

// sharedBound names what holds both servers to one number.
func (s Scene) sharedBound() string {
	if s.poolHolds().requests == s.Clients {
		return "clients"
	}
	return "number of requests they let in"
}

func (s Scene) share(seen Seen, h held) float64 {
	return math.Round(100 * seen.GoodputRPS / s.bound(h.requests))
}

// rejections says what was not served.
func (s Scene) rejections() string {
	if s.Pool.FailedShare <= results.FailedTooMuch && s.Loop.FailedShare <= results.FailedTooMuch {
		return ""
	}
	return fmt.Sprintf(" Not served: %.1f %% of the thread pool's requests, %.1f %% of the event loop's; a rejected client "+
		"comes back at once, so compare goodput.", 100*s.Pool.FailedShare, 100*s.Loop.FailedShare)
}

// Next names the command that shows what this run did not.
func (s Scene) Next() string {
	switch {
	case s.Blocking:
		return "Next: `loadrunner compare` without --mistake shows the event loop as it should be."
	case s.Clients <= s.Workers:
		workers, clients := scarce(s.Clients)
		next := fmt.Sprintf("Next: `loadrunner compare --workers %d -c %d%s` shows a difference: workers are scarce there",
			workers, clients, s.roomFor(clients))
		if s.WaitMS > 0 {
			next += fmt.Sprintf(" (at most %.0f req/s against %.0f)", s.bound(workers), s.bound(clients))
		}
		return next + "."
	}
	return fmt.Sprintf("Next: `loadrunner compare --workers %d -c %d` gives the pool a worker for every client: the two "+
		"should tie.", s.Clients, s.Clients)
}

// scarce returns a pool that is much too small, and how many clients show it: from 50 clients, 20 workers and 200
// clients.
func scarce(clients int) (workers, more int) { return max(1, clients*2/5), max(2, clients*4) }

// roomFor is the flag that lets n requests wait in the pool's queue, when it has fewer places: else most of them would
// be rejected.
func (s Scene) roomFor(n int) string {
	if s.Queue < 0 || n <= s.Queue {
		return ""
	}
	return fmt.Sprintf(" --queue %d", n)
}
