package lab

import "context"

// Own is what a server has counted itself since its start.
type Own struct {
	// Answered is the number of answers that its kernel took whole; DescriptorsFull of accepts that failed for want of a
	// descriptor.
	Answered, DescriptorsFull uint64
	// ServiceS is the time in seconds that all requests together were in service, QueueS that they waited for a worker.
	ServiceS, QueueS float64
}

// Since returns what was counted between before and o; nil when one of them is.
func (o *Own) Since(before *Own) *Own {
	if o == nil || before == nil {
		return nil
	}
	return &Own{
		Answered: o.Answered - before.Answered, DescriptorsFull: o.DescriptorsFull - before.DescriptorsFull,
		ServiceS: o.ServiceS - before.ServiceS, QueueS: o.QueueS - before.QueueS,
	}
}

// Own asks the server for its counts (GET /stats). Call it when no request is in progress, or they are of different
// moments.
func (t *Target) Own(ctx context.Context) (*Own, error) {
	var stats struct {
		Counts struct {
			Answered uint64  `json:"answered"`
			ServiceS float64 `json:"service_s"`
		} `json:"counts"`
		Pool struct {
			QueuedS float64 `json:"queued_s"`
		} `json:"pool"`
		Listener struct {
			DescriptorsFull uint64 `json:"descriptors_full"`
		} `json:"listener"`
	}
	if err := t.admin.get(ctx, "/stats", &stats); err != nil {
		return nil, err
	}
	return &Own{
		Answered: stats.Counts.Answered, DescriptorsFull: stats.Listener.DescriptorsFull,
		ServiceS: stats.Counts.ServiceS, QueueS: stats.Pool.QueuedS,
	}, nil
}
