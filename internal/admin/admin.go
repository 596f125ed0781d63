// Package admin is the admin port of every program of the lab: /healthz, /metrics, /stats, /config, /gc and pprof. It
// runs on a listener and goroutines of its own, so that looking at a program does not load what is looked at.
package admin

import (
	"net"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/rs/zerolog"
)

// Program is what the admin port shows and changes. Nil functions leave their page out (404).
type Program struct {
	Name string
	// Ready is the answer of GET /healthz: nil is 200, an error 503 with its text.
	Ready func() error
	// Gather is what GET /metrics serves.
	Gather prometheus.Gatherer
	// Stats is the value that GET /stats serves as JSON.
	Stats func() any
	// Config is the value that GET /config serves as JSON: every resolved flag and every effective limit.
	Config func() any
	// SetConfig takes the JSON body of PUT /config; an error is answered with 400 and its text, and changes nothing.
	SetConfig func(body []byte) error
}

// Server is a running admin port.
type Server struct{}

// Listen binds addr and serves p until Close. An empty addr returns nil, on which Addr and Close may be called.
func Listen(addr string, p Program, log zerolog.Logger) (*Server, error) { panic("not written") }

// Addr is the bound address, nil without an admin port.
func (s *Server) Addr() net.Addr { panic("not written") }

// Close stops the port.
func (s *Server) Close() error { panic("not written") }
