package compare

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"poolvsloop/internal/anatomy"
	"poolvsloop/internal/config"
	"poolvsloop/internal/equality"
	"poolvsloop/internal/results"
)

// Evidence is all that a run brought to light. [Evidence.Run] makes of it what is written down; it is pure.
type Evidence struct {
	Started     time.Time
	Argv        []string
	Config      results.Config
	Environment results.Environment
	// URLs are where the servers are, Configs what they said of themselves at the start.
	URLs    map[Server]string
	Configs map[Server]map[string]any
	// Equality is what the comparison of answers found.
	Equality equality.Result
	// Calibration is what one client saw of each server before the rounds.
	Calibration []results.Calibration
	// Rounds are the measurements, in their order.
	Rounds []Measurement
	// Cost is what was measured after the rounds, nil without --cost.
	Cost *CostEvidence
	// Interrupted says that the run was told to stop; Broken why the lab is, if it is; Stopped what else ended the run
	// early, nil for a whole one.
	Interrupted     bool
	Broken, Stopped error
}

// Run returns what run.json holds.
func (e *Evidence) Run() *results.Run {
	run := &results.Run{
		Schema: results.Schema, ID: results.ID(e.Started, e.Config.Name),
		Started: e.Started.UTC().Truncate(time.Millisecond), Argv: e.Argv, InvalidReasons: []string{},
		Environment: e.Environment, Config: e.Config, Checks: e.checks(),
	}
	for _, c := range failed(run.Checks) {
		run.InvalidReasons = append(run.InvalidReasons, c.Name+": "+c.Detail)
	}
	run.Config.At, run.Config.With = append([]string{}, e.Config.At...), append([]string{}, e.Config.With...)
	run.Valid, run.Interrupted, run.LateTail = len(run.InvalidReasons) == 0, e.Interrupted, lateTail(e.Rounds)
	for _, s := range sides(e.Config) {
		run.Targets = append(run.Targets, e.target(s))
	}
	run.Comparison, run.Explanations = verdicts(run), []results.Explanation{}
	run.Calibration, run.Predictions = append([]results.Calibration{}, e.Calibration...), e.predictions(run)
	if len(run.Comparison) > 0 {
		e.explain(run)
	}
	run.Cost = e.costs(run)
	return run
}

// settings returns what the servers said of themselves.
func (e *Evidence) settings() map[Server]results.Settings {
	all := map[Server]results.Settings{}
	for s, config := range e.Configs {
		all[s] = results.ReadSettings(config)
	}
	return all
}

// checks returns every rule that the measurement must obey.
func (e *Evidence) checks() []results.Check {
	checks := e.rules()
	for i, c := range checks {
		if crowded(e.Config) {
			c = excused(c)
		}
		checks[i] = finished(c)
	}
	return checks
}

func (e *Evidence) rules() []results.Check {
	settings := e.settings()
	checks := []results.Check{
		checkEquality(e.Equality),
		checkLimits(sides(e.Config), settings),
		checkLab(e.Broken),
		checkRounds(len(e.Rounds), len(schedule(e.Config)), e.Interrupted, e.Stopped),
	}
	if len(e.Rounds) == 0 {
		return checks
	}
	allowed := rejections(e.Config.Concurrency, sides(e.Config), settings)
	if e.Config.Open() {
		allowed = overloads(e.Config, sides(e.Config), settings)
	}
	checks = append(checks, checkBooks(e.Rounds), e.checkAnswers(allowed), checkContent(e.Rounds),
		checkEqualWork(sides(e.Config), e.Rounds))
	checks = append(checks, checkLedgers(e.Rounds)...)
	checks = append(checks, checkOnTime(e.Rounds), checkEqualDelays(sides(e.Config), e.Rounds), checkGenerator(e.Rounds))
	if e.Config.Open() {
		checks = append(checks, checkOnSchedule(e.Rounds), droppedRule.check(e.Rounds))
	} else {
		checks = append(checks, checkStarved(e.Rounds, allowed), checkLittle(e.Rounds), generatorLag.check(e.Rounds))
	}
	checks = append(checks, checkSeries(e.Rounds),
		checkWarmUp(e.Config.Warmup > 0, e.Rounds))
	if crowded(e.Config) {
		checks = append(checks, checkCrowds(e.Rounds))
	}
	if eventful(e.Config) {
		checks = append(checks, checkEvents(e.Rounds), lagRule.check(e.Rounds))
	}
	for _, r := range slices.Concat(serverRules, stageRules, hostRules) {
		checks = append(checks, r.check(e.Rounds))
	}
	return append(checks, costChecks(e.Cost)...)
}

func failed(checks []results.Check) []results.Check {
	return slices.DeleteFunc(slices.Clone(checks), func(c results.Check) bool { return c.OK })
}

// checkEquality: both servers answered the same requests alike.
func checkEquality(r equality.Result) results.Check {
	c := results.Check{Name: "equal_answers", OK: len(r.Differences) == 0 && len(r.Compared) > 0}
	switch {
	case len(r.Differences) > 0:
		var texts []string
		for _, d := range r.Differences {
			texts = append(texts, d.String())
		}
		c.Detail = shorten(texts)
	case len(r.Compared) == 0:
		c.Detail = "not checked"
	default:
		c.Detail = fmt.Sprintf("%d cases answered alike", len(r.Compared))
	}
	if len(r.Again) > 0 {
		c.Detail += "; asked again because of a full queue or a busy machine: " + strings.Join(r.Again, "; ")
		if c.OK {
			c.Status = results.Warning
		}
	}
	if len(r.Left) > 0 {
		c.Detail += "; left out: " + strings.Join(r.Left, "; ")
	}
	return c
}

// target returns one server's part.
func (e *Evidence) target(s Server) results.Target {
	own := of(s, e.Rounds)
	t := results.Target{
		Name: string(s), URL: e.URLs[s] + route[s.kind()], ServerConfig: e.Configs[s],
		Limits: shared(results.ReadSettings(e.Configs[s])), Rounds: []results.Figures{}, Steady: []results.Course{},
		Series: []results.Series{}, Timeline: []results.Timeline{},
		Crowds: crowdsOf(e.Config, own),
	}
	if t.ServerConfig == nil {
		t.ServerConfig = map[string]any{}
	}
	if len(own) == 0 {
		return t
	}
	for _, m := range own {
		t.Rounds = append(t.Rounds, figures(m))
		if !eventful(e.Config) {
			t.Steady = append(t.Steady, course(m))
		}
		course := courseOf(m)
		t.Series = append(t.Series, course)
		if eventful(e.Config) {
			t.Timeline = append(t.Timeline, timelineOf(m, course.Seconds))
		}
	}
	all := pooled(own)
	t.Total, t.Stages = figures(all), anatomy.Of(all.Stages.Samples)
	t.AB = abReport(all.Load, s, config.AddressOf(e.URLs[s]), e.Config).Summary()
	law := little(all)
	t.LittlesLaw.XTimesR = law.InFlight
	if !e.Config.Open() {
		t.Fairness = fairness(own)
		t.LittlesLaw = results.LittlesLaw{XTimesR: law.InFlight, Concurrency: float64(law.Clients), Ratio: law.Ratio}
	}
	t.Ledger = results.Ledger{
		ACalls: all.A.Calls, BCalls: all.B.Calls,
		CacheGets: all.Cache.Gets, CacheHits: all.Cache.Hits, CacheSets: all.Cache.Sets,
	}
	return t
}
