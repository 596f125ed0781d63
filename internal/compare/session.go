package compare

import (
	"context"
	"errors"
	"fmt"
	"net/netip"
	"slices"
	"strconv"
	"time"

	"poolvsloop/internal/config"
	"poolvsloop/internal/cost"
	"poolvsloop/internal/equality"
	"poolvsloop/internal/lab"
	"poolvsloop/internal/load"
	"poolvsloop/internal/procstat"
	"poolvsloop/internal/results"
)

// errUnequal ends a run: figures of servers that do different work are no comparison.
var errUnequal = errors.New("the servers do not answer alike")

// session drives a lab that is up through a comparison and collects the evidence.
type session struct {
	config   results.Config
	lab      *lab.Lab
	progress Progress
	evidence *Evidence
	addrs    map[Server]netip.AddrPort
	// plan is how much of the costs is measured; counts says that system calls are counted.
	plan   cost.Plan
	counts bool
	// warm is how each server's process was warmed up.
	warm map[Server]WarmUp
}

// start starts the lab, or attaches to it.
func start(ctx context.Context, c results.Config, p Progress) (*lab.Lab, error) {
	if c.Lab == Attach {
		p.Step("attaching to the lab")
		return lab.Attach(ctx, lab.Attached{
			Servers: []lab.Endpoint{
				{Name: string(ThreadPool), URL: c.ThreadPool, Admin: c.ThreadPoolAdmin},
				{Name: string(EventLoop), URL: c.EventLoop, Admin: c.EventLoopAdmin},
			},
			DownstreamA: c.DownstreamAAdmin, DownstreamB: c.DownstreamBAdmin, Redis: c.Redis,
		})
	}
	return lab.Start(ctx, lab.Embedded{
		Servers:     programs(c),
		DownstreamA: downstream(c.Seed, c.LatencyA, c.ConcurrencyLimitA, c.RateLimitA),
		DownstreamB: downstream(c.Seed, c.LatencyB, c.ConcurrencyLimitB, c.RateLimitB),
		Redis:       c.Redis,
		Progress:    p.Step,
	})
}

// downstream are the flags of one of an embedded lab.
func downstream(seed uint64, latency string, concurrency int, rate float64) []string {
	return []string{
		"--latency", latency, "--seed", strconv.FormatUint(seed, 10), "--concurrency-limit", strconv.Itoa(concurrency),
		"--rate-limit", strconv.FormatFloat(rate, 'f', -1, 64),
	}
}

// programs are the servers of an embedded lab. The handicap is the second one's.
func programs(c results.Config) []lab.Program {
	flags := map[Server][]string{
		ThreadPool: {
			"--workers", strconv.Itoa(c.Workers), "--queue", strconv.Itoa(c.Queue), "--queue-full", c.QueueFull,
			"--worker", c.Worker, "--dispatch", c.Dispatch, "--stack", c.Stack,
		},
		EventLoop: {
			"--loops", strconv.Itoa(c.Loops), "--max-inflight", strconv.Itoa(c.MaxInflight), "--mistake", c.Mistake,
		},
	}
	var all []lab.Program
	for i, side := range sides(c) {
		args := flags[side.kind()]
		if i == 1 {
			args = slices.Concat(args, []string{"--burn", strconv.Itoa(c.Handicap)})
		}
		all = append(all, lab.Program{Name: string(side), Program: string(side.kind()), Args: args})
	}
	return all
}

// run does all that is measured. An error is what ended it early; the evidence has what came before.
func (s *session) run(ctx context.Context) error {
	if err := s.lookAtServers(ctx); err != nil {
		return err
	}
	if err := s.planCost(); err != nil {
		return err
	}
	if err := s.compareAnswers(ctx); err != nil {
		return err
	}
	if err := s.warmUp(ctx); err != nil {
		return err
	}
	if err := s.calibrate(ctx); err != nil {
		return err
	}
	for _, slot := range schedule(s.config) {
		if err := s.begin(ctx, slot); err != nil {
			return fmt.Errorf("before round %d: %w", slot.Round, err)
		}
		m, err := s.measure(ctx, slot)
		if err != nil {
			return fmt.Errorf("round %d of %s: %w", slot.Round, slot.Server, err)
		}
		s.evidence.Rounds = append(s.evidence.Rounds, m)
		s.progress.End(m)
	}
	return s.measureCost(ctx)
}

