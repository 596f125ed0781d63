// Package meter holds the metrics that both servers export under the same names (prefix lab_). What only one
// concurrency model has, that server registers itself on the same registry.
package meter

import (
	"time"

	"github.com/prometheus/client_golang/prometheus"

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

// Rejection is the reason of a refusal.
type Rejection uint8

// Reasons of refusals, and of answers 503.
const (
	QueueFull Rejection = iota
	QueueTimeout
	ConnLimit
	InflightLimit
	LagLimit
	Draining
)

// Abandonment says where a request was when its client left.
type Abandonment uint8

// Where a client can leave.
const (
	Queued Abandonment = iota
	InService
)

// Server is the set of metrics of one server. All methods may be called from any goroutine and cost one atomic add or
// two; none allocates.
type Server struct {
	registry *prometheus.Registry
}

// New makes the metrics, with constant label server="threadpool" or "eventloop".
func New(server string) *Server { panic("not written") }

// Registry is where a server registers what only it has, and what /metrics serves.
func (s *Server) Registry() *prometheus.Registry { panic("not written") }

// Watch exports the listener's state (lab_conns_open, lab_conns_max, lab_listen_queue_depth, …).
func (s *Server) Watch(stats func() accept.Stats) { panic("not written") }

// Response counts one answer: lab_http_responses_total{code}.
func (s *Server) Response(status int) { panic("not written") }

// Service records the time from the start of service to the response: lab_service_seconds.
func (s *Server) Service(d time.Duration) { panic("not written") }

// Rejected counts a refusal: lab_rejected_total{reason}.
func (s *Server) Rejected(r Rejection) { panic("not written") }

// Abandoned counts a request whose client left: lab_abandoned_total{where}.
func (s *Server) Abandoned(a Abandonment) { panic("not written") }

// TimedOut counts a connection cut by its deadline: lab_timeouts_total{phase}.
func (s *Server) TimedOut(t Timeout) { panic("not written") }

// Idle moves the number of connections in keep-alive wait: lab_conns_idle.
func (s *Server) Idle(delta int) { panic("not written") }

// InFlight moves the number of requests in service: lab_requests_in_flight.
func (s *Server) InFlight(delta int) { panic("not written") }

// Called counts a call and its outcome: lab_calls_total{target,outcome}.
func (s *Server) Called(t flow.Target, f flow.Failure) { panic("not written") }

// Resent counts a call that was sent again because its reused connection was dead: lab_calls_resent_total{target}.
func (s *Server) Resent(t flow.Target) { panic("not written") }

// CacheFailed counts a request that went on as a miss because the cache was down: lab_cache_fail_open_total.
func (s *Server) CacheFailed() { panic("not written") }
