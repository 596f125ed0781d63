// Package admin is the admin port of every program of the lab: /healthz, /metrics, /stats, /config, /gc and pprof. It
// runs on a listener and goroutines of its own, so that looking at a program does not load what is looked at.
package admin

import (
	"errors"
	"fmt"
	"net"
	"time"

	"github.com/gofiber/fiber/v2"
	"github.com/prometheus/client_golang/prometheus"
	"github.com/rs/zerolog"
)

// Program is what the admin port shows and changes. Nil functions leave their page out (404); a method that a page does
// not have is 405. All of them are called on the admin port's goroutines, several at once.
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
	// Routes adds pages of the program's own. An error of a handler is answered as JSON; a *fiber.Error chooses the
	// status, any other is 500.
	Routes func(fiber.Router)
}

// Server is a running admin port. All methods may be called from any goroutine.
type Server struct {
	app      *fiber.App
	listener net.Listener
	ended    chan struct{}
}

// Listen binds addr and serves p until Close. An empty addr returns nil, on which Addr and Close may be called.
func Listen(addr string, p Program, log zerolog.Logger) (*Server, error) {
	if addr == "" {
		return nil, nil
	}
	listener, err := net.Listen("tcp", addr)
	if err != nil {
		return nil, fmt.Errorf("admin port: listen on %s: %w: choose another --admin", addr, err)
	}
	s := &Server{app: newApp(p), listener: listener, ended: make(chan struct{})}
	go func() {
		defer close(s.ended)
		if err := s.app.Listener(listener); err != nil && !errors.Is(err, net.ErrClosed) {
			log.Error().Err(err).Msg("admin port ended")
		}
	}()
	return s, nil
}

// Addr is the bound address, nil without an admin port.
func (s *Server) Addr() net.Addr {
	if s == nil {
		return nil
	}
	return s.listener.Addr()
}

// lastAnswers bounds how long Close waits for requests under way, such as a profile.
const lastAnswers = time.Second

// Close stops the port; requests under way have a second to end.
func (s *Server) Close() error {
	if s == nil {
		return nil
	}
	err := s.app.ShutdownWithTimeout(lastAnswers)
	if closed := s.listener.Close(); closed != nil && !errors.Is(closed, net.ErrClosed) {
		err = errors.Join(err, closed)
	}
	<-s.ended
	return err
}
