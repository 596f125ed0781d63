package lab

import (
	"context"
	"encoding/json"
)

// Downstream is the control of downstream A or B.
type Downstream struct {
	// Name is "a" or "b".
	Name string
	// URL is the base that the servers call; empty for an attached lab.
	URL string

	admin *admin
}

// Ledger is what a downstream has counted since the last Reset, as far as a run needs it (GET /ledger has more).
type Ledger struct {
	Calls int64 `json:"calls"`
	// IntendedMS, DeliveredMS and OvershootMS are the delays that were wanted, those that came true, and the difference.
	IntendedMS  Delays `json:"intended_ms"`
	DeliveredMS Delays `json:"delivered_ms"`
	OvershootMS Delays `json:"overshoot_ms"`
	// LateCalls overshot by more than 2 ms or a tenth of the delay, whichever is more. Late says that more than 1 % did:
	// the downstream was a limit of its own, and what was measured through it is not to be trusted.
	LateCalls int64 `json:"late_calls"`
	Late      bool  `json:"late"`
	// Queued calls waited at the concurrency limit, QueueMS how long each; that is in none of the delays.
	Queued  int64  `json:"queued"`
	QueueMS Delays `json:"queue_ms"`
	// InFlight are calls that have not ended, InFlightBefore those that came before the last Reset.
	InFlight       int64 `json:"in_flight"`
	InFlightBefore int64 `json:"in_flight_before_reset"`
}

// Delays is a distribution in milliseconds.
type Delays struct {
	Mean float64 `json:"mean"`
	P50  float64 `json:"p50"`
	P99  float64 `json:"p99"`
	Max  float64 `json:"max"`
}

// Ledger returns the counts since the last Reset (GET /ledger).
func (d *Downstream) Ledger(ctx context.Context) (Ledger, error) {
	var l Ledger
	return l, d.admin.get(ctx, "/ledger", &l)
}

// Reset begins a new count (POST /reset).
func (d *Downstream) Reset(ctx context.Context) error {
	return d.admin.post(ctx, "/reset")
}

// Config returns the downstream's settings by the names of its flags (GET /config).
func (d *Downstream) Config(ctx context.Context) (map[string]any, error) {
	var config map[string]any
	return config, d.admin.get(ctx, "/config", &config)
}

// SetLatency changes the model of its delays (PUT /config), to a spec as in its flag --latency.
func (d *Downstream) SetLatency(ctx context.Context, spec string) error {
	body, err := json.Marshal(map[string]string{"latency": spec})
	if err != nil {
		return err
	}
	return d.admin.put(ctx, "/config", string(body))
}

// Admin is the URL of the admin port, "" where that is not known.
func (d *Downstream) Admin() string { return d.admin.url() }

// close lets go of connections; it works on nil, a downstream that did not come up.
func (d *Downstream) close() {
	if d != nil {
		d.admin.close()
	}
}
