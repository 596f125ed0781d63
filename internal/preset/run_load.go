package preset

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"poolvsloop/internal/lab"
	"poolvsloop/internal/predict"
	"poolvsloop/internal/results"
	"poolvsloop/internal/single"
)

// loads runs a step of runs: it starts a lab of its own and loads each server in turn, in the order A B B A.
func (s *stepRun) loads(ctx context.Context) (err error) {
	l, err := s.load(s.quick)
	if err != nil {
		return err
	}
	running, err := lab.Start(ctx, lab.Embedded{
		Servers: []lab.Program{
			{Name: predict.ThreadPool, Args: slices.Concat(s.Servers.arguments(), s.ThreadPool.arguments())},
			{Name: predict.EventLoop, Args: slices.Concat(s.Servers.arguments(), s.EventLoop.arguments())},
		},
		Progress: func(what string) { _, _ = fmt.Fprintln(s.progress, what) },
	})
	if err != nil {
		return fmt.Errorf("bring up the lab: %w", err)
	}
	defer func() {
		ending, cancel := context.WithTimeout(context.WithoutCancel(ctx), stopPatience)
		defer cancel()
		err = errors.Join(err, running.Stop(ending))
	}()
	watched, cancel := running.Watch(ctx)
	defer cancel()
	session := &loadSession{stepRun: s, load: l, lab: running, all: map[string][]seen{}}
	if err := session.rounds(watched); err != nil {
		return err
	}
	whole := map[string]seen{}
	for name, rounds := range session.all {
		whole[name] = middle(rounds)
	}
	s.valid = len(s.reasons) == 0
	s.figures = ran(whole, s.valid)
	return nil
}

// stopPatience bounds how long the lab may take to end.
const stopPatience = 30 * time.Second

// loadSession is a lab under the runs of a step.
type loadSession struct {
	*stepRun
	load load
	lab  *lab.Lab
	all  map[string][]seen
}

func (s *loadSession) rounds(ctx context.Context) error {
	targets, err := s.targetsFile()
	if err != nil {
		return err
	}
	for round := 1; round <= s.load.rounds; round++ {
		order := slices.Clone(servers)
		if round%2 == 0 {
			slices.Reverse(order)
		}
		for _, name := range order {
			seen, err := s.measure(ctx, name, round, targets)
			if err != nil {
				return fmt.Errorf("round %d of %s: %w", round, name, err)
			}
			s.all[name] = append(s.all[name], seen)
			_, _ = fmt.Fprintf(s.progress, "round %d of %d, %-11s %8.1f req/s, good %.1f, mean %s ms, p99 %s ms\n", round,
				s.load.rounds, name+":", seen.ThroughputRPS, seen.GoodputRPS, cell(float64(seen.MeanMS)), cell(float64(seen.P99MS)))
		}
	}
	return nil
}

// targetsFile writes the targets beside the runs, with the routes of both servers in place of the word order, and returns
// the files by server; "" for a step with a path.
func (s *loadSession) targetsFile() (map[string]string, error) {
	all := map[string]string{}
	if s.Targets == "" {
		return all, nil
	}
	for _, name := range servers {
		all[name] = filepath.Join(s.folder, "targets-"+s.Name.Text+".txt")
		if err := os.WriteFile(all[name], []byte(s.Targets), 0o644); err != nil {
			return nil, fmt.Errorf("write the targets: %w", err)
		}
	}
	return all, nil
}

// measure loads one server once.
func (s *loadSession) measure(ctx context.Context, name string, round int, targets map[string]string) (m seen, err error) {
	target, err := s.lab.Target(name)
	if err != nil {
		return m, err
	}
	url := target.URL + s.pathOn(name)
	if err := s.warmUp(ctx, url, targets[name]); err != nil {
		return m, err
	}
	if err := s.settle(ctx); err != nil {
		return m, err
	}
	back, err := s.disturb(ctx, target.URL)
	defer func() { err = errors.Join(err, back()) }()
	if err != nil {
		return m, err
	}
	around, err := s.lookAround()
	if err != nil {
		return m, err
	}
	before, err := target.Usage(ctx)
	if err != nil {
		return m, err
	}
	report, err := s.once(ctx, url, targets[name], round, name)
	if err != nil {
		return m, err
	}
	after, err := target.Usage(ctx)
	if err != nil {
		return m, err
	}
	aroundAfter, err := s.lookAround()
	if err != nil {
		return m, err
	}
	s.met(name, round, aroundAfter.since(around))
	m = figuresOf(report, after.Since(before))
	return m, s.readLedgers(ctx, name, round, &m)
}

// pathOn is what is asked of a server.
func (s *loadSession) pathOn(name string) string {
	switch {
	case s.Targets != "":
		return "/"
	case s.Path != orderPath:
		return s.Path
	case name == predict.ThreadPool:
		return "/v1/sync"
	}
	return "/v1/async"
}

// once makes the run, and saves it in the folder of the preset.
func (s *loadSession) once(ctx context.Context, url, targets string, round int, name string) (*single.Report, error) {
	o := s.load.Options
	o.Targets, o.Results, o.Name = targets, s.folder, fmt.Sprintf("%s-%s-%d", s.Name.Text, name, round)
	o.Events.DownstreamA, o.Events.DownstreamB = s.lab.A.Admin(), s.lab.B.Admin()
	plan, err := single.NewPlan(ctx, o, url)
	if err != nil {
		return nil, err
	}
	var document bytes.Buffer
	running := single.Run(ctx, plan, &document, io.Discard)
	var report single.Report
	if err := json.Unmarshal(document.Bytes(), &report); err != nil {
		return nil, errors.Join(running, fmt.Errorf("read what the run wrote: %w", err))
	}
	for _, reason := range report.InvalidReasons {
		if report.Requests.OK2xx == 0 && strings.HasPrefix(reason, "no request succeeded") {
			continue // that is a figure here: what is expected says whether it should be so
		}
		s.refuse(name, round, reason)
	}
	s.folders = append(s.folders, results.ID(report.Started, o.Name))
	return &report, nil
}

// refuse notes why the lab does not stand behind a run; "" is no reason.
func (s *loadSession) refuse(name string, round int, reason string) {
	if reason != "" {
		s.reasons = append(s.reasons, fmt.Sprintf("%s in round %d: %s", name, round, reason))
	}
}

// warmUp sends requests of one client, one after the other; nothing is made of what comes.
func (s *loadSession) warmUp(ctx context.Context, url, targets string) error {
	if s.load.warmup == 0 {
		return nil
	}
	o := s.load.Options
	o.Targets, o.Rate, o.Stages, o.Arrivals, o.MaxInFlight, o.Idle = targets, 0, "", single.ConstantArrivals, 0, 0
	o.Requests, o.Duration, o.Concurrency, o.Think, o.Pipeline, o.Events, o.With = 0, s.load.warmup, 1, 0, 1, single.Events{}, nil
	plan, err := single.NewPlan(ctx, o, url)
	if err != nil {
		return err
	}
	if _, err := single.Measure(ctx, plan); err != nil {
		return fmt.Errorf("warm up: %w", err)
	}
	return nil
}

// arguments are the flags as a program takes them.
func (f Flags) arguments() []string {
	var all []string
	for _, flag := range f {
		all = append(all, "--"+flag.Name+"="+strings.Join(flag.Values, ","))
	}
	return all
}
