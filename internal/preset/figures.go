package preset

import (
	"maps"
	"math"
	"reflect"
	"strings"

	"poolvsloop/internal/latency"
	"poolvsloop/internal/predict"
	"poolvsloop/internal/queueing"
	"poolvsloop/internal/results"
)

// servers are both, in the order of every text.
var servers = []string{predict.ThreadPool, predict.EventLoop}

// compared are the figures of a comparison, by the names that formulas use.
func compared(run *results.Run) map[string]any {
	step := map[string]any{"valid": run.Valid, "checks": statuses(run.Checks)}
	for _, t := range run.Targets {
		figures := numbers(t.Total)
		if len(t.Rounds) == 0 {
			figures = forgotten(figures)
		}
		maps.Copy(figures, numbers(t.Ledger))
		figures["failed_share"], figures["starved"] = t.Total.FailedShare(), float64(t.Fairness.Starved)
		firstRound(t).add(figures)
		figures["crowd"] = firstCrowd(t.Crowds)
		step[t.Name] = figures
	}
	for _, name := range servers {
		figures, ok := step[name].(map[string]any)
		if !ok {
			continue
		}
		figures["predicted"], figures["alone_ms"], figures["limit"] = numbers(nothing.Predicted), math.NaN(), ""
		for _, p := range run.Predictions {
			if p.Server == name {
				figures["predicted"] = numbers(p.Predicted)
			}
		}
		for _, c := range run.Calibration {
			if c.Server == name {
				figures["alone_ms"] = c.MeanMS - c.WaitMS + waitOf(run.Config)
			}
		}
		for _, e := range run.Explanations {
			if e.Server == name {
				figures["limit"] = e.Bottleneck
			}
		}
	}
	return step
}

// firstRound is the course of the first round of a server.
func firstRound(t results.Target) course {
	var seconds []results.Second
	var events *results.Timeline
	if len(t.Series) > 0 {
		seconds = t.Series[0].Seconds
	}
	if len(t.Timeline) > 0 {
		events = &t.Timeline[0]
	}
	return courseOf(seconds, events)
}

// firstCrowd are the figures of the first crowd; of none nothing is known.
func firstCrowd(all []results.Crowd) map[string]any {
	if len(all) == 0 {
		return forgotten(numbers(results.Crowd{}))
	}
	return numbers(all[0])
}

// nothing is a prediction of which nothing is known.
var nothing = results.Prediction{Predicted: results.Predicted{
	ThroughputRPS: results.Unknown, MeanMS: results.Unknown, P50MS: results.Unknown, P90MS: results.Unknown, P99MS: results.Unknown,
	BusyWorkers: results.Unknown, QueueLength: results.Unknown, BlockedShare: results.Unknown,
}}

// waitOf is how long in ms a request has to wait in A and B on average, NaN when their latencies cannot be read.
func waitOf(c results.Config) float64 {
	wait := 0.0
	for _, spec := range []string{c.LatencyA, c.LatencyB} {
		model, err := latency.Parse(spec, latency.OpenFile)
		if err != nil {
			return math.NaN()
		}
		mean, _ := queueing.Moments(model)
		wait += 1e3 * mean
	}
	return wait
}

func statuses(checks []results.Check) map[string]any {
	all := map[string]any{}
	for _, c := range checks {
		all[c.Name] = c.Status
	}
	return all
}

// numbers are the figures of a document by their names in JSON.
func numbers(document any) map[string]any {
	figures := map[string]any{}
	v := reflect.ValueOf(document)
	for i := range v.NumField() {
		name, _, _ := strings.Cut(v.Type().Field(i).Tag.Get("json"), ",")
		switch field := v.Field(i); {
		case field.CanInt():
			figures[name] = float64(field.Int())
		case field.CanFloat():
			figures[name] = field.Float()
		}
	}
	return figures
}

// forgotten are the same names, of which nothing is known.
func forgotten(figures map[string]any) map[string]any {
	for name, value := range figures {
		if _, ok := value.(float64); ok {
			figures[name] = math.NaN()
		}
	}
	return figures
}

// seen is what was measured of a server by runs of loadrunner run.
type seen struct {
	results.Figures
	// Ledger is what the dependencies counted, Starved the clients without an answer.
	Ledger  results.Ledger
	Starved int
	// QueueAMS and QueueBMS are the mean waits of the calls that found a downstream's concurrency limit reached.
	QueueAMS, QueueBMS float64
	course             course
	// Crowds are the clients beside those of the run.
	Crowds []results.Crowd
}

// course is a run second by second.
type course struct {
	// good are the 2xx answers of each second, recoveredS is the time from the end of the last fault until the server was
	// back at its level, NaN unless it came back.
	good       []float64
	recoveredS float64
}

// longest is for how many seconds a sample has figures.
const longest = 3600

// courseOf takes the course of a round; both may be missing.
func courseOf(seconds []results.Second, t *results.Timeline) course {
	c := course{recoveredS: math.NaN(), good: []float64{}}
	for _, s := range seconds {
		c.good = append(c.good, float64(s.OK2xx))
	}
	if t == nil {
		return c
	}
	for _, e := range t.Events {
		if e.EndsFault {
			c.recoveredS = float64(e.RecoveredS)
		}
	}
	return c
}

func (c course) add(figures map[string]any) {
	figures["good"], figures["recovered_s"] = c.good, c.recoveredS
}

// ran are the figures of a step of runs, by the names that formulas use.
func ran(all map[string]seen, valid bool) map[string]any {
	step := map[string]any{"valid": valid}
	for _, name := range servers {
		s := all[name]
		figures := numbers(s.Figures)
		maps.Copy(figures, numbers(s.Ledger))
		figures["failed_share"], figures["starved"] = s.FailedShare(), float64(s.Starved)
		figures["queue_a_ms"], figures["queue_b_ms"] = s.QueueAMS, s.QueueBMS
		s.course.add(figures)
		figures["crowd"] = firstCrowd(s.Crowds)
		step[name] = figures
	}
	return step
}

// sample has every name that the preset's formulas can use, with figures that nobody measured.
func (p *Preset) sample() map[string]any {
	all := map[string]any{}
	for i := range p.Steps {
		all[p.Steps[i].Name.Text] = p.Steps[i].sample()
	}
	return all
}

func (s *Step) sample() map[string]any {
	if s.Run != nil {
		step := ran(map[string]seen{}, true)
		for _, name := range servers {
			untold(step[name].(map[string]any))
		}
		return step
	}
	run := &results.Run{Valid: true}
	for _, name := range servers {
		run.Targets = append(run.Targets, results.Target{Name: name})
	}
	step := compared(run)
	for _, name := range servers {
		untold(step[name].(map[string]any))
	}
	step["checks"] = map[string]any{s.Invalid: ""}
	return step
}

// untold makes of the figures of a server those of one that nobody measured, with seconds enough for any formula.
func untold(figures map[string]any) {
	forgotten(figures)
	good := make([]float64, longest)
	for i := range good {
		good[i] = math.NaN()
	}
	figures["good"] = good
}
