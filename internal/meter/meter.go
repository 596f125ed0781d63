// Package meter holds the metrics that both servers export under the same names (prefix lab_). What only one
// concurrency model has, that server registers itself.
package meter

import (
	"regexp"
	"strconv"
	"sync/atomic"
	"time"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/collectors"

	"poolvsloop/internal/accept"
	"poolvsloop/internal/flow"
)

// Timeout is the phase in which a client's connection timed out.
type Timeout uint8

// Phases of a connection.
const (
	HeaderTimeout Timeout = iota
	BodyTimeout
	WriteTimeout
	IdleTimeout
)

var phases = []string{HeaderTimeout: "header", BodyTimeout: "body", WriteTimeout: "write", IdleTimeout: "idle"}

// Rejection is the reason of a refusal.
type Rejection uint8

// Reasons of refusals, and of answers 503.
const (
	QueueFull Rejection = iota
	QueueTimeout
	InflightLimit
	LagLimit
)

var reasons = []string{
	QueueFull: "queue_full", QueueTimeout: "queue_timeout", InflightLimit: "inflight_limit", LagLimit: "lag_limit",
}

// Abandonment says where a request was when its client left.
type Abandonment uint8

// Where a client can leave.
const (
	Queued Abandonment = iota
	InService
)

var places = []string{Queued: "queued", InService: "in_service"}

var (
	targets  = []string{flow.DownstreamA: "downstream_a", flow.DownstreamB: "downstream_b", flow.Cache: "cache"}
	outcomes = []string{flow.OK: "ok", flow.Down: "down", flow.Late: "late", flow.Malformed: "malformed"}
)

// Server is the set of metrics of one server. All methods may be called from any goroutine and cost one atomic add or
// two; none allocates.
type Server struct {
	registry   *prometheus.Registry
	registerer prometheus.Registerer

	responses, rejected, abandoned, timeouts *counters
	calls, resent                            *counters
	cacheFailed, panics                      *counters
	idle, inFlight, served                   atomic.Int64
	service                                  prometheus.Histogram
}

// Buckets are the upper bounds, in seconds, of every duration histogram of the servers: 0.1 ms to 60 s.
var Buckets = []float64{
	.0001, .00025, .0005, .001, .0025, .005, .01, .025, .05, .075, .1, .15, .2, .3, .5, .75, 1, 2, 5, 10, 30, 60,
}

// New makes the metrics, with constant label server="threadpool" or "eventloop".
func New(server string) *Server {
	registry := prometheus.NewRegistry()
	s := &Server{
		registry:   registry,
		registerer: prometheus.WrapRegistererWith(prometheus.Labels{"server": server}, registry),
		responses: newCounters("lab_http_responses_total", "Answers that the kernel took whole, by status code.",
			label{"code", statusNames()}).onlyCounted(),
		rejected: newCounters("lab_rejected_total", "Requests and connections refused, by reason.",
			label{"reason", reasons}),
		abandoned: newCounters("lab_abandoned_total", "Requests whose client left, by where they were.",
			label{"where", places}),
		timeouts: newCounters("lab_timeouts_total", "Client connections cut by a deadline, by phase.",
			label{"phase", phases}),
		calls: newCounters("lab_calls_total", "Calls to downstreams and cache, by outcome.",
			label{"target", targets}, label{"outcome", outcomes}),
		resent: newCounters("lab_calls_resent_total", "Calls sent again because their reused connection was dead.",
			label{"target", targets}),
		cacheFailed: newCounters("lab_cache_fail_open_total",
			"Requests that went on as a miss because the cache was down."),
		panics: newCounters("lab_panics_total", "Panics that were recovered."),
		service: prometheus.NewHistogram(prometheus.HistogramOpts{
			Name: "lab_service_seconds", Help: "Time from the start of service to the response.", Buckets: Buckets,
		}),
	}
	s.Register(s.responses, s.rejected, s.abandoned, s.timeouts, s.calls, s.resent, s.cacheFailed, s.panics, s.service,
		gauge("lab_conns_idle", "Connections in keep-alive wait.", &s.idle),
		gauge("lab_requests_in_flight", "Requests in service.", &s.inFlight),
		overflows{},
		collectors.NewGoCollector(collectors.WithGoCollectorRuntimeMetrics(
			collectors.GoRuntimeMetricsRule{Matcher: regexp.MustCompile(`^/sched/latencies:seconds$`)})),
		collectors.NewProcessCollector(collectors.ProcessCollectorOpts{}),
		collectors.NewBuildInfoCollector(),
	)
	return s
}

// Registry is what /metrics serves.
func (s *Server) Registry() *prometheus.Registry { return s.registry }

// Register adds metrics that only one server has, under the same constant label. It panics on a name that is taken.
func (s *Server) Register(cs ...prometheus.Collector) { s.registerer.MustRegister(cs...) }

// Watch exports the listener's state (lab_conns_open, lab_conns_max, lab_listen_queue_depth, …). Call it once.
func (s *Server) Watch(stats func() accept.Stats) { s.Register(listener{stats}) }

// Response counts one answer: lab_http_responses_total{code}. A code outside 100 to 599 counts as "other".
func (s *Server) Response(status int) { s.responses.add(statusCell(status)) }

// Service records the time from the start of service to the response: lab_service_seconds.
func (s *Server) Service(d time.Duration) {
	s.service.Observe(d.Seconds())
	s.served.Add(int64(d))
}

// Rejected counts a refusal: lab_rejected_total{reason}.
func (s *Server) Rejected(r Rejection) { s.rejected.add(int(r)) }

// Abandoned counts a request whose client left: lab_abandoned_total{where}.
func (s *Server) Abandoned(a Abandonment) { s.abandoned.add(int(a)) }

// TimedOut counts a connection cut by its deadline: lab_timeouts_total{phase}.
func (s *Server) TimedOut(t Timeout) { s.timeouts.add(int(t)) }

// Idle moves the number of connections in keep-alive wait: lab_conns_idle.
func (s *Server) Idle(delta int) { s.idle.Add(int64(delta)) }

// InFlight moves the number of requests in service: lab_requests_in_flight.
func (s *Server) InFlight(delta int) { s.inFlight.Add(int64(delta)) }

// Called counts a call and its outcome: lab_calls_total{target,outcome}. Waits and CPU steps call nobody, and are left out.
func (s *Server) Called(t flow.Target, f flow.Failure) {
	if int(t) < len(targets) {
		s.calls.add(int(t)*len(outcomes) + int(f))
	}
}

// Resent counts a call that was sent again because its reused connection was dead: lab_calls_resent_total{target}.
func (s *Server) Resent(t flow.Target) { s.resent.add(int(t)) }

// CacheFailed counts a request that went on as a miss because the cache was down: lab_cache_fail_open_total.
func (s *Server) CacheFailed() { s.cacheFailed.add(0) }

// Panicked counts a panic that was recovered: lab_panics_total.
func (s *Server) Panicked() { s.panics.add(0) }

// otherStatus is the cell of a status that is none.
const otherStatus = 600

func statusCell(status int) int {
	if status < 100 || status >= otherStatus {
		return otherStatus
	}
	return status
}

func statusNames() []string {
	names := make([]string, otherStatus+1)
	for code := 100; code < otherStatus; code++ {
		names[code] = strconv.Itoa(code)
	}
	names[otherStatus] = "other"
	return names
}
