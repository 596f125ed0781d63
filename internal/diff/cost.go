package diff

import (
	"fmt"

	"poolvsloop/internal/cost"
	"poolvsloop/internal/results"
)

// Cost is what a request and an idle connection cost a server in both runs, by the tests and verdicts of --cost.
type Cost struct {
	// RateRPS was offered in both runs, in requests a second; 0 where the rates differ.
	RateRPS  float64 `json:"rate_rps"`
	Requests []Row   `json:"requests"`
	Idle     []Idle  `json:"idle"`
	// NotMeasured says what is missing, and why.
	NotMeasured []results.NotMeasured `json:"not_measured"`
}

// Idle is one kind of memory that an idle connection takes, in both runs.
type Idle struct {
	Metric string `json:"metric"`
	Unit   string `json:"unit"`
	// Difference is second less first, with its 95 % interval.
	First      results.Slope `json:"first"`
	Second     results.Slope `json:"second"`
	Difference results.Slope `json:"difference"`
	Verdict    string        `json:"verdict"`
}

// costs compares the costs of the server with that number, nil where neither run measured any.
func costs(first, second *results.Run, server int) *Cost {
	a, b := first.Cost, second.Cost
	if a == nil && b == nil {
		return nil
	}
	c := &Cost{Requests: []Row{}, Idle: []Idle{}, NotMeasured: []results.NotMeasured{}}
	if a == nil || b == nil {
		c.NotMeasured = append(c.NotMeasured, results.NotMeasured{What: cost.OfRequest, Why: "only one of the runs was made with --cost"})
		return c
	}
	x, y := a.Targets[server], b.Targets[server]
	seen := cost.Seen{
		Sides: [2]string{First, Second}, Margin: max(first.Config.Margin, second.Config.Margin),
		Repetitions: [2][]results.CostRepetition{x.Repetitions, y.Repetitions}, Readings: [2][]results.IdleReading{x.Readings, y.Readings},
	}
	c.RateRPS = a.RateRPS
	if a.RateRPS != b.RateRPS {
		c.RateRPS = 0
		seen.Unkept = fmt.Sprintf("the rates differ, %g and %g requests/s: name one by --cost-rate", a.RateRPS, b.RateRPS)
	}
	var both results.Cost
	cost.Fill(&both, seen)
	for _, r := range both.Requests {
		row := rowOf(r)
		row.Note = r.Note
		c.Requests = append(c.Requests, row)
	}
	for _, r := range both.Idle {
		c.Idle = append(c.Idle, Idle{
			Metric: r.Metric, Unit: r.Unit, First: r.ThreadPool, Second: r.EventLoop, Difference: r.Difference, Verdict: r.Verdict,
		})
	}
	c.NotMeasured = append(c.NotMeasured, both.NotMeasured...)
	return c
}
