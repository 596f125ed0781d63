package main

import (
	"context"
	"errors"
	"fmt"
	"net"
	"runtime"
	"runtime/debug"
	"sync"
	"sync/atomic"
	"time"

	"github.com/panjf2000/gnet/v2"
	"github.com/prometheus/client_golang/prometheus"
	"github.com/rs/zerolog"

	"poolvsloop/internal/accept"
	"poolvsloop/internal/admin"
	"poolvsloop/internal/config"
	"poolvsloop/internal/flow"
	"poolvsloop/internal/meter"
	"poolvsloop/internal/procstat"
	"poolvsloop/internal/program"
	"poolvsloop/internal/wire"
)

const (
	// name is the server's name in logs, metrics and results, serverName its name in answers.
	name       = "eventloop"
	serverName = "loop"
	// orderPath is the route of the order handler.
	orderPath = "/v1/async"
)

// server is an event loop server. Make one with newServer and run it once.
type server struct {
	config     Config
	flags      map[string]string // all flags as they were resolved
	log        zerolog.Logger
	warnings   zerolog.Logger // at most one line a second
	meter      *meter.Server
	handler    *flow.Handler
	hosts      hosts
	decoding   wire.Limits
	client     *gnet.Client
	loops      []*loop
	byHandle   map[gnet.EventLoop]*loop
	lagSamples *prometheus.HistogramVec
	cpu        *cpuPool  // nil unless --cpu-on=pool
	blocking   *blocking // for --mistake
	listener   *accept.Listener
	admin      *admin.Server
	limits     program.Limits

	downstreamConns int // most connections of one loop to one downstream
	evicts          bool
	began           time.Time
	inFlight        atomic.Int64
	maxInflight     atomic.Int64
	maxLag          atomic.Int64 // a time.Duration
	draining        atomic.Bool
	stopping        atomic.Bool // the loops are about to end
	enrolling       sync.WaitGroup
	enrolSlots      chan struct{}
	failed          chan error // from a loop that ended unasked
}

// run serves until ctx ends, then drains. flags are those of c by name, for /config.
func run(ctx context.Context, c Config, flags map[string]string, log zerolog.Logger) error {
	if err := program.RaiseDescriptors(); err != nil {
		log.Warn().Err(err).Msg("descriptor limit stays")
	}
	if c.Loops == 0 {
		c.Loops = runtime.GOMAXPROCS(0)
	}
	runtime.GOMAXPROCS(goMaxProcs(c))
	s, err := newServer(c, flags, log)
	if err != nil {
		return err
	}
	return s.run(ctx)
}

// spareProcs is the number of places to run Go code that no loop has: a loop that waits for events keeps its own until the
// runtime takes it away, and the acceptor and who puts connections on loops would wait for that, milliseconds each time.
const spareProcs = 2

// goMaxProcs is the GOMAXPROCS for c.
func goMaxProcs(c Config) int {
	if c.GoMaxProcs > 0 {
		return c.GoMaxProcs
	}
	return c.Loops + spareProcs
}

// newServer binds the port and starts the loops; nothing is accepted yet. Whoever does not run the server must close it.
func newServer(c Config, flags map[string]string, log zerolog.Logger) (*server, error) {
	s := &server{
		config: c, flags: flags, log: log, meter: meter.New(name), hosts: newHosts(&c),
		decoding: wire.RequestLimits(c.MaxHeader, c.MaxBody),
		warnings: log.Sample(&zerolog.BurstSampler{Burst: 1, Period: time.Second}),
		byHandle: map[gnet.EventLoop]*loop{}, evicts: c.ConnsFull == config.ConnsEvictIdle, began: time.Now(),
		enrolSlots: make(chan struct{}, mostEnrolling), failed: make(chan error, 1),
	}
	s.maxInflight.Store(int64(c.MaxInflight))
	s.maxLag.Store(int64(c.MaxLag))
	if err := s.handle(); err != nil {
		return nil, err
	}
	if err := s.listen(); err != nil {
		return nil, err
	}
	if err := s.start(); err != nil {
		return nil, errors.Join(err, s.listener.Close())
	}
	register(s)
	return s, s.openAdmin()
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
	s.blocking = newBlocking(s)
	return err
}

func (s *server) listen() error {
	c := &s.config
	host, err := procstat.ReadHost()
	if err != nil {
		s.log.Warn().Err(err).Msg("some limits of the host are not known")
	}
	plan := planDescriptors(int(host.NofileSoft), c.Loops, c.MaxConns, c.DownstreamConns)
	s.downstreamConns = plan.perDownstream
	a := accept.Config{Addr: c.Addr, Backlog: c.Backlog, MaxConns: c.MaxConns, Reserve: plan.reserve}
	if s.evicts {
		a.Full = s.evict
	}
	if s.listener, err = accept.Listen(a, s.log); err != nil {
		return err
	}
	s.meter.Watch(s.listener.Stats)
	s.limits = program.NewLimits(s.listener.Stats(), host)
	return nil
}

