package main

import (
	"strconv"
	"sync/atomic"
	"time"

	"github.com/prometheus/client_golang/prometheus"

	"poolvsloop/internal/flow"
	"poolvsloop/internal/meter"
)

// gauges are a loop's figures, copied at every tick so that other goroutines may read them. Those of a loop that stands
// still are as old as its last tick.
type gauges struct {
	values [gaugeCount]atomic.Int64
	// windowStart and windowBusy begin the second over which the utilisation is taken; only the loop uses them.
	windowStart, windowBusy time.Duration
}

type gauge int

const (
	gaugeConns gauge = iota
	gaugeTimers
	gaugeFull
	gaugeUnsent
	gaugeOpenA
	gaugeOpenB
	gaugeWaitingA
	gaugeWaitingB
	gaugeCachePending
	gaugeMean        // ns
	gaugeMost        // ns
	gaugeLongest     // ns
	gaugeUtilization // millionths
	gaugeBusy        // ns, since the start
	gaugeCallbacks   // since the start
	gaugeCount
)

// utilizationWindow is the time over which lab_loop_utilization is taken.
const utilizationWindow = time.Second

func (l *loop) publish() {
	g := &l.gauges
	a, b := l.downstreams[flow.DownstreamA], l.downstreams[flow.DownstreamB]
	for i, v := range [gaugeCount]int64{
		gaugeConns: int64(len(l.conns)), gaugeTimers: int64(l.timers.set),
		gaugeFull: int64(l.full), gaugeUnsent: int64(l.unsent),
		gaugeOpenA: int64(a.open), gaugeOpenB: int64(b.open),
		gaugeWaitingA: int64(a.waiting.live + a.again.live), gaugeWaitingB: int64(b.waiting.live + b.again.live),
		gaugeCachePending: int64(l.cache.pending.live),
		gaugeMean:         int64(l.lag.mean), gaugeMost: int64(l.lag.most), gaugeLongest: int64(l.usage.longest),
		gaugeUtilization: g.values[gaugeUtilization].Load(),
		gaugeBusy:        int64(l.usage.busy), gaugeCallbacks: l.usage.callbacks,
	} {
		g.values[i].Store(v)
	}
	if passed := l.now - g.windowStart; passed >= utilizationWindow {
		busy := l.usage.busy - g.windowBusy
		g.values[gaugeUtilization].Store(int64(1e6 * busy / passed))
		g.windowStart, g.windowBusy = l.now, l.usage.busy
	}
}

// figure is one exported figure of every loop.
type figure struct {
	gauge gauge
	desc  *prometheus.Desc
	kind  prometheus.ValueType
	scale float64
}

func newFigure(g gauge, name, help string, kind prometheus.ValueType, scale float64) figure {
	return figure{g, prometheus.NewDesc(name, help, []string{"loop"}, nil), kind, scale}
}

const seconds = 1e-9 // of a nanosecond

var figures = []figure{
	newFigure(gaugeConns, "lab_loop_conns", "Clients' connections of the loop.", prometheus.GaugeValue, 1),
	newFigure(gaugeTimers, "lab_timers_pending", "Deadlines and waits that are set.", prometheus.GaugeValue, 1),
	newFigure(gaugeFull, "lab_reads_paused", "Connections whose requests are not taken: --out-high.", prometheus.GaugeValue, 1),
	newFigure(gaugeUnsent, "lab_out_buffered_bytes", "Bytes that wait to be sent to clients.", prometheus.GaugeValue, 1),
	newFigure(gaugeMean, "lab_loop_lag_mean_seconds", "Loop lag, mean weighted to the latest ticks.", prometheus.GaugeValue, seconds),
	newFigure(gaugeMost, "lab_loop_lag_max_seconds", "Largest loop lag since the start.", prometheus.GaugeValue, seconds),
	newFigure(gaugeLongest, "lab_loop_handler_seconds_max", "Longest callback since the start.", prometheus.GaugeValue, seconds),
	newFigure(gaugeUtilization, "lab_loop_utilization", "Share of the last second in which the loop did not wait.", prometheus.GaugeValue, 1e-6),
	newFigure(gaugeBusy, "lab_loop_busy_seconds_total", "Time in which the loop did not wait.", prometheus.CounterValue, seconds),
	newFigure(gaugeCallbacks, "lab_loop_callbacks_total", "Callbacks and tasks that the loop ran.", prometheus.CounterValue, 1),
	newFigure(gaugeCachePending, "lab_cache_pending", "Cache commands without a reply yet.", prometheus.GaugeValue, 1),
}

