package main

import (
	"github.com/prometheus/client_golang/prometheus"

	"poolvsloop/internal/meter"
)

// metrics are those that only a pool has.
type metrics struct {
	queueWait prometheus.Histogram
}

func newMetrics(s *server) *metrics {
	made := &metrics{queueWait: prometheus.NewHistogram(prometheus.HistogramOpts{
		Name: "lab_queue_wait_seconds", Help: "Time in the queue, 0 when a worker was free.", Buckets: meter.Buckets,
	})}
	gauge := func(name, help string, of func(poolStats) int) prometheus.Collector {
		return prometheus.NewGaugeFunc(prometheus.GaugeOpts{Name: name, Help: help},
			func() float64 { return float64(of(s.pool.stats())) })
	}
	s.meter.Register(made.queueWait,
		gauge("lab_workers", "Workers wanted.", func(s poolStats) int { return s.Workers }),
		gauge("lab_workers_started", "Workers that run; they are started when needed.",
			func(s poolStats) int { return s.Started }),
		gauge("lab_workers_busy", "Workers in service.", func(s poolStats) int { return s.Busy }),
		gauge("lab_workers_os_threads", "Workers that have an OS thread of their own.", func(now poolStats) int {
			if s.config.Worker == WorkerThread {
				return now.Started
			}
			return 0
		}),
		gauge("lab_queue_depth", "Requests that wait for a worker.", func(s poolStats) int { return s.QueueDepth }),
		gauge("lab_queue_limit", "Most requests that may wait; -1 is no limit.",
			func(s poolStats) int { return s.QueueLimit }),
	)
	return made
}
