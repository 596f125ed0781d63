package main

import "time"

// poolStats is a snapshot of a pool.
type poolStats struct {
	// Workers is the number wanted, Started those that run, Busy those in service.
	Workers int `json:"workers"`
	Started int `json:"workers_started"`
	Busy    int `json:"workers_busy"`
	// QueueDepth is the number of tickets that wait, QueueLimit the most that may; negative is no limit.
	QueueDepth int `json:"queue_depth"`
	QueueLimit int `json:"queue_limit"`
	// BusySeconds is the time that all workers together were in service since the start, QueuedSeconds the time that all
	// tickets together waited: over a span of time, their growth is the mean of Busy and of QueueDepth.
	BusySeconds   float64 `json:"workers_busy_s"`
	QueuedSeconds float64 `json:"queued_s"`
}

// poolUsage sums up a pool's busy workers and its queue over time. It is guarded by pool.mu.
type poolUsage struct {
	asOf         time.Time
	busy, queued time.Duration
}

// account adds the time since the last change to the sums. It is called before whatever changes the busy workers or the
// queue; a now before the last one, as two goroutines may bring it, adds nothing. mu is held.
func (p *pool) account(now time.Time) {
	if passed := now.Sub(p.usage.asOf); passed > 0 {
		if !p.usage.asOf.IsZero() {
			p.usage.busy += passed * time.Duration(p.started-len(p.parked))
			p.usage.queued += passed * time.Duration(p.queue.depth)
		}
		p.usage.asOf = now
	}
}

func (p *pool) stats() poolStats {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.account(time.Now())
	return poolStats{
		Workers: p.target, Started: p.started, Busy: p.started - len(p.parked),
		QueueDepth: p.queue.depth, QueueLimit: p.queue.limit,
		BusySeconds: p.usage.busy.Seconds(), QueuedSeconds: p.usage.queued.Seconds(),
	}
}
