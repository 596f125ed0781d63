package main

// poolStats is a snapshot of a pool.
type poolStats struct {
	// Workers is the number wanted, Started those that run, Busy those in service.
	Workers int `json:"workers"`
	Started int `json:"workers_started"`
	Busy    int `json:"workers_busy"`
	// QueueDepth is the number of tickets that wait, QueueLimit the most that may; negative is no limit.
	QueueDepth int `json:"queue_depth"`
	QueueLimit int `json:"queue_limit"`
}

func (p *pool) stats() poolStats {
	p.mu.Lock()
	defer p.mu.Unlock()
	return poolStats{
		Workers: p.target, Started: p.started, Busy: p.started - len(p.parked),
		QueueDepth: p.queue.depth, QueueLimit: p.queue.limit,
	}
}
