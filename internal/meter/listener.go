package meter

import (
	"github.com/prometheus/client_golang/prometheus"

	"poolvsloop/internal/accept"
	"poolvsloop/internal/procstat"
)

// listener exports the state of a listening socket, read once for each scrape.
type listener struct{ stats func() accept.Stats }

// field is one exported value of accept.Stats.
type field struct {
	desc *prometheus.Desc
	kind prometheus.ValueType
	of   func(accept.Stats) float64
}

func newField(name, help string, kind prometheus.ValueType, of func(accept.Stats) float64) field {
	return field{prometheus.NewDesc(name, help, nil, nil), kind, of}
}

var listenerFields = []field{
	newField("lab_conns_open", "Accepted connections that are open.", prometheus.GaugeValue,
		func(s accept.Stats) float64 { return float64(s.Open) }),
	newField("lab_conns_max", "Most connections open at once, after the cut to the descriptors.", prometheus.GaugeValue,
		func(s accept.Stats) float64 { return float64(s.MaxConns) }),
	newField("lab_conns_accepted_total", "Connections accepted.", prometheus.CounterValue,
		func(s accept.Stats) float64 { return float64(s.Accepted) }),
	newField("lab_accept_descriptors_full_total", "Accepts that failed for want of a descriptor.", prometheus.CounterValue,
		func(s accept.Stats) float64 { return float64(s.DescriptorsFull) }),
	newField("lab_accept_blocked_seconds_total", "Time that the acceptor waited for a permit.", prometheus.CounterValue,
		func(s accept.Stats) float64 { return s.BlockedSeconds }),
	newField("lab_listen_backlog_effective", "Limit of the kernel accept queue in force.", prometheus.GaugeValue,
		func(s accept.Stats) float64 { return float64(s.Backlog) }),
	newField("lab_listen_queue_depth", "Connections that wait to be accepted.", prometheus.GaugeValue,
		func(s accept.Stats) float64 { return float64(s.QueueDepth) }),
}

// Describe implements prometheus.Collector.
func (l listener) Describe(ch chan<- *prometheus.Desc) {
	for _, f := range listenerFields {
		ch <- f.desc
	}
}

// Collect implements prometheus.Collector.
func (l listener) Collect(ch chan<- prometheus.Metric) {
	stats := l.stats()
	for _, f := range listenerFields {
		ch <- prometheus.MustNewConstMetric(f.desc, f.kind, f.of(stats))
	}
}

// overflows exports what the kernel turned away in the whole network namespace, other listeners included.
type overflows struct{}

var (
	overflowsDesc = prometheus.NewDesc("lab_listen_overflows_total",
		"Handshakes turned away by a full kernel accept queue, in the whole network namespace (TcpExt ListenOverflows).", nil, nil)
	dropsDesc = prometheus.NewDesc("lab_listen_drops_total",
		"Handshakes dropped by listening sockets for any reason, in the whole network namespace (TcpExt ListenDrops).",
		nil, nil)
)

// Describe implements prometheus.Collector.
func (overflows) Describe(ch chan<- *prometheus.Desc) {
	ch <- overflowsDesc
	ch <- dropsDesc
}

// Collect implements prometheus.Collector.
func (overflows) Collect(ch chan<- prometheus.Metric) {
	drops, err := procstat.ReadListenDrops()
	if err != nil {
		ch <- prometheus.NewInvalidMetric(overflowsDesc, err)
		return
	}
	ch <- prometheus.MustNewConstMetric(overflowsDesc, prometheus.CounterValue, float64(drops.Overflows))
	ch <- prometheus.MustNewConstMetric(dropsDesc, prometheus.CounterValue, float64(drops.Drops))
}
