package main

import (
	"sync"
	"time"

	"poolvsloop/internal/flow"
)

// loopStats is a loop's figures for /stats and /metrics, as of its last tick: those of a loop that stands still are as
// old as that.
type loopStats struct {
	Conns        int     `json:"conns"`
	Timers       int     `json:"timers_pending"`
	CachePending int     `json:"cache_pending"`
	ReadsPaused  int     `json:"reads_paused"`
	OutBuffered  int     `json:"out_buffered_bytes"`
	LagMean      float64 `json:"lag_mean_s"`
	LagMax       float64 `json:"lag_max_s"`
	// LagSeconds is the lag of all Ticks together.
	LagSeconds  float64 `json:"lag_s"`
	Ticks       int64   `json:"ticks"`
	HandlerMax  float64 `json:"handler_max_s"`
	Utilization float64 `json:"utilization"`
	BusySeconds float64 `json:"busy_s"`
	Callbacks   int64   `json:"callbacks"`
	Blocked     int64   `json:"blocked"`
	// A and B are the connections to the downstreams.
	A downstreamStats `json:"downstream_a"`
	B downstreamStats `json:"downstream_b"`
}

// downstreamStats is what /stats shows of the connections to a downstream; Open includes connections that are being dialled.
type downstreamStats struct {
	Open int `json:"open"`
	Idle int `json:"idle"`
	// QueueDepth is the number of requests that wait for a connection.
	QueueDepth int `json:"queue_depth"`
}

// shown is the copy that the loop makes for other goroutines.
type shown struct {
	sync.Mutex
	stats loopStats
}

// stats is called by other goroutines than the loop's.
func (l *loop) stats() loopStats {
	l.shown.Lock()
	defer l.shown.Unlock()
	stats := l.shown.stats
	stats.Blocked = l.watchdog.blocked.Load()
	return stats
}

// utilizationWindow is the time over which the utilisation is taken.
const utilizationWindow = time.Second

// publish copies the loop's figures for stats.
func (l *loop) publish() {
	l.shown.Lock()
	defer l.shown.Unlock()
	s := &l.shown.stats
	s.Conns, s.Timers = len(l.conns), l.timers.set
	s.CachePending, s.ReadsPaused, s.OutBuffered = l.cache.pending.live, l.full, l.unsent
	s.LagMean, s.LagMax, s.HandlerMax = l.lag.mean.Seconds(), l.lag.most.Seconds(), l.usage.longest.Seconds()
	s.LagSeconds, s.Ticks = l.lag.sum.Seconds(), l.lag.ticks
	s.BusySeconds, s.Callbacks = l.usage.busy.Seconds(), l.usage.callbacks
	s.Utilization = l.usage.share(l.now, utilizationWindow)
	s.A, s.B = l.downstreams[flow.DownstreamA].stats(), l.downstreams[flow.DownstreamB].stats()
}

func (d *downstream) stats() downstreamStats {
	return downstreamStats{Open: d.open, Idle: len(d.idle), QueueDepth: d.waiting.live + d.again.live}
}
