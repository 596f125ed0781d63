package main

import (
	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/collectors"
)

// collector exports the ledger. Counters go on over its resets; the percentiles are of the current epoch.
type collector struct {
	server *Server

	calls, outcomes, late, overshoot          *prometheus.Desc
	inFlight, queueDepth, connections, isLate *prometheus.Desc
}

func newRegistry(s *Server) *prometheus.Registry {
	registry := prometheus.NewRegistry()
	registry.MustRegister(
		collectors.NewGoCollector(), collectors.NewProcessCollector(collectors.ProcessCollectorOpts{}), newCollector(s))
	return registry
}

func newCollector(s *Server) *collector {
	describe := func(name, help string, labels ...string) *prometheus.Desc {
		return prometheus.NewDesc("lab_downstream_"+name, help, labels, prometheus.Labels{"name": s.ledger.name})
	}
	return &collector{
		server:   s,
		calls:    describe("calls_total", "Requests that came in.", "route"),
		outcomes: describe("outcomes_total", "Calls that ended, by how.", "outcome"),
		late:     describe("late_calls_total", "Calls whose delay overshot by more than 2 ms and a tenth of it."),
		overshoot: describe("delay_overshoot_seconds",
			"Delay delivered less delay intended; quantiles since the last reset of the ledger."),
		inFlight:    describe("in_flight", "Calls in flight."),
		queueDepth:  describe("queue_depth", "Calls that wait at the concurrency limit."),
		connections: describe("connections", "Open connections."),
		isLate:      describe("late", "1 when more than 1 % of the calls since the last reset were late."),
	}
}

// Describe implements [prometheus.Collector].
func (c *collector) Describe(out chan<- *prometheus.Desc) { prometheus.DescribeByCollect(c, out) }

// Collect implements [prometheus.Collector].
func (c *collector) Collect(out chan<- prometheus.Metric) {
	report, total := c.server.Report(), c.server.ledger.Total()
	for route, n := range total.routes {
		out <- prometheus.MustNewConstMetric(c.calls, prometheus.CounterValue, float64(n), route)
	}
	for outcome, n := range total.outcomes {
		out <- prometheus.MustNewConstMetric(c.outcomes, prometheus.CounterValue, float64(n), Outcome(outcome).String())
	}
	out <- prometheus.MustNewConstMetric(c.late, prometheus.CounterValue, float64(total.late))
	out <- prometheus.MustNewConstSummary(c.overshoot, total.delayed, total.overshoot.Seconds(),
		map[float64]float64{0.5: report.OvershootMS.P50 / 1e3, 0.99: report.OvershootMS.P99 / 1e3})
	gauge := func(d *prometheus.Desc, value float64) {
		out <- prometheus.MustNewConstMetric(d, prometheus.GaugeValue, value)
	}
	gauge(c.inFlight, float64(c.server.ledger.InFlight()))
	gauge(c.queueDepth, float64(c.server.gate.QueueDepth()))
	gauge(c.connections, float64(report.Connections))
	gauge(c.isLate, boolean(report.Late))
}

func boolean(b bool) float64 {
	if b {
		return 1
	}
	return 0
}
