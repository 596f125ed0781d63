package main

import (
	"context"
	"sync/atomic"
	"time"

	"github.com/prometheus/client_golang/prometheus"
)

// Loop lag is measured by schedule: a ticker outside the loops wakes each of them every --lag-interval, and the lag of a
// tick is the time at which the loop handled it minus the time for which it was intended. A loop that stood still for a
// second has a hundred ticks to handle then, and records each: a sample per wake-up would count that second once
// (coordinated omission).

// lag is the lag of one loop. Only the loop uses it, but for what is atomic.
type lag struct {
	next    time.Duration // the tick that is to be handled next, by schedule
	mean    time.Duration // weighted towards the latest ticks
	most    time.Duration
	sum     time.Duration // of all ticks
	ticks   int64
	samples prometheus.Observer
	queued  atomic.Int64 // since when a tick waits to be handled, a time.Duration since the server's start; 0: none does
}

const (
	// lagWeight is the weight of the latest tick in the mean.
	lagWeight = 0.1
	// mostLag bounds the lag that is recorded, so that a process that was stopped for an hour does not spend another one
	// on recording that.
	mostLag = time.Minute
)

// record handles all ticks that are due at now.
func (g *lag) record(now, interval time.Duration) {
	g.next = max(g.next, now-mostLag)
	for ; g.next <= now; g.next += interval {
		late := now - g.next
		g.samples.Observe(late.Seconds())
		g.most = max(g.most, late)
		g.sum += late
		g.ticks++
		g.mean += time.Duration(lagWeight * float64(late-g.mean))
	}
}

// tick handles the loop's ticks, and shows its figures to other goroutines.
func (l *loop) tick() {
	l.lag.queued.Store(0)
	l.lag.record(l.now, l.server.config.LagInterval)
	l.publish()
}

// startTicker wakes every loop by schedule and watches that they answer, until the function that it returns is called.
func (s *server) startTicker() (stop func()) {
	ctx, cancel := context.WithCancel(context.Background())
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		s.tickUntil(ctx.Done())
	}()
	return func() {
		cancel()
		<-ended
	}
}

func (s *server) tickUntil(done <-chan struct{}) {
	interval := s.config.LagInterval
	timer := time.NewTimer(0)
	defer timer.Stop()
	for {
		select {
		case <-done:
			return
		case <-timer.C:
		}
		now := s.clock()
		for _, l := range s.loops {
			if l.lag.queued.CompareAndSwap(0, int64(now)) {
				l.queue(l.onTick) // one that waits already will handle this tick too
			}
			l.watch(now)
		}
		timer.Reset(interval - now%interval)
	}
}