// begin starts the servers anew where a slot opens a block of rounds, but for the first one.
func (s *session) begin(ctx context.Context, slot Slot) error {
	if s.config.Lab == Attach || slot.Round == 1 || !slot.Opens || s.config.Fresh == 0 || (slot.Round-1)%s.config.Fresh != 0 {
		return nil
	}
	return s.renew(ctx)
}

// renew starts the servers of an embedded lab anew, and warms them up.
func (s *session) renew(ctx context.Context) error {
	s.progress.Step("starting the servers anew")
	if err := s.lab.Renew(ctx); err != nil {
		return err
	}
	if err := s.lookAtServers(ctx); err != nil {
		return err
	}
	return s.warmUp(ctx)
}

// lookAtServers asks the servers where they are and what they are set to.
func (s *session) lookAtServers(ctx context.Context) error {
	s.addrs = map[Server]netip.AddrPort{}
	s.evidence.URLs, s.evidence.Configs = map[Server]string{}, map[Server]map[string]any{}
	for _, server := range sides(s.config) {
		target, err := s.lab.Target(string(server))
		if err != nil {
			return err
		}
		s.evidence.URLs[server] = target.URL
		if s.addrs[server], err = load.Resolve(ctx, config.AddressOf(target.URL)); err != nil {
			return err
		}
		if s.evidence.Configs[server], err = target.Config(ctx); err != nil {
			return fmt.Errorf("read the limits of %s: %w", server, err)
		}
		takeVersions(&s.evidence.Environment, server, s.evidence.Configs[server])
	}
	if s.config.Lab == Attach {
		if err := s.adopt(ctx); err != nil {
			return err
		}
	}
	s.evidence.Environment.Redis = results.Redis{Kind: s.lab.Cache.Kind, Version: s.lab.Cache.Version}
	return nil
}

// adopt takes over from the programs of an attached lab what they were started with.
func (s *session) adopt(ctx context.Context) error {
	a, err := s.lab.A.Config(ctx)
	if err != nil {
		return fmt.Errorf("read the settings of downstream A: %w", err)
	}
	b, err := s.lab.B.Config(ctx)
	if err != nil {
		return fmt.Errorf("read the settings of downstream B: %w", err)
	}
	settings := s.evidence.settings()
	adopt(&s.evidence.Config, settings[ThreadPool], settings[EventLoop], results.ReadSettings(a), results.ReadSettings(b))
	return nil
}

// compareAnswers checks that both servers answer alike; the error is [errUnequal] when they do not.
func (s *session) compareAnswers(ctx context.Context) (err error) {
	s.progress.Step("comparing answers")
	var asked []equality.Side
	for _, server := range sides(s.config) {
		addr := config.AddressOf(s.evidence.URLs[server])
		asked = append(asked, equality.Side{Name: string(server), Addr: addr, Path: route[server.kind()]})
	}
	s.evidence.Equality, err = equality.Check(ctx, asked, s.lab.Cache.Flush)
	if err == nil && len(s.evidence.Equality.Differences) > 0 {
		err = errUnequal
	}
	return err
}

// warmUp loads each server without measuring.
func (s *session) warmUp(ctx context.Context) error {
	s.warm = map[Server]WarmUp{}
	if s.config.Warmup == 0 {
		return nil
	}
	for _, server := range sides(s.config) {
		s.progress.Step("warming up " + string(server))
		if err := s.prepare(ctx, s.batch(0)); err != nil {
			return fmt.Errorf("warm up %s: %w", server, err)
		}
		c := s.load(server, s.batch(0))
		c.Requests, c.Duration, c.MaxSamples = 0, time.Duration(s.config.Warmup), -1
		r, err := load.Run(ctx, c)
		if err != nil {
			return fmt.Errorf("warm up %s: %w", server, err)
		}
		if r.Interrupted {
			return context.Cause(ctx)
		}
		s.warm[server] = WarmUp{r.OK2xx, r.Started.Add(r.Duration)}
	}
	return nil
}