var (
	downstreamLabels = []string{"loop", "target"}
	openDesc         = prometheus.NewDesc("lab_downstream_conns", "Connections to a downstream, those being dialled included.", downstreamLabels, nil)
	waitingDesc      = prometheus.NewDesc("lab_downstream_waiting", "Requests that wait for a connection to a downstream.", downstreamLabels, nil)
	blockedDesc      = prometheus.NewDesc("lab_loop_blocked_total", "Times that the loop stood still for --blocked-after.", []string{"loop"}, nil)
)

// loopMetrics exports the figures of all loops.
type loopMetrics struct{ loops []*loop }

// Describe and Collect implement prometheus.Collector.
func (m loopMetrics) Describe(ch chan<- *prometheus.Desc) {
	for _, f := range figures {
		ch <- f.desc
	}
	ch <- openDesc
	ch <- waitingDesc
	ch <- blockedDesc
}

func (m loopMetrics) Collect(ch chan<- prometheus.Metric) {
	for i, l := range m.loops {
		name := strconv.Itoa(i)
		value := func(g gauge) float64 { return float64(l.gauges.values[g].Load()) }
		for _, f := range figures {
			ch <- prometheus.MustNewConstMetric(f.desc, f.kind, value(f.gauge)*f.scale, name)
		}
		ch <- prometheus.MustNewConstMetric(openDesc, prometheus.GaugeValue, value(gaugeOpenA), name, "downstream_a")
		ch <- prometheus.MustNewConstMetric(openDesc, prometheus.GaugeValue, value(gaugeOpenB), name, "downstream_b")
		ch <- prometheus.MustNewConstMetric(waitingDesc, prometheus.GaugeValue, value(gaugeWaitingA), name, "downstream_a")
		ch <- prometheus.MustNewConstMetric(waitingDesc, prometheus.GaugeValue, value(gaugeWaitingB), name, "downstream_b")
		ch <- prometheus.MustNewConstMetric(blockedDesc, prometheus.CounterValue, float64(l.watchdog.blocked.Load()), name)
	}
}

// register exports what only event loops have.
func register(s *server) {
	s.meter.Register(loopMetrics{s.loops}, s.lagSamples,
		prometheus.NewCounterFunc(prometheus.CounterOpts{Name: "lab_panics_total", Help: "Panics that were recovered."},
			func() float64 { return float64(s.panics.Load()) }))
	if s.cpu != nil {
		s.meter.Register(s.cpu.wait,
			prometheus.NewGaugeFunc(prometheus.GaugeOpts{Name: "lab_cpu_queue_depth", Help: "CPU steps that wait for the side pool."},
				func() float64 { return float64(len(s.cpu.queue)) }),
			prometheus.NewGaugeFunc(prometheus.GaugeOpts{Name: "lab_cpu_workers_busy", Help: "Workers of the side pool that run a step."},
				func() float64 { return float64(s.cpu.busy.Load()) }))
	}
}

// newLagSamples returns the histograms of loop lag.
func newLagSamples() *prometheus.HistogramVec {
	return prometheus.NewHistogramVec(prometheus.HistogramOpts{
		Name: "lab_loop_lag_seconds", Help: "When a tick was handled, minus when it was intended.", Buckets: meter.Buckets,
	}, []string{"loop"})
}

// loopStats is what /stats shows of a loop.
type loopStats struct {
	Conns        int64   `json:"conns"`
	Timers       int64   `json:"timers_pending"`
	OpenA        int64   `json:"downstream_a_conns"`
	OpenB        int64   `json:"downstream_b_conns"`
	CachePending int64   `json:"cache_pending"`
	ReadsPaused  int64   `json:"reads_paused"`
	OutBuffered  int64   `json:"out_buffered_bytes"`
	LagMean      float64 `json:"lag_mean_s"`
	LagMax       float64 `json:"lag_max_s"`
	HandlerMax   float64 `json:"handler_max_s"`
	Utilization  float64 `json:"utilization"`
	BusySeconds  float64 `json:"busy_s"`
	Callbacks    int64   `json:"callbacks"`
	Blocked      int64   `json:"blocked"`
}

func (l *loop) stats() loopStats {
	value := func(g gauge) int64 { return l.gauges.values[g].Load() }
	return loopStats{
		Conns: value(gaugeConns), Timers: value(gaugeTimers), OpenA: value(gaugeOpenA), OpenB: value(gaugeOpenB),
		CachePending: value(gaugeCachePending), ReadsPaused: value(gaugeFull), OutBuffered: value(gaugeUnsent),
		LagMean: float64(value(gaugeMean)) * seconds, LagMax: float64(value(gaugeMost)) * seconds,
		HandlerMax:  float64(value(gaugeLongest)) * seconds,
		Utilization: float64(value(gaugeUtilization)) * 1e-6,
		BusySeconds: float64(value(gaugeBusy)) * seconds,
		Callbacks:   value(gaugeCallbacks), Blocked: l.watchdog.blocked.Load(),
	}
}
