package lab

import "context"

// Own is what a server has counted itself since its start. Times are in seconds, of all its requests, workers or loops
// together; what a server does not have is zero. Compare two of one server by [Own.Since].
type Own struct {
	// Answered is the number of answers that its kernel took whole; DescriptorsFull of accepts that failed for want of a
	// descriptor.
	Answered, DescriptorsFull uint64
	// ServiceS is the time that requests were in service, QueueS that they waited for a worker.
	ServiceS, QueueS float64
	// WorkersS is the time that the pool's workers were in service.
	WorkersS float64
	// LoopsS is the time in which the loops did not wait for events; LagS is the loop lag of all Ticks together.
	LoopsS, LagS float64
	Ticks        int64
}

// Since returns what was counted between before and o.
func (o Own) Since(before Own) Own {
	return Own{
		Answered: o.Answered - before.Answered, DescriptorsFull: o.DescriptorsFull - before.DescriptorsFull,
		ServiceS: o.ServiceS - before.ServiceS, QueueS: o.QueueS - before.QueueS, WorkersS: o.WorkersS - before.WorkersS,
		LoopsS: o.LoopsS - before.LoopsS, LagS: o.LagS - before.LagS, Ticks: o.Ticks - before.Ticks,
	}
}

// Add returns the sum of both, as of two rounds.
func (o Own) Add(more Own) Own {
	return Own{
		Answered: o.Answered + more.Answered, DescriptorsFull: o.DescriptorsFull + more.DescriptorsFull,
		ServiceS: o.ServiceS + more.ServiceS, QueueS: o.QueueS + more.QueueS, WorkersS: o.WorkersS + more.WorkersS,
		LoopsS: o.LoopsS + more.LoopsS, LagS: o.LagS + more.LagS, Ticks: o.Ticks + more.Ticks,
	}
}

// Own asks the server for its counts (GET /stats). Call it when no request is in progress, or they are of different
// moments.
func (t *Target) Own(ctx context.Context) (Own, error) {
	var stats struct {
		Counts struct {
			Answered uint64  `json:"answered"`
			ServiceS float64 `json:"service_s"`
		} `json:"counts"`
		Pool struct {
			WorkersS float64 `json:"workers_busy_s"`
			QueueS   float64 `json:"queued_s"`
		} `json:"pool"`
		Loops []struct {
			BusyS float64 `json:"busy_s"`
			LagS  float64 `json:"lag_s"`
			Ticks int64   `json:"ticks"`
		} `json:"loops"`
		Listener struct {
			DescriptorsFull uint64 `json:"descriptors_full"`
		} `json:"listener"`
	}
	if err := t.admin.get(ctx, "/stats", &stats); err != nil {
		return Own{}, err
	}
	own := Own{
		Answered: stats.Counts.Answered, DescriptorsFull: stats.Listener.DescriptorsFull,
		ServiceS: stats.Counts.ServiceS, QueueS: stats.Pool.QueueS, WorkersS: stats.Pool.WorkersS,
	}
	for _, l := range stats.Loops {
		own.LoopsS, own.LagS, own.Ticks = own.LoopsS+l.BusyS, own.LagS+l.LagS, own.Ticks+l.Ticks
	}
	return own, nil
}
