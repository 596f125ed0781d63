package compare

import (
	"context"
	"fmt"
	"math"
	"time"

	"poolvsloop/internal/cost"
	"poolvsloop/internal/lab"
	"poolvsloop/internal/procstat"
	"poolvsloop/internal/results"
	"poolvsloop/internal/stats"
)

// costRound is the first round number of the repetitions: their requests have other ids, and so other delays, than those
// of the rounds.
const costRound = 9900

// costFresh is how many repetitions of each server are made by one process of an embedded lab.
const costFresh = 2

// CostEvidence is what was measured after the rounds.
type CostEvidence struct {
	// Rate is in requests a second, 0 when there is none; Duration is that of a repetition.
	Rate     float64
	RateFrom string
	Duration time.Duration
	// Repetitions are at the rate, in their order; their rounds count from 1.
	Repetitions []Repetition
	// Connections are the numbers of idle connections, none when they were not measured; Readings of each server.
	Connections     []int
	ConnectionsFrom string
	Readings        map[Server][]results.IdleReading
	// Lost says why idle connections could not be opened, "" when all were.
	Lost        string
	NotMeasured []results.NotMeasured
}

// Repetition is one measurement at the rate; Counted says that system calls were counted in it.
type Repetition struct {
	Measurement
	Counted bool
}

// planCost decides before the rounds how many idle connections there will be, so that what cannot be is said at once.
func (s *session) planCost() error {
	if !s.config.Cost {
		return nil
	}
	e := &CostEvidence{Readings: map[Server][]results.IdleReading{}}
	most, from, err := idleConnections(s.config, sides(s.config), s.evidence.settings())
	if err != nil {
		return err
	}
	e.ConnectionsFrom = from
	if most >= cost.LeastConnections {
		e.Connections = cost.Steps(most)
	} else {
		e.leaveOut(cost.OfConnection, fmt.Sprintf("%s allows %d connections, and %d are too few for pages", from,
			most, cost.LeastConnections-1))
	}
	s.evidence.Cost = e
	return nil
}

func (e *CostEvidence) leaveOut(what, why string) {
	e.NotMeasured = append(e.NotMeasured, results.NotMeasured{What: what, Why: why})
}

// measureCost measures, after the rounds, what a request costs at one rate for both servers, and an idle connection.
func (s *session) measureCost(ctx context.Context) error {
	e := s.evidence.Cost
	if e == nil {
		return nil
	}
	e.Rate, e.RateFrom = costRate(s.config, s.evidence.Rounds)
	if e.Rate == 0 {
		e.leaveOut(cost.OfRequest, "a server answered nothing in the rounds, so there is no rate for both: name one by --cost-rate")
	} else if err := s.atRate(ctx, e); err != nil {
		return fmt.Errorf("cost of a request: %w", err)
	}
	if err := s.readIdle(ctx, e); err != nil {
		return fmt.Errorf("cost of an idle connection: %w", err)
	}
	return nil
}

// costRate is the rate for both servers, and where it comes from.
func costRate(c results.Config, rounds []Measurement) (rate float64, from string) {
	if c.CostRate > 0 {
		return c.CostRate, "--cost-rate"
	}
	var goodputs []float64
	for _, side := range sides(c) {
		var all []float64
		for _, m := range of(side, rounds) {
			all = append(all, figures(m).GoodputRPS)
		}
		goodputs = append(goodputs, stats.Summarize(all).Median)
	}
	return cost.Rate(goodputs...), "half of what the slower server answered in the rounds"
}

// atRate measures the repetitions at the rate: first those whose figures are compared, then those in which system calls are
// counted.
func (s *session) atRate(ctx context.Context, e *CostEvidence) error {
	var response time.Duration
	for _, m := range s.evidence.Rounds {
		response = max(response, time.Duration(figures(m).MeanMS*float64(time.Millisecond)))
	}
	e.Duration = s.plan.Duration(e.Rate, response)
	at, err := s.underRate(e)
	if err != nil {
		return err
	}
	if err := at.repeat(ctx, e, s.plan.Repetitions, 0); err != nil {
		return err
	}
	if why := s.cannotCount(); why != "" {
		e.leaveOut("system calls per request", why)
		return nil
	}
	at.counts = true
	return at.repeat(ctx, e, s.plan.Counted, s.plan.Repetitions)
}

// underRate is a session whose rounds are open loops at the rate.
func (s *session) underRate(e *CostEvidence) (*session, error) {
	at := *s
	at.config.Rate, at.config.InFlight, at.config.Requests, at.config.Duration = e.Rate, 0, 0, results.Seconds(e.Duration)
	at.progress = costProgress{s.progress, e}
	return &at, resolveInFlight(&at.config)
}

// repeat measures n repetitions of each server, numbered after those before. Processes are new at the beginning and after
// each costFresh repetitions, but not where system calls are counted.
func (s *session) repeat(ctx context.Context, e *CostEvidence, n, before int) error {
	for _, slot := range Schedule(sides(s.config), n, ABBA, s.config.Seed) {
		number := before + slot.Round
		if s.config.Lab == Embedded && !s.counts && slot.Opens && (slot.Round-1)%costFresh == 0 {
			if err := s.renew(ctx); err != nil {
				return err
			}
		}
		slot.Round = costRound + number - 1
		m, err := s.measure(ctx, slot)
		if err != nil {
			return fmt.Errorf("repetition %d of %s: %w", number, slot.Server, err)
		}
		m.Round, m.Order = number, len(e.Repetitions)+1
		e.Repetitions = append(e.Repetitions, Repetition{m, s.counts})
	}
	return nil
}

// cannotCount says why the system calls of the servers cannot be counted, or "".
func (s *session) cannotCount() string {
	for _, t := range s.lab.Targets {
		if t.PID() == 0 {
			return "the process of an attached server is not known here"
		}
		c, err := procstat.CountSyscalls(t.PID())
		if err != nil {
			return err.Error()
		}
		c.Close()
	}
	return ""
}

// calls counts the system calls of a server over a measurement; count is NaN where they are not counted.
type calls struct {
	counter *procstat.SyscallCounter
	count   float64
	err     error
}

// countCalls begins to count where the session does.
func (s *session) countCalls(t *lab.Target) (*calls, error) {
	if !s.counts {
		return &calls{count: math.NaN()}, nil
	}
	counter, err := procstat.CountSyscalls(t.PID())
	return &calls{counter: counter}, err
}

// end reads the counter.
func (c *calls) end() {
	if c.counter == nil {
		return
	}
	var n uint64
	if n, c.err = c.counter.Count(); c.err == nil {
		c.count = float64(n)
	}
}

func (c *calls) close() {
	if c.counter != nil {
		c.counter.Close()
	}
}

// costProgress shows a repetition as a step: it is no part of the rounds that a bar counts.
type costProgress struct {
	Progress
	e *CostEvidence
}

// Start implements [Progress].
func (p costProgress) Start(s Slot) {
	p.Step(fmt.Sprintf("cost: %g requests/s, repetition %d, %s", p.e.Rate, s.Round-costRound+1, s.Server))
}

// Done implements [Progress].
func (costProgress) Done(int) {}
