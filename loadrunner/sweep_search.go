package main

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"
	"time"

	"github.com/spf13/pflag"

	"poolvsloop/internal/compare"
	"poolvsloop/internal/sweep"
)

// searchOptions are the flags of the search for the most load.
type searchOptions struct {
	bounds []string
	over   string
	steps  int
}

func (o *searchOptions) bind(fs *pflag.FlagSet) {
	fs.StringArrayVar(&o.bounds, "find-max", nil, "in each cell, find the most load under which each server keeps a `condition`, as p99<100ms; repeatable:\n"+
		"all must hold, and errors<=1% when none is about errors")
	fs.StringVar(&o.over, "over", "rate", "with --find-max: the `knob` that is the load, rate (open loop) or c (closed loop), and its bounds, as\n"+
		"rate=50..2000; without them what theory calls the limits, and more")
	fs.IntVar(&o.steps, "steps", 15, "with --find-max: most `measurements` in each cell")
}

func (o *searchOptions) wanted() bool { return len(o.bounds) > 0 }

const (
	// stepTime is the length of a round of a search in seconds when none is given.
	stepTime = 5.0
	// enough is how many times the answers that a percentile needs are asked for: arrivals come by chance.
	enough = 1.2
)

// set enters the search into a plan that has its grid.
func (o *searchOptions) set(p *sweep.Plan, fs *pflag.FlagSet) error {
	if !o.wanted() {
		for _, flag := range []string{"over", "steps"} {
			if fs.Changed(flag) {
				return fmt.Errorf("--%s needs --find-max", flag)
			}
		}
		return nil
	}
	if _, err := sweep.ParseBounds(o.bounds); err != nil {
		return fmt.Errorf("--find-max: %w", err)
	}
	if o.steps < 1 || o.steps > 50 {
		return fmt.Errorf("--steps %d: want 1 to 50", o.steps)
	}
	p.Search = &sweep.Search{Conditions: o.bounds, Steps: o.steps}
	if err := o.setOver(p); err != nil {
		return fmt.Errorf("--over %s: %w", o.over, err)
	}
	if over := p.Search.Over; fs.Changed(over) || slices.ContainsFunc(p.Axes, func(a sweep.Axis) bool { return a.Knob == over }) {
		return fmt.Errorf("--over %s: it is what is looked for, and cannot be set", over)
	}
	return o.setLength(p, fs)
}

// setLength gives the rounds a length when none is given: so long that the lowest rate has the answers that the percentiles
// need.
func (o *searchOptions) setLength(p *sweep.Plan, fs *pflag.FlagSet) error {
	bounds, err := sweep.ParseBounds(o.bounds)
	if err != nil {
		return err
	}
	rounds, err := fs.GetInt("rounds")
	if err != nil {
		return err
	}
	needs := stepTime
	if p.Search.Over == "rate" {
		needs = max(needs, enough*float64(sweep.Answers(bounds))/(p.Search.From*float64(rounds)))
	}
	needs = math.Ceil(needs)
	if fs.Changed("requests") {
		return nil
	}
	if !fs.Changed("duration") {
		p.Base = append(p.Base, fmt.Sprintf("--duration=%gs", needs))
		return nil
	}
	if given := fs.Lookup("duration").Value.String(); needs > stepTime {
		if d, err := time.ParseDuration(given); err == nil && d.Seconds() < needs {
			return fmt.Errorf("--duration %s: at %g/s its %d rounds have too few answers for these percentiles: take %gs, or --over with a higher "+
				"rate", given, p.Search.From, rounds, needs)
		}
	}
	return nil
}

// setOver reads --over: a knob, and the bounds of the search.
func (o *searchOptions) setOver(p *sweep.Plan) error {
	name, bounds, given := strings.Cut(o.over, "=")
	if p.Search.Over = knobs()[name]; p.Search.Over != "rate" && p.Search.Over != "concurrency" {
		return errors.New("want rate or c, and maybe its bounds, as rate=50..2000")
	}
	if !given {
		return o.byTheory(p)
	}
	first, last, found := strings.Cut(bounds, "..")
	low, ok := sweep.Number(first)
	high, ok2 := sweep.Number(last)
	if !found || !ok || !ok2 || low < 1 || high <= low || low != math.Trunc(low) || high != math.Trunc(high) {
		return errors.New("want whole numbers, the lower first, as rate=50..2000")
	}
	p.Search.From, p.Search.To = low, high
	return nil
}

// byTheory sets the bounds of the search a good deal outside of the limits that theory knows.
func (o *searchOptions) byTheory(p *sweep.Plan) error {
	low, high := math.Inf(1), 0.0
	for _, c := range p.Cells() {
		settings, err := cellConfig(*p, c)
		if err != nil {
			return err
		}
		limits, clients := compare.Limits(settings)
		if p.Search.Over == "concurrency" {
			limits = clients
		}
		low, high = min(low, limits[0]), max(high, limits[1])
	}
	if low == 0 {
		return errors.New("no limit is known from these settings: give the bounds, as rate=50..2000")
	}
	p.Search.From, p.Search.To = max(1, math.Floor(low/8)), math.Ceil(2*high)
	return nil
}
