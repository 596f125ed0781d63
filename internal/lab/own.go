package lab

import (
	"bytes"
	"context"
	"fmt"
	"net/http"

	"github.com/prometheus/common/expfmt"
	"github.com/prometheus/common/model"
)

// Own is what a server has counted itself since its start.
type Own struct {
	// Answered is the number of answers that its kernel took whole; DescriptorsFull of accepts that failed for want of a
	// descriptor.
	Answered, DescriptorsFull uint64
	// ServiceS is the time in seconds that all requests together were in service, QueueS that they waited for a worker.
	ServiceS, QueueS float64
	// Served is how many requests ServiceS is of; 0 for a server that does not measure it.
	Served uint64
	// InFlight is how many are in service now.
	InFlight int64
}

// Since returns what was counted between before and o, InFlight as it is in o; nil when o is.
func (o *Own) Since(before *Own) *Own {
	if o == nil || before == nil {
		return nil
	}
	d := *o
	d.Answered -= before.Answered
	d.DescriptorsFull -= before.DescriptorsFull
	d.ServiceS -= before.ServiceS
	d.QueueS -= before.QueueS
	d.Served -= before.Served
	return &d
}

// Own asks the server for its counts (GET /stats and /metrics). Call it when no request is in progress, or they are of
// different moments.
func (t *Target) Own(ctx context.Context) (*Own, error) {
	var stats struct {
		Counts struct {
			Answered uint64 `json:"answered"`
			InFlight int64  `json:"in_flight"`
		} `json:"counts"`
		Listener struct {
			DescriptorsFull uint64 `json:"descriptors_full"`
		} `json:"listener"`
	}
	if err := t.admin.get(ctx, "/stats", &stats); err != nil {
		return nil, err
	}
	text, err := t.admin.call(ctx, http.MethodGet, "/metrics", "")
	if err != nil {
		return nil, fmt.Errorf("GET /metrics of %s: %w", t.admin, err)
	}
	own := &Own{
		Answered: stats.Counts.Answered, InFlight: stats.Counts.InFlight,
		DescriptorsFull: stats.Listener.DescriptorsFull,
	}
	if err := own.addTimes(text); err != nil {
		return nil, fmt.Errorf("GET /metrics of %s: %w", t.admin, err)
	}
	return own, nil
}

// addTimes reads the sums of two histograms from metrics in the Prometheus text format.
func (o *Own) addTimes(text []byte) error {
	parser := expfmt.NewTextParser(model.UTF8Validation)
	families, err := parser.TextToMetricFamilies(bytes.NewReader(text))
	if err != nil {
		return err
	}
	for _, m := range families["lab_service_seconds"].GetMetric() {
		o.ServiceS += m.GetHistogram().GetSampleSum()
		o.Served += m.GetHistogram().GetSampleCount()
	}
	for _, m := range families["lab_queue_wait_seconds"].GetMetric() {
		o.QueueS += m.GetHistogram().GetSampleSum()
	}
	return nil
}
