package main

import (
	"sync"
	"sync/atomic"
	"time"

	"github.com/prometheus/client_golang/prometheus"

	"poolvsloop/internal/flow"
	"poolvsloop/internal/meter"
)

// cpuPool is the bounded side pool of --cpu-on=pool: it runs the CPU steps of requests of all loops, and gives each
// request back on its loop.
type cpuPool struct {
	queue   chan step
	workers sync.WaitGroup
	busy    atomic.Int64
	wait    prometheus.Histogram
}

// step is a CPU step that waits for a worker.
type step struct {
	request *request
	queued  time.Time
}

func newCPUPool(workers, queue int) *cpuPool {
	p := &cpuPool{
		queue: make(chan step, queue),
		wait: prometheus.NewHistogram(prometheus.HistogramOpts{
			Name: "lab_cpu_queue_wait_seconds", Help: "Time that CPU steps waited for the side pool.", Buckets: meter.Buckets,
		}),
	}
	for range workers {
		p.workers.Go(p.work)
	}
	return p
}

// submit queues the request's CPU step; it returns false when the queue is full. The request is back on its loop, by
// its returned method, when the step is done.
func (p *cpuPool) submit(r *request) bool {
	select {
	case p.queue <- step{r, time.Now()}:
		return true
	default:
		return false
	}
}

func (p *cpuPool) work() {
	for s := range p.queue {
		p.wait.Observe(time.Since(s.queued).Seconds())
		p.busy.Add(1)
		_ = flow.Burn(s.request.call.Iterations)
		p.busy.Add(-1)
		s.request.loop.post(s.request.returned)
	}
}

// metrics is what the pool exports.
func (p *cpuPool) metrics() []prometheus.Collector {
	return []prometheus.Collector{
		p.wait,
		prometheus.NewGaugeFunc(prometheus.GaugeOpts{
			Name: "lab_cpu_queue_depth", Help: "CPU steps that wait for the side pool.",
		}, func() float64 { return float64(len(p.queue)) }),
		prometheus.NewGaugeFunc(prometheus.GaugeOpts{
			Name: "lab_cpu_workers_busy", Help: "Workers of the side pool that run a step.",
		}, func() float64 { return float64(p.busy.Load()) }),
	}
}

// close ends the workers once the queue is empty. Nothing may be submitted after it.
func (p *cpuPool) close() {
	close(p.queue)
	p.workers.Wait()
}

// returned takes a request back from another goroutine; its client may have left meanwhile.
func (r *request) returned() {
	r.where = nowhere
	if r.conn == nil {
		r.loop.free(r)
		return
	}
	r.resume(flow.Outcome{})
}
