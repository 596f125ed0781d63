package main

import (
	"context"
	"errors"
	"fmt"
	"net"
	"runtime"
	"runtime/debug"
	"sync/atomic"
	"time"

	"github.com/rs/zerolog"

	"poolvsloop/internal/accept"
	"poolvsloop/internal/admin"
	"poolvsloop/internal/config"
	"poolvsloop/internal/flow"
	"poolvsloop/internal/meter"
	"poolvsloop/internal/procstat"
	"poolvsloop/internal/program"
)

const (
	// name is the server's name in logs, metrics and results, serverName its name in answers.
	name       = "threadpool"
	serverName = "pool"
	// orderPath is the route of the order handler.
	orderPath = "/v1/sync"
)

// server is a thread pool server. Make one with newServer and run it once.
type server struct {
	config   Config
	flags    map[string]string // all flags as they were resolved
	log      zerolog.Logger
	warnings zerolog.Logger // at most one line a second
	meter    *meter.Server
	metrics  *metrics
	handler  *flow.Handler
	waits    waiting
	stacks   stacks
	inboxes  *inboxes
	conns    *conns
	pool     *pool
	listener *accept.Listener
	admin    *admin.Server
	limits   program.Limits

	draining atomic.Bool
}

// run serves until ctx ends, then drains. flags are those of c by name, for /config.
func run(ctx context.Context, c Config, flags map[string]string, log zerolog.Logger) error {
	if err := program.RaiseDescriptors(); err != nil {
		log.Warn().Err(err).Msg("descriptor limit stays")
	}
	if n := goMaxProcs(c); n > 0 {
		runtime.GOMAXPROCS(n)
	}
	debug.SetMaxThreads(config.MostWorkers + mostOtherThreads)
	s, err := newServer(c, flags, log)
	if err != nil {
		return err
	}
	return s.run(ctx)
}

// mostOtherThreads bounds the OS threads of the process besides those of workers; Go's own limit.
const mostOtherThreads = 10_000

// leastThreadProcs is the least GOMAXPROCS of --worker=thread: a thread that blocks in a system call keeps its place
// until the runtime takes it away, so there must be places to spare.
const leastThreadProcs = 32

// goMaxProcs is the GOMAXPROCS for c; 0 leaves it to Go.
func goMaxProcs(c Config) int {
	if c.GoMaxProcs == 0 && c.Worker == WorkerThread {
		return max(leastThreadProcs, runtime.NumCPU())
	}
	return c.GoMaxProcs
}

// newServer binds the port; nothing is accepted yet. Whoever does not run the server must close it.
func newServer(c Config, flags map[string]string, log zerolog.Logger) (*server, error) {
	s := &server{
		config: c, flags: flags, log: log, meter: meter.New(name), inboxes: newInboxes(c.MaxHeader, c.MaxBody),
		warnings: log.Sample(&zerolog.BurstSampler{Burst: 1, Period: time.Second}),
	}
	s.waits = goroutines{}
	if c.Worker == WorkerThread {
		s.waits = threads{}
	}
	if err := s.handle(); err != nil {
		return nil, err
	}
	s.conns = newConns(s.meter, c.ConnsFull == config.ConnsEvictIdle)
	q := queue{limit: c.queueLimit(c.Queue), timeout: c.QueueTimeout}
	s.pool = newPool(c.Workers, q, s.hire, func(t *ticket) { t.conn.expire() })
	s.metrics = newMetrics(s)
	if err := s.listen(); err != nil {
		s.stacks.close()
		return nil, err
	}
	return s, nil
}

// handle makes the handler and what runs it.
func (s *server) handle() (err error) {
	c := &s.config
	s.handler, err = flow.New(flow.Config{
		Path: orderPath, Server: serverName, DownstreamA: c.DownstreamA, DownstreamB: c.DownstreamB, CacheTTL: c.CacheTTL,
		Burn:    c.Burn,
		Retries: c.Retries,
		Ready:   func() bool { return s.ready() == nil },
	})
	if err == nil {
		s.stacks = newStacks(s)
	}
	return err
}

func (s *server) listen() error {
	c := &s.config
	host, err := procstat.ReadHost()
	if err != nil {
		s.log.Warn().Err(err).Msg("some limits of the host are not known")
	}
	a := accept.Config{
		Addr: c.Addr, Backlog: c.Backlog, MaxConns: c.MaxConns, Reserve: reserve(c.Workers, int(host.NofileSoft)),
	}
	if c.ConnsFull == config.ConnsEvictIdle {
		a.Full = s.evict
	}
	if s.listener, err = accept.Listen(a, s.log); err != nil {
		return err
	}
	s.meter.Watch(s.listener.Stats)
	s.limits = program.NewLimits(s.listener.Stats(), host)
	s.admin, err = admin.Listen(c.Admin, s.adminPages(), s.log)
	if err != nil {
		_ = s.listener.Close() // the admin port's error is the one to tell
	}
	return err
}

// run accepts until ctx ends, then drains. It returns an error when accepting failed.
func (s *server) run(ctx context.Context) error {
	defer s.close()
	program.LogLimits(s.log, s.limits)
	s.log.Info().Int("workers", s.config.Workers).Str("worker", s.config.Worker).Int("queue", s.config.Queue).
		Str("queue_full", s.config.QueueFull).Str("dispatch", s.config.Dispatch).Str("stack", s.config.Stack).
		Msg("pool")
	program.Announce(s.log, s.listener.Addr(), s.admin.Addr())
	served := make(chan error, 1)
	go func() { served <- s.listener.Serve(s.accept) }()
	select {
	case err := <-served:
		return errors.Join(fmt.Errorf("%s stopped accepting unasked", name), err)
	case <-ctx.Done():
		s.drain(served)
		return nil
	}
}

// accept takes over a connection.
func (s *server) accept(socket *net.TCPConn) {
	c, err := newConn(s, socket)
	if err != nil {
		s.log.Warn().Err(err).Msg("connection dropped")
		_ = socket.Close() // nothing was said on it
		s.listener.Release()
		return
	}
	s.conns.enter(c)
	if s.draining.Load() {
		c.hangUp()
	}
}

// evict makes room for a newcomer, unless there is room by now. The acceptor calls it.
func (s *server) evict() {
	if now := s.listener.Stats(); now.Open >= now.MaxConns {
		s.conns.evict()
	}
}

// hire makes a worker.
func (s *server) hire() *worker {
	return &worker{server: s, parker: s.waits.parker(), stack: s.stacks.hire()}
}

// close ends what newServer started.
func (s *server) close() {
	_ = s.listener.Close() // it may be closed already
	s.pool.close()
	s.stacks.close()
	if err := s.admin.Close(); err != nil {
		s.log.Warn().Err(err).Msg("admin port did not close cleanly")
	}
}

func (s *server) ready() error {
	if s.draining.Load() {
		return errors.New("draining")
	}
	return nil
}
