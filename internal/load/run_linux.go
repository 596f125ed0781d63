package load

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"maps"
	"math"
	"sync"
	"time"

	"golang.org/x/sys/unix"
)

// progressEvery is the least time between two calls of Config.Progress.
const progressEvery = 100 * time.Millisecond

// Run sends the requests of the configuration and returns when each has ended, or the duration and its grace have, or
// ctx has: then at once, with Interrupted set and the books closed. The error is about the configuration or about this
// machine, never about the server.
func Run(ctx context.Context, c Config) (*Result, error) {
	if err := c.Validate(); err != nil {
		return nil, fmt.Errorf("load: %w", err)
	}
	s := newShared(c)
	if err := c.CheckDescriptors(); err != nil {
		return nil, fmt.Errorf("load: %w", err)
	}
	idle := holdIdle(ctx, s.Addr, s.Idle)
	defer idle.release()
	crowds, err := gatherCrowds(ctx, &s.Config)
	if err != nil {
		return nil, fmt.Errorf("load: %w", err)
	}
	defer crowds.release()
	s.crowds = crowds
	loops := make([]*loop, 0, s.Threads)
	defer func() {
		for _, l := range loops {
			l.release()
		}
	}()
	for i := range s.Threads {
		l, err := newLoop(s, i)
		loops = append(loops, l)
		if err != nil {
			return nil, fmt.Errorf("load: %w", err)
		}
	}
	before := cpuTime(unix.RUSAGE_SELF)
	err = drive(ctx, s, loops)
	if s.OnEnd != nil {
		s.OnEnd()
	}
	met, beside, failure := crowds.end()
	if err := errors.Join(err, failure); err != nil {
		return nil, fmt.Errorf("load: %w", err)
	}
	r := collect(s, loops)
	r.Crowds = met
	r.Idle = idle.result()
	r.CPU = cpuTime(unix.RUSAGE_SELF) - before - beside
	return r, nil
}

// newShared prepares a run.
func newShared(c Config) *shared {
	s := &shared{Config: c.withDefaults(), noDelay: c.KeepAlive, scheduled: c.Arrivals != nil || c.Think > 0}
	if f, ok := c.Source.(Fixed); ok {
		s.fixed = bytes.Repeat(f, s.Pipeline)
		if bytes.HasPrefix(f, head) {
			s.fixedHeads = math.MaxUint64
		}
	}
	if s.TLS != nil {
		s.tunnels = newTunnels(s.Config)
	}
	s.length.Store(-1)
	return s
}

// drive runs the loops to their end. It owns every goroutine of the run and waits for all of them.
func drive(ctx context.Context, s *shared, loops []*loop) error {
	s.origin = time.Now()
	if s.tunnels != nil {
		s.tunnels.origin = s.origin
		defer s.tunnels.wait()
	}
	stop := func() {
		s.stop.Store(true)
		for _, l := range loops {
			l.interrupt()
		}
	}
	s.halt = stop
	interrupted := make(chan struct{})
	forget := context.AfterFunc(ctx, func() {
		defer close(interrupted)
		stop()
	})
	quiet := watchProgress(s.Progress, loops)
	s.crowds.begin(s.origin)
	if s.OnStart != nil {
		s.OnStart(s.origin)
	}

	var all sync.WaitGroup
	errs := make([]error, len(loops))
	for i, l := range loops {
		all.Go(func() {
			if errs[i] = l.run(); errs[i] != nil {
				stop()
			}
		})
	}
	all.Wait()
	if !forget() {
		<-interrupted
	}
	quiet()
	return errors.Join(errs...)
}

// watchProgress reports until the returned function is called, which makes the last report.
func watchProgress(report func(done int), loops []*loop) (stop func()) {
	if report == nil {
		return func() {}
	}
	total := func() (n int) {
		for _, l := range loops {
			n += int(l.ended.Load())
		}
		return n
	}
	quit, gone := make(chan struct{}), make(chan struct{})
	go func() {
		defer close(gone)
		tick := time.NewTicker(progressEvery)
		defer tick.Stop()
		for {
			select {
			case <-tick.C:
				report(total())
			case <-quit:
				report(total())
				return
			}
		}
	}()
	return func() { close(quit); <-gone }
}

// CheckDescriptors says early what would otherwise come out as failed requests: more connections than this process may
// have. Of an open loop only the idle ones and those of crowds are known before.
func (c Config) CheckDescriptors() error {
	connections := c.withDefaults().Clients + c.Idle
	for _, g := range c.Crowds {
		connections += g.Count
	}
	most, err := MostConnections()
	if err != nil {
		return err
	}
	if connections > most {
		return fmt.Errorf("%d connections need about %d descriptors and the limit is %d; raise it with ulimit -n",
			connections, connections+otherDescriptors, most+otherDescriptors)
	}
	return nil
}

