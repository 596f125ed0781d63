package main

import "maps"

// Report is what GET /ledger shows of an epoch. Calls = Answered + Errors + Hung + Resets + Rejected + BadRequests +
// Abandoned + InFlight, always.
type Report struct {
	Name string `json:"name"`
	// Epoch is 1 at the start and one more after each reset.
	Epoch uint64 `json:"epoch"`
	// Calls are the requests that came in since the last reset; /healthz is not one.
	Calls  uint64            `json:"calls"`
	Routes map[string]uint64 `json:"routes"`

	Answered    uint64 `json:"answered"`
	Errors      uint64 `json:"errors"`
	Hung        uint64 `json:"hung"`
	Resets      uint64 `json:"resets"`
	Rejected    uint64 `json:"rejected"`
	BadRequests uint64 `json:"bad_requests"`
	Abandoned   uint64 `json:"abandoned"`

	// InFlight are calls of this epoch; InFlightBefore came before the last reset and have not ended, EndedBefore did
	// since. MaxInFlight is the most there were at once, of whatever epoch.
	InFlight       int `json:"in_flight"`
	MaxInFlight    int `json:"max_in_flight"`
	InFlightBefore int `json:"in_flight_before_reset"`
	EndedBefore    int `json:"ended_from_before_reset"`

	// Stalled calls met the stall window; Queued ones waited at the concurrency limit, QueueMS how long.
	Stalled uint64  `json:"stalled"`
	Queued  uint64  `json:"queued"`
	QueueMS Summary `json:"queue_ms"`

	// IntendedMS are the delays wanted (stall included), DeliveredMS those that came true, OvershootMS the difference.
	// A wait at the concurrency limit is in none of them.
	IntendedMS  Summary `json:"intended_ms"`
	DeliveredMS Summary `json:"delivered_ms"`
	OvershootMS Summary `json:"overshoot_ms"`
	// LateCalls overshot by more than [LateBound]. Late says that more than 1 % of the calls did: that the p99 of the
	// overshoot is out of bounds, and that what is measured through this downstream is not to be trusted.
	LateCalls uint64 `json:"late_calls"`
	Late      bool   `json:"late"`

	// Connections are open now; Accepted is how many there ever were.
	Connections int    `json:"connections"`
	Accepted    uint64 `json:"connections_accepted"`
}

// report is called with the lock held.
func (l *Ledger) report() Report {
	e := &l.epoch
	return Report{
		Name: l.name, Epoch: e.number, Calls: e.calls, Routes: maps.Clone(e.routes),
		Answered: e.outcomes[Answered], Errors: e.outcomes[Failed], Hung: e.outcomes[Hung], Resets: e.outcomes[WasReset],
		Rejected: e.outcomes[Rejected], BadRequests: e.outcomes[BadRequest], Abandoned: e.outcomes[Abandoned],
		InFlight: e.inFlight, MaxInFlight: e.maxInFlight, InFlightBefore: e.before, EndedBefore: e.endedBefore,
		Stalled: e.stalled, Queued: e.queued, QueueMS: e.queue.summary(),
		IntendedMS: e.intended.summary(), DeliveredMS: e.delivered.summary(), OvershootMS: e.overshoots.summary(),
		LateCalls: e.late, Late: e.late*100 > e.delayed,
	}
}
