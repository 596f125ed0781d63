package lab

import "context"

// Busy is what a server has counted of its own resources since its start, in seconds of each of them together. What it
// does not have is zero. Compare two of one server by [Busy.Since].
type Busy struct {
	// Workers is the time that the pool's workers were in service, Queued the time that requests waited for one.
	Workers, Queued float64
	// Loops is the time in which the loops did not wait for events; Lag is the loop lag of all Ticks together.
	Loops, Lag float64
	Ticks      int64
	// Service is the time of service of all requests together.
	Service float64
}

// Since returns what was added after before.
func (b Busy) Since(before Busy) Busy {
	return Busy{
		Workers: b.Workers - before.Workers, Queued: b.Queued - before.Queued, Loops: b.Loops - before.Loops,
		Lag: b.Lag - before.Lag, Ticks: b.Ticks - before.Ticks, Service: b.Service - before.Service,
	}
}

// Add returns the sum of both, as of two rounds.
func (b Busy) Add(o Busy) Busy {
	return Busy{
		Workers: b.Workers + o.Workers, Queued: b.Queued + o.Queued, Loops: b.Loops + o.Loops, Lag: b.Lag + o.Lag,
		Ticks: b.Ticks + o.Ticks, Service: b.Service + o.Service,
	}
}

// Busy returns what the server has counted so far (GET /stats).
func (t *Target) Busy(ctx context.Context) (Busy, error) {
	var stats struct {
		Counts struct {
			Service float64 `json:"service_s"`
		} `json:"counts"`
		Pool struct {
			Workers float64 `json:"workers_busy_s"`
			Queued  float64 `json:"queued_s"`
		} `json:"pool"`
		Loops []struct {
			Busy  float64 `json:"busy_s"`
			Lag   float64 `json:"lag_s"`
			Ticks int64   `json:"ticks"`
		} `json:"loops"`
	}
	err := t.admin.get(ctx, "/stats", &stats)
	b := Busy{Workers: stats.Pool.Workers, Queued: stats.Pool.Queued, Service: stats.Counts.Service}
	for _, l := range stats.Loops {
		b.Loops, b.Lag, b.Ticks = b.Loops+l.Busy, b.Lag+l.Lag, b.Ticks+l.Ticks
	}
	return b, err
}