// otherDescriptors are those that a process needs beside its connections.
const otherDescriptors = 32

// MostConnections is how many connections this process may have at a time, by its limit of descriptors.
func MostConnections() (int, error) {
	var limit unix.Rlimit
	if err := unix.Getrlimit(unix.RLIMIT_NOFILE, &limit); err != nil {
		return 0, fmt.Errorf("read the limit of descriptors: %w", err)
	}
	return int(min(limit.Cur, math.MaxInt32)) - otherDescriptors, nil
}

// collect merges what the loops wrote down.
func collect(s *shared, loops []*loop) *Result {
	r := &Result{
		Started: s.origin, Threads: s.Threads, AnswersPerClient: make([]int, 0, s.Clients),
		Length:   int(s.length.Load()),
		ByStatus: map[int]int{}, Failures: map[string]int{},
		Response: newTimes(), Service: newTimes(), SendLag: newTimes(), Good: newTimes(), GivenUp: newTimes(), Sources: 1,
		Connect: newTimes(), Processing: newTimes(), Wait: newTimes(),
	}
	var last, lag, handled int64
	for _, l := range loops {
		l.addTo(r)
		for j := range l.clients {
			r.AnswersPerClient = append(r.AnswersPerClient, l.clients[j].answered)
			if c := &l.clients[j]; c.answered == 0 && c.age > 0 {
				r.Starved = append(r.Starved, time.Duration(c.age))
			}
		}
		r.Sources = max(r.Sources, 1+l.dialer.source)
		r.BusiestLoop = max(r.BusiestLoop, l.cpu)
		r.NeediestLoop = max(r.NeediestLoop, l.cpu+l.starved)
		if r.Server == "" {
			r.Server = l.server
		}
		r.Interrupted, r.NobodyListens = r.Interrupted || l.cut, r.NobodyListens || l.unheard
		r.LoopCPU += l.cpu
		r.Lag.Max = max(r.Lag.Max, time.Duration(l.lagMax))
		lag, handled, last = lag+l.lagSum, handled+l.handled, max(last, l.lastEnd)
	}
	if handled > 0 {
		r.Lag.Mean = time.Duration(lag / handled)
	}
	r.Clients = len(r.AnswersPerClient)
	if !s.scheduled {
		r.Service = r.Response.Clone()
	}
	if s.tunnels != nil {
		r.TLS = s.tunnels.use()
	}
	r.Planned = s.Requests
	if s.Requests == 0 {
		r.Planned = r.Sent + r.Dropped
	}
	r.Duration = time.Duration(last)
	r.Window = r.Duration
	if s.Duration > 0 && s.Duration < r.Duration {
		r.Window = s.Duration
	}
	r.Samples = flatten(loops, s.MaxSamples)
	return r
}

// addTo adds the ledger of a loop to the result.
func (l *ledger) addTo(r *Result) {
	l.connect.record(0, l.reused)
	r.Counts.add(l.Counts)
	for status, n := range l.status {
		if n == 0 {
			continue
		}
		r.ByStatus[status] += n
		if status/100 == 2 {
			r.OK2xx += n
		} else {
			r.Non2xx += n
		}
	}
	for cause := range maps.Keys(l.failures) {
		r.Failures[cause] += l.failures[cause]
	}
	r.Different += l.different
	r.Wrong += l.wrong
	r.WrongSample = append(r.WrongSample, l.wrongSample...)
	r.Connections.add(l.Connections)
	r.Kept += l.kept
	r.Bytes.add(l.Bytes)
	r.InWindow += l.inWindow
	r.GoodInWindow += l.goodInWindow
	r.Response.Merge(&l.good)
	r.Response.Merge(&l.bad)
	r.Good.Merge(&l.good)
	r.GivenUp.Merge(&l.givenUp)
	r.Service.Merge(&l.service)
	r.SendLag.Merge(&l.lag)
	r.Late += l.late
	r.Undue += l.undue
	r.Turnaround += time.Duration(l.turnaround)
	r.LastAnswer = max(r.LastAnswer, time.Duration(l.last))
	r.Connect.Merge(&l.connect)
	r.Processing.Merge(&l.processing)
	r.Wait.Merge(&l.wait)
	r.Ages = append(r.Ages, l.ages...)
	for i, s := range l.seconds {
		for len(r.Seconds) <= i {
			r.Seconds = append(r.Seconds, Second{})
		}
		r.Seconds[i].add(s)
	}
}

// flatten joins the samples of the loops, if all were kept.
func flatten(loops []*loop, limit int) []Sample {
	n := 0
	for _, l := range loops {
		n += l.samples.n
	}
	if n > limit {
		return nil
	}
	all := make([]Sample, 0, n)
	for _, l := range loops {
		for _, piece := range l.samples.pieces {
			all = append(all, piece...)
		}
	}
	return all
}
