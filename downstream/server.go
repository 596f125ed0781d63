package main

import (
	"context"
	"errors"
	"fmt"
	"net"
	"net/http"
	"strconv"
	"sync"
	"sync/atomic"
	"time"

	"github.com/gofiber/fiber/v2"
	recovery "github.com/gofiber/fiber/v2/middleware/recover"
	"github.com/rs/zerolog"

	"poolvsloop/internal/accept"
	"poolvsloop/internal/latency"
)

// What the downstream never wants to be is the limit: idle connections stay for a day, bodies may be larger than any that
// the servers take, and fasthttp never refuses a connection that was accepted.
const (
	idleTimeout = 24 * time.Hour
	maxBody     = 8 << 20  // bytes
	maxHeader   = 16 << 10 // bytes
	concurrency = 1 << 20
	reserve     = 64 // descriptors for the admin port, logs and traces
)

// Server is one downstream: it answers its routes after a delay, or does not, as its settings say.
type Server struct {
	log      zerolog.Logger
	ledger   *Ledger
	listener *listener
	app      *fiber.App
	timers   *Timers
	asking   *http.Client

	// change serialises changes of what follows; calls read it without a lock.
	change   sync.Mutex
	settings atomic.Pointer[Settings]
	stall    atomic.Pointer[Stall]
	rate     RateLimit
	gate     Gate

	// unnamed counts requests without X-Request-Id.
	unnamed atomic.Uint64
	// leave ends when hanging calls are let go.
	leave context.Context
	stop  context.CancelFunc
}

// NewServer binds the address; [Server.Serve] then serves on it. The error names the address.
func NewServer(s *Settings, log zerolog.Logger) (*Server, error) {
	l, err := accept.Listen(accept.Config{
		Addr: s.Addr, Backlog: s.Backlog, MaxConns: s.MaxConns, Reserve: reserve,
	}, log)
	if err != nil {
		return nil, err
	}
	timers, err := NewTimers()
	if err != nil {
		return nil, errors.Join(err, l.Close())
	}
	server := &Server{log: log, ledger: NewLedger(s.Name), listener: newListener(l), timers: timers, asking: newAsking()}
	server.leave, server.stop = context.WithCancel(context.Background())
	server.apply(s, true, time.Now())
	server.app = server.newApp()
	return server, nil
}

func (s *Server) newApp() *fiber.App {
	app := fiber.New(fiber.Config{
		DisableStartupMessage: true, ErrorHandler: s.problem, CaseSensitive: true, StrictRouting: true,
		BodyLimit: maxBody, ReadBufferSize: maxHeader, IdleTimeout: idleTimeout, Concurrency: concurrency,
	})
	app.Use(recovery.New())
	app.Get("/healthz", func(c *fiber.Ctx) error { return c.JSON(fiber.Map{"status": "ok", "name": s.ledger.name}) })
	for _, r := range routes {
		app.Add(r.Method, r.Path, func(c *fiber.Ctx) error { return s.call(c, r) })
	}
	app.Use(s.notFound)
	return app
}

// Addr is the bound address.
func (s *Server) Addr() net.Addr { return s.listener.Addr() }

// Serve answers until [Server.Shutdown], and then returns nil.
func (s *Server) Serve() error {
	go s.listener.run()
	if err := s.app.Listener(s.listener); err != nil {
		return fmt.Errorf("serve on %s: %w", s.Addr(), err)
	}
	return nil
}

// Shutdown lets hanging calls go, accepts who waits to be accepted and nobody else, and waits for the calls in flight
// until ctx ends; what is left then is cut short.
func (s *Server) Shutdown(ctx context.Context) error {
	s.stop()
	defer s.asking.CloseIdleConnections()
	inTime := context.AfterFunc(ctx, func() { _ = s.listener.Close() }) // cuts Drain short
	s.listener.Drain()
	inTime()
	err := s.app.ShutdownWithContext(ctx)
	if err != nil && !errors.Is(err, net.ErrClosed) {
		return errors.Join(fmt.Errorf("stop with %d calls in flight: %w", s.ledger.InFlight(), err), s.timers.Close())
	}
	return s.timers.Close()
}

// Close closes the listening socket of a server that never served.
func (s *Server) Close() error {
	s.stop()
	return errors.Join(s.listener.Close(), s.timers.Close())
}

// Change applies the JSON body of PUT /config. Calls that wait already keep the delay they came to. On an error nothing
// has changed.
func (s *Server) Change(body []byte) error {
	s.change.Lock()
	defer s.change.Unlock()
	next, stall, err := s.settings.Load().Change(body, latency.OpenFile)
	if err == nil {
		s.apply(next, stall, time.Now())
	}
	return err
}

func (s *Server) apply(next *Settings, stall bool, now time.Time) {
	last := s.settings.Swap(next)
	if stall {
		window := NewStall(now, next.StallAt, next.StallFor)
		s.stall.Store(&window)
	}
	if last == nil || last.RateLimit != next.RateLimit {
		s.rate.Set(next.RateLimit)
	}
	s.gate.SetLimit(next.ConcurrencyLimit)
}

// Values are all settings by the names of their flags.
func (s *Server) Values() map[string]string { return s.settings.Load().values }

// Report is the ledger with the connections.
func (s *Server) Report() Report { return s.withConnections(s.ledger.Report()) }

// Reset begins a new epoch of the ledger and returns the one that ended.
func (s *Server) Reset() Report { return s.withConnections(s.ledger.Reset()) }

func (s *Server) withConnections(r Report) Report {
	stats := s.listener.Stats()
	r.Connections, r.Accepted = stats.Open, stats.Accepted
	return r
}

// requestID is the client's, or else a number of our own.
func (s *Server) requestID(c *fiber.Ctx) string {
	if id := c.Get(fiber.HeaderXRequestID); id != "" {
		return id
	}
	return strconv.FormatUint(s.unnamed.Add(1), 10)
}

func (s *Server) notFound(c *fiber.Ctx) error {
	s.ledger.Begin(otherRoute).End(BadRequest)
	return answerProblem(c, fiber.StatusNotFound, "no such route: "+c.Method()+" "+c.Path())
}

// problem answers what never became a call: broken HTTP, and panics, which are logged.
func (s *Server) problem(c *fiber.Ctx, err error) error {
	status := fiber.StatusInternalServerError
	var known *fiber.Error
	if errors.As(err, &known) {
		status = known.Code
	} else {
		s.log.Error().Err(err).Str("path", c.Path()).Msg("handler failed")
	}
	return answerProblem(c, status, err.Error())
}
