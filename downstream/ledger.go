package main

import (
	"maps"
	"sync"
	"time"
)

// Outcome is what became of a call; every call has exactly one in the end.
type Outcome uint8

// Outcomes of calls.
const (
	// Answered: a good answer was handed to the connection, whether or not the client still reads it.
	Answered Outcome = iota
	// Failed: answered with the error status of --error-share.
	Failed
	// Hung: never answered; the client left.
	Hung
	// WasReset: the connection was reset.
	WasReset
	// Rejected: above the rate limit, answered 503.
	Rejected
	// BadRequest: answered 400 or 404 at once.
	BadRequest
	// Abandoned: the client left while the body was sent slowly.
	Abandoned
	outcomes
)

// String is the outcome as the ledger and the metrics name it.
func (o Outcome) String() string {
	return [outcomes]string{"answered", "errors", "hung", "resets", "rejected", "bad_requests", "abandoned"}[o]
}

// LateBound is the overshoot up to which a delay is on time: 2 ms or a tenth of what was intended, whichever is more.
func LateBound(intended time.Duration) time.Duration { return max(2*time.Millisecond, intended/10) }

// Ledger counts calls exactly, in epochs: a reset begins a new one, and a call belongs to the epoch in which it came.
// All methods may be called from any goroutine.
type Ledger struct {
	mu       sync.Mutex
	name     string
	epoch    epoch
	inFlight int
	total    tally
}

// tally is what is counted of calls, per epoch and in total.
type tally struct {
	calls    uint64
	routes   map[string]uint64
	outcomes [outcomes]uint64
	// delayed calls had a delay measured; late ones overshot it by more than the bound; stalled ones met the window;
	// queued ones waited at the concurrency limit.
	delayed, late, stalled, queued uint64
	// overshoot is the sum over the delayed calls.
	overshoot time.Duration
}

type epoch struct {
	tally
	number   uint64
	inFlight int
	// before are the calls of earlier epochs that have not ended; endedBefore those that ended in this one.
	before, endedBefore int
	maxInFlight         int

	intended, delivered, overshoots, queue *distribution
}

// NewLedger returns the ledger of the downstream of that name.
func NewLedger(name string) *Ledger {
	return &Ledger{name: name, epoch: newEpoch(1, 0), total: newTally()}
}

func newTally() tally { return tally{routes: map[string]uint64{}} }

func newEpoch(number uint64, inFlight int) epoch {
	return epoch{
		tally: newTally(), number: number, before: inFlight, maxInFlight: inFlight,
		intended: newDistribution(), delivered: newDistribution(), overshoots: newDistribution(), queue: newDistribution(),
	}
}

// Call is a call in the ledger, from [Ledger.Begin] to its one [Call.End].
type Call struct {
	ledger *Ledger
	epoch  uint64
}

// Begin counts a call that came in on a route.
func (l *Ledger) Begin(route string) Call {
	l.mu.Lock()
	defer l.mu.Unlock()
	for _, t := range []*tally{&l.epoch.tally, &l.total} {
		t.calls++
		t.routes[route]++
	}
	l.inFlight++
	l.epoch.inFlight++
	l.epoch.maxInFlight = max(l.epoch.maxInFlight, l.inFlight)
	return Call{ledger: l, epoch: l.epoch.number}
}

// End says what became of the call. It is called once.
func (c Call) End(o Outcome) {
	l := c.ledger
	l.mu.Lock()
	defer l.mu.Unlock()
	l.inFlight--
	l.total.outcomes[o]++
	if c.epoch != l.epoch.number {
		l.epoch.before--
		l.epoch.endedBefore++
		return
	}
	l.epoch.inFlight--
	l.epoch.outcomes[o]++
}

// Queued records how long the call waited at the concurrency limit.
func (c Call) Queued(wait time.Duration) {
	c.record(func(t *tally) { t.queued++ }, func(e *epoch) { e.queue.record(wait) })
}

// Stalled counts that the call met the stall window.
func (c Call) Stalled() {
	c.record(func(t *tally) { t.stalled++ }, func(*epoch) {})
}

// Delayed records the delay that was intended and the one that was delivered. Without an intended delay there is nothing
// to overshoot.
func (c Call) Delayed(intended, delivered time.Duration) {
	overshoot := max(0, delivered-intended)
	c.record(func(t *tally) {
		if intended <= 0 {
			return
		}
		t.delayed++
		t.overshoot += overshoot
		if overshoot > LateBound(intended) {
			t.late++
		}
	}, func(e *epoch) {
		e.intended.record(intended)
		e.delivered.record(delivered)
		if intended > 0 {
			e.overshoots.record(overshoot)
		}
	})
}

// record counts in the total always, and in the epoch when it is still the call's own.
func (c Call) record(count func(*tally), measure func(*epoch)) {
	l := c.ledger
	l.mu.Lock()
	defer l.mu.Unlock()
	count(&l.total)
	if c.epoch == l.epoch.number {
		count(&l.epoch.tally)
		measure(&l.epoch)
	}
}

// Reset begins a new epoch and returns the report of the one that ended.
func (l *Ledger) Reset() Report {
	l.mu.Lock()
	defer l.mu.Unlock()
	ended := l.report()
	l.epoch = newEpoch(l.epoch.number+1, l.inFlight)
	return ended
}

// Report returns the state of the current epoch.
func (l *Ledger) Report() Report {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.report()
}

// InFlight is the number of calls in flight, of whatever epoch.
func (l *Ledger) InFlight() int {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.inFlight
}

// Total returns what was counted since the start, over all epochs.
func (l *Ledger) Total() tally {
	l.mu.Lock()
	defer l.mu.Unlock()
	total := l.total
	total.routes = maps.Clone(l.total.routes)
	return total
}
