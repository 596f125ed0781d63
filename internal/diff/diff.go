// Package diff compares two runs of the comparison: for each server, the rounds of one against the rounds of the other.
// It is pure.
package diff

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"poolvsloop/internal/results"
	"poolvsloop/internal/stats"
)

// Verdicts that name a run; the others are [stats.Tie] and [stats.Inconclusive].
const (
	First  = "first"
	Second = "second"
)

// Schema is the version of the JSON document that a [Diff] is.
const Schema = "poolvsloop/diff/1"

// Diff is what can be said about two runs.
type Diff struct {
	Schema string `json:"schema"`
	// First and Second are the ids of the runs, which are the names of their folders.
	First  string `json:"first"`
	Second string `json:"second"`
	// Differences are the settings in which the runs differ.
	Differences []Difference `json:"differences"`
	Servers     []Server     `json:"servers"`
}

// Server is one server in both runs.
type Server struct {
	Name string `json:"name"`
	// FirstRounds and SecondRounds are how many rounds were measured.
	FirstRounds  int   `json:"first_rounds"`
	SecondRounds int   `json:"second_rounds"`
	Metrics      []Row `json:"metrics"`
	// Cost is nil where neither run has one.
	Cost *Cost `json:"cost"`
}

// Row is one metric of a server in both runs.
type Row struct {
	Metric string `json:"metric"`
	Unit   string `json:"unit"`
	// Better is "higher" or "lower".
	Better string `json:"better"`
	// First and Second are medians over the rounds.
	First  float64 `json:"first"`
	Second float64 `json:"second"`
	// Ratio is second over first: the median of the ratios of every round to every round. CILow and CIHigh bound it with
	// 95 % confidence; PValue is that of the Mann–Whitney test, PHolm the same corrected for all rows of both servers.
	Ratio  results.Number `json:"ratio"`
	CILow  results.Number `json:"ci_low"`
	CIHigh results.Number `json:"ci_high"`
	PValue results.Number `json:"p_value"`
	PHolm  results.Number `json:"p_holm"`
	// Verdict is first, second, tie or inconclusive.
	Verdict string `json:"verdict"`
	// Note says why the verdict is withheld, or "".
	Note string `json:"note"`
}

// Of compares two runs. It is an error when one of them is not valid or has no rounds, or when they did not do the same
// work: the error names what differs.
func Of(first, second *results.Run) (*Diff, error) {
	for _, run := range []*results.Run{first, second} {
		if !run.Valid {
			return nil, fmt.Errorf("%s is not valid, its figures decide nothing: %s", run.ID, strings.Join(run.InvalidReasons, "; "))
		}
		for _, t := range run.Targets {
			if len(t.Rounds) == 0 {
				return nil, fmt.Errorf("%s has no rounds of %s", run.ID, t.Name)
			}
		}
	}
	differences, err := Differences(first, second)
	if err != nil {
		return nil, err
	}
	d := &Diff{Schema: Schema, First: first.ID, Second: second.ID, Differences: differences}
	if err := work(differences); err != nil {
		return nil, fmt.Errorf("compare %s and %s: %w", first.ID, second.ID, err)
	}
	var family []stats.Answer
	for i, a := range first.Targets {
		b := second.Targets[i]
		if a.Name != b.Name {
			return nil, errors.New("the runs are of other servers")
		}
		family = append(family, questions(a.Rounds, b.Rounds, max(first.Config.Margin, second.Config.Margin))...)
	}
	stats.Decide(family)
	for i, a := range first.Targets {
		answers := family[i*len(results.Metrics):][:len(results.Metrics)]
		s := server(first, second, a, second.Targets[i], answers)
		s.Cost = costs(first, second, i)
		d.Servers = append(d.Servers, s)
	}
	return d, nil
}

// questions are those of one server, a metric each. The margin is the wider one of both runs.
func questions(first, second []results.Figures, margin float64) []stats.Answer {
	var answers []stats.Answer
	for _, m := range results.Metrics {
		q := stats.Question{A: Second, B: First, HigherIsBetter: m.Better == results.Higher, Margin: margin}
		answers = append(answers, stats.Compare(q, m.Values(second), m.Values(first)))
	}
	return answers
}

// server returns one server's part.
func server(first, second *results.Run, a, b results.Target, answers []stats.Answer) Server {
	s := Server{Name: a.Name, FirstRounds: len(a.Rounds), SecondRounds: len(b.Rounds)}
	for i, m := range results.Metrics {
		row := rowOf(results.Judged(m, answers[i], a.Rounds, b.Rounds))
		if note := withheld(first, second, a, b, m); note != "" {
			row.Verdict, row.Note = stats.Inconclusive, note
		}
		s.Metrics = append(s.Metrics, row)
	}
	return s
}

func rowOf(c results.Comparison) Row {
	return Row{
		Metric: c.Metric, Unit: c.Unit, Better: c.Better, First: c.ThreadPool, Second: c.EventLoop, Ratio: c.Ratio,
		CILow: c.CILow, CIHigh: c.CIHigh, PValue: c.PValue, PHolm: c.PHolm, Verdict: c.Verdict,
	}
}

// withheld says why no verdict is given by a metric, or "", by the rules of the comparison of servers.
func withheld(first, second *results.Run, a, b results.Target, m results.Metric) string {
	_, fewest := results.Fewest(slices.Concat(a.Rounds, b.Rounds))
	switch {
	case min(len(a.Rounds), len(b.Rounds)) < stats.LeastRounds:
		return fmt.Sprintf("needs %d rounds", stats.LeastRounds)
	case !m.WithFailures && max(a.Total.FailedShare(), b.Total.FailedShare()) > results.FailedTooMuch:
		return "requests were rejected: compare goodput"
	case results.GivenByRate(first.Config, m, a.Total, b.Total):
		return "given by --rate"
	case m.Tail && (first.LateTail || second.LateTail):
		return "a downstream was late"
	case m.Percentile > 0 && !stats.Carries(fewest, m.Percentile):
		return fmt.Sprintf("a round needs %d answers", stats.Needs(m.Percentile))
	}
	return ""
}