// batch returns the orders of a round.
func (s *session) batch(round int) Batch {
	c := s.config
	return Batch{Seed: c.Seed, Round: round, Keys: c.Keys, HitRatio: c.HitRatio, BodySize: c.BodySize}
}

// load returns what the load engine has to do in a round.
func (s *session) load(server Server, b Batch) load.Config {
	return load.Config{
		Addr: s.addrs[server], Source: newSource(b, server, config.AddressOf(s.evidence.URLs[server]), s.config.KeepAlive),
		Requests: s.config.Requests, Duration: time.Duration(s.config.Duration), Clients: s.config.Concurrency,
		KeepAlive: s.config.KeepAlive, Timeout: time.Duration(s.config.Timeout),
	}
}

// prepare brings the world into the state in which every round begins: the batch's entries and no others are cached,
// and all ledgers are at zero.
func (s *session) prepare(ctx context.Context, b Batch) error {
	for _, step := range []func(context.Context) error{
		s.lab.Cache.Flush,
		func(ctx context.Context) error { return s.lab.Cache.Prewarm(ctx, catalog(b), 0) },
		s.lab.A.Reset,
		s.lab.B.Reset,
		s.lab.Cache.ResetCounts,
	} {
		if err := step(ctx); err != nil {
			return err
		}
	}
	return nil
}

// measure measures one slot.
func (s *session) measure(ctx context.Context, slot Slot) (m Measurement, err error) {
	batch := s.batch(slot.Round)
	target, err := s.lab.Target(string(slot.Server))
	if err != nil {
		return m, err
	}
	if err := s.prepare(ctx, batch); err != nil {
		return m, err
	}
	events, err := s.drill(ctx, slot.Server)
	if err != nil {
		return m, err
	}
	s.progress.Start(slot)
	host := s.lookAtHost()
	resources, err := s.resources(ctx, target)
	if err != nil {
		return m, err
	}
	before, err := target.Usage(ctx)
	if err != nil {
		return m, err
	}
	seen := newAnswers(slot.Server, batch)
	c := s.load(slot.Server, batch)
	if s.config.Open() {
		c.Clients, c.MaxInFlight, c.Arrivals = 0, s.config.InFlight, arrivals(s.config, slot.Round)
	}
	if c.Crowds, err = s.crowds(slot.Server); err != nil {
		return m, err
	}
	calls, err := s.countCalls(target)
	if err != nil {
		return m, err
	}
	defer calls.close()
	var after procstat.Usage
	var failure error
	c.OnEnd = func() { // while crowds are still there
		calls.end()
		after, failure = target.Usage(ctx)
	}
	seen.failingCache = events.stopCache()
	c.Progress, c.Check = s.progress.Done, seen.check
	told := watchStages(&c, batch)
	m = Measurement{Slot: slot, Open: s.config.Open(), Attached: s.config.Lab == Attach, WarmUp: s.warm[slot.Server]}
	if err := events.run(ctx, c, &m); err != nil {
		return m, err
	}
	if m.Load.Interrupted {
		return m, context.Cause(ctx)
	}
	if failure = errors.Join(failure, calls.err); failure != nil {
		return m, failure
	}
	m.Host = s.lookAtHost().since(host)
	m.Usage, m.Misses, m.Digest = after.Since(before), batch.Misses(m.Load.Sent), seen.digest.Load()
	m.Stages, m.Syscalls = told.all(), calls.count
	if events.endThreads() {
		m.Usage.VoluntarySwitches, m.Usage.InvoluntarySwitches = 0, 0
	}
	resourcesAfter, err := s.resources(ctx, target)
	if err != nil {
		return m, err
	}
	m.Own = resourcesAfter.own.Since(resources.own)
	m.OthersCPU = resourcesAfter.othersCPU - resources.othersCPU
	return m, s.readLedgers(ctx, &m)
}

// readLedgers reads what the dependencies counted in the round.
func (s *session) readLedgers(ctx context.Context, m *Measurement) error {
	var errs [3]error
	m.A, errs[0] = s.lab.A.Ledger(ctx)
	m.B, errs[1] = s.lab.B.Ledger(ctx)
	m.Cache, errs[2] = s.lab.Cache.Counts(ctx)
	return errors.Join(errs[:]...)
}
