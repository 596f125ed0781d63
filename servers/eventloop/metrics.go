package main

import (
	"strconv"

	"github.com/prometheus/client_golang/prometheus"

	"poolvsloop/internal/meter"
)

// figure is one exported figure of every loop.
type figure struct {
	desc *prometheus.Desc
	kind prometheus.ValueType
	of   func(loopStats) float64
}

func gauge(name, help string, of func(loopStats) float64) figure {
	return figure{prometheus.NewDesc(name, help, []string{"loop"}, nil), prometheus.GaugeValue, of}
}

func counter(name, help string, of func(loopStats) float64) figure {
	return figure{prometheus.NewDesc(name, help, []string{"loop"}, nil), prometheus.CounterValue, of}
}

var figures = []figure{
	gauge("lab_loop_conns", "Clients' connections of the loop.",
		func(s loopStats) float64 { return float64(s.Conns) }),
	gauge("lab_timers_pending", "Deadlines and waits that are set.",
		func(s loopStats) float64 { return float64(s.Timers) }),
	gauge("lab_reads_paused", "Connections above --out-high, whose requests are not taken.",
		func(s loopStats) float64 { return float64(s.ReadsPaused) }),
	gauge("lab_out_buffered_bytes", "Bytes that wait to be sent to clients.",
		func(s loopStats) float64 { return float64(s.OutBuffered) }),
	gauge("lab_cache_pending", "Cache commands without a reply yet.",
		func(s loopStats) float64 { return float64(s.CachePending) }),
	gauge("lab_loop_lag_mean_seconds", "Loop lag, a mean weighted to the latest ticks.",
		func(s loopStats) float64 { return s.LagMean }),
	gauge("lab_loop_lag_max_seconds", "Largest loop lag since the start.",
		func(s loopStats) float64 { return s.LagMax }),
	gauge("lab_loop_handler_seconds_max", "Longest callback since the start.",
		func(s loopStats) float64 { return s.HandlerMax }),
	gauge("lab_loop_utilization", "Share of the last second in which the loop did not wait for events.",
		func(s loopStats) float64 { return s.Utilization }),
	counter("lab_loop_busy_seconds_total", "Time in which the loop did not wait for events.",
		func(s loopStats) float64 { return s.BusySeconds }),
	counter("lab_loop_callbacks_total", "Callbacks and tasks that the loop ran.",
		func(s loopStats) float64 { return float64(s.Callbacks) }),
	counter("lab_loop_blocked_total", "Times that the loop stood still for --blocked-after.",
		func(s loopStats) float64 { return float64(s.Blocked) }),
}

var (
	openDesc = prometheus.NewDesc("lab_downstream_conns",
		"Connections to a downstream, those being dialled included.", []string{"loop", "target"}, nil)
	queueDepthDesc = prometheus.NewDesc("lab_downstream_queue_depth",
		"Requests that wait for a connection to a downstream.", []string{"loop", "target"}, nil)
)

// loopMetrics exports the figures of all loops.
type loopMetrics struct{ loops []*loop }

// Describe implements prometheus.Collector.
func (m loopMetrics) Describe(ch chan<- *prometheus.Desc) {
	for _, f := range figures {
		ch <- f.desc
	}
	ch <- openDesc
	ch <- queueDepthDesc
}

// Collect implements prometheus.Collector.
func (m loopMetrics) Collect(ch chan<- prometheus.Metric) {
	for i, l := range m.loops {
		name, stats := strconv.Itoa(i), l.stats()
		for _, f := range figures {
			ch <- prometheus.MustNewConstMetric(f.desc, f.kind, f.of(stats), name)
		}
		for target, d := range map[string]downstreamStats{"downstream_a": stats.A, "downstream_b": stats.B} {
			ch <- prometheus.MustNewConstMetric(openDesc, prometheus.GaugeValue, float64(d.Open), name, target)
			ch <- prometheus.MustNewConstMetric(queueDepthDesc, prometheus.GaugeValue, float64(d.QueueDepth), name, target)
		}
	}
}

// register exports what only event loops have.
func register(s *server) {
	s.meter.Register(loopMetrics{s.loops}, s.lagSamples)
	if s.cpu != nil {
		s.meter.Register(s.cpu.metrics()...)
	}
}

// newLagSamples returns the histograms of loop lag.
func newLagSamples() *prometheus.HistogramVec {
	return prometheus.NewHistogramVec(prometheus.HistogramOpts{
		Name: "lab_loop_lag_seconds", Help: "When a tick was handled, minus when it was intended.", Buckets: meter.Buckets,
	}, []string{"loop"})
}