// start starts the loops.
func (s *server) start() (err error) {
	s.client, err = gnet.NewClient(&events{server: s},
		gnet.WithNumEventLoop(s.config.Loops),
		gnet.WithTCPNoDelay(gnet.TCPDelay), // leaves TCP_NODELAY as the net package has set it: on
		gnet.WithLogger(gnetLog{s.log}),
	)
	if err == nil {
		err = s.client.Start()
	}
	if err != nil {
		return fmt.Errorf("start the event loops: %w", err)
	}
	if s.config.CPUOn == CPUOnPool {
		s.cpu = newCPUPool(s.config.CPUWorkers, s.config.CPUQueue)
	}
	s.lagSamples = newLagSamples()
	for i := range s.config.Loops {
		s.loops = append(s.loops, newLoop(s, i))
	}
	if err := s.settle(); err != nil {
		return errors.Join(err, s.stop())
	}
	return nil
}

func (s *server) openAdmin() (err error) {
	if s.admin, err = admin.Listen(s.config.Admin, s.adminPages(), s.log); err != nil {
		return errors.Join(err, s.close())
	}
	return nil
}

// run accepts until ctx ends, then drains. It returns an error when accepting failed, or a loop ended unasked.
func (s *server) run(ctx context.Context) error {
	program.LogLimits(s.log, s.limits)
	s.log.Info().Int("loops", s.config.Loops).Int("downstream_conns", s.downstreamConns).
		Int("max_inflight", s.config.MaxInflight).Int("max_pipeline", s.config.MaxPipeline).
		Str("cpu_on", s.config.CPUOn).Msg("event loops")
	if s.config.Mistake != MistakeNone {
		s.log.Warn().Str("mistake", s.config.Mistake).Msg("this server does it wrong on purpose (--mistake)")
	}
	program.Announce(s.log, s.listener.Addr(), s.admin.Addr())
	stopTicker := s.startTicker()
	served := make(chan error, 1)
	var accepting sync.WaitGroup
	accepting.Go(func() { served <- s.listener.Serve(s.accept) })
	var err error
	select {
	case err = <-served:
		err = errors.Join(fmt.Errorf("%s stopped accepting unasked", name), err)
	case err = <-s.failed:
	case <-ctx.Done():
		s.drain()
	}
	_ = s.listener.Close() // it may have ended already
	accepting.Wait()
	stopTicker()
	return errors.Join(err, s.close())
}

// mostEnrolling bounds the connections that wait to be taken by a loop, and the goroutines that wait with them.
const mostEnrolling = 4

// accept puts a connection on the loop with the fewest. It does not wait for the loop: one that is busy must not keep
// the others' connections waiting.
func (s *server) accept(socket *net.TCPConn) {
	s.enrolSlots <- struct{}{}
	s.enrolling.Add(1)
	go s.enrol(socket)
}

func (s *server) enrol(socket *net.TCPConn) {
	defer s.enrolling.Done()
	c := &conn{decoder: wire.NewRequestDecoder(s.decoding)}
	if _, err := s.client.EnrollContext(socket, c); err != nil || c.loop == nil {
		s.warnings.Warn().Err(err).Msg("connection dropped: no loop took it")
		s.listener.Release()
	}
	<-s.enrolSlots
}

// close ends what newServer started. What is still open is closed at once.
func (s *server) close() error {
	_ = s.listener.Close()
	s.enrolling.Wait()
	err := s.stop()
	if adminErr := s.admin.Close(); adminErr != nil {
		s.log.Warn().Err(adminErr).Msg("admin port did not close cleanly")
	}
	return err
}

// stop ends the loops.
func (s *server) stop() error {
	s.stopping.Store(true)
	for _, l := range s.loops {
		l.alarm.Stop()
		// From here no enrolment is under way and none begins: gnet would wait for it for ever.
		l.enrolling.Lock()
		l.enrolling.Unlock() //nolint:staticcheck // waits, and guards nothing
	}
	err := s.client.Stop()
	s.blocking.close()
	if s.cpu != nil {
		s.cpu.close()
	}
	if err != nil {
		return fmt.Errorf("stop the event loops: %w", err)
	}
	return nil
}

func (s *server) ready() error {
	if s.draining.Load() {
		return errors.New("draining")
	}
	return nil
}

// clock is the time since the server's start, never 0.
func (s *server) clock() time.Duration { return time.Since(s.began) }

// panicked counts and logs a panic. Call it where the panic was recovered.
func (s *server) panicked(loop int, cause any) {
	s.meter.Panicked()
	s.log.Error().Int("loop", loop).Interface("panic", cause).Bytes("stack", debug.Stack()).Msg("panic on a loop")
}
