package report

import (
	"fmt"
	"math"
	"strings"

	"poolvsloop/internal/predict"
	"poolvsloop/internal/results"
)

// Parts are what the text report says of a run, piece by piece, for those who lay it out themselves.
type Parts struct {
	// Headline says that a run is not valid, "" for a valid one.
	Headline string
	// Settings are what was compared, under which load, in which world, where.
	Settings []Named
	// Rows are the comparison, Notes what it must be read with.
	Rows  []Row
	Notes []string
	// Resources has what each server used, Predictions what was expected of it.
	Resources   []Resources
	Predictions []Prediction
	// Sections are what the text alone says: the stages of a request, crowds, events.
	Sections []string
	Steady   string
	Summary  string
	// Cost is what a request and an idle connection cost, "" when that was not measured.
	Cost    string
	Checks  []Check
	Servers []Named
}

// Named is a text and what it is about.
type Named struct{ Name, Text string }

// Row is a metric of the comparison.
type Row struct {
	Label, ThreadPool, EventLoop, Ratio, Interval, Verdict, Note string
}

// Resources are what a server used.
type Resources struct {
	Server, Limit string
	Rows          []Resource
}

// Resource is one of them. Percent is its share, 0 when it has none.
type Resource struct {
	Name, Used, Of, Unit, Share, Note string
	Percent                           float64
	Limit                             bool
}

// Prediction is what was expected of a server, and Words what bounds it and what is known to make predictions wrong.
type Prediction struct {
	Server, Inputs string
	Rows           []PredictionRow
	Words          []string
}

// PredictionRow is one of its figures.
type PredictionRow struct {
	Label, Predicted, Measured, Error, Note string
}

// Check is one rule.
type Check struct {
	Name, Status, Figure, Bound, Unit, Detail string
}

// PartsOf takes the report of a run apart.
func PartsOf(run *results.Run) Parts {
	p := Parts{Summary: strings.TrimSpace(summary(run)), Cost: strings.TrimSpace(costs(run)), Settings: settings(run)}
	if !run.Valid {
		p.Headline = headline(run)
	}
	for _, t := range run.Targets {
		p.Servers = append(p.Servers, Named{t.Name, serverBlock(run.Config, t)})
	}
	for _, c := range run.Checks {
		p.Checks = append(p.Checks, Check{c.Name, c.Status, short(c.Figure), short(c.Bound), c.Unit, c.Detail})
	}
	for _, text := range []string{anatomy(run), crowds(run), timelines(run)} {
		if text = strings.TrimSpace(text); text != "" {
			p.Sections = append(p.Sections, text)
		}
	}
	for _, x := range run.Predictions {
		p.Predictions = append(p.Predictions, predictionParts(x))
	}
	if len(run.Comparison) == 0 {
		return p
	}
	for _, r := range run.Comparison {
		p.Rows = append(p.Rows, Row{label(r), figure(r.ThreadPool), figure(r.EventLoop), number(r.Ratio), interval(r), r.Verdict, r.Note})
	}
	for _, e := range run.Explanations {
		p.Resources = append(p.Resources, resourceParts(e))
	}
	p.Notes, p.Steady = notesOf(run), oneLine(steady(run))
	return p
}

// notesOf are the texts that the comparison must be read with.
func notesOf(run *results.Run) []string {
	var all []string
	for _, t := range run.Targets {
		all = append(all, remarks(t))
	}
	if run.LateTail {
		all = append(all, lateTail)
	}
	all = append(all, family(len(run.Targets[0].Rounds), len(run.Comparison)))
	var notes []string
	for _, text := range all {
		if text = oneLine(text); text != "" {
			notes = append(notes, text)
		}
	}
	return notes
}

// settings are the lines of the banner, each as one.
func settings(run *results.Run) []Named {
	var all []Named
	_, lines, _ := strings.Cut(Banner(run), "\n\n")
	for line := range strings.Lines(lines) {
		name, text := strings.TrimSpace(line[:min(14, len(line))]), strings.TrimSpace(line[min(14, len(line)):])
		if name == "" && len(all) > 0 {
			all[len(all)-1].Text += " " + text
			continue
		}
		all = append(all, Named{strings.TrimSuffix(name, ":"), text})
	}
	return all
}

func resourceParts(e results.Explanation) Resources {
	r := Resources{Server: e.Server, Limit: e.Bottleneck}
	for _, x := range e.Resources {
		row := Resource{
			Name: x.Name, Used: figure(float64(x.Used)), Of: bounded(x.Of), Unit: x.Unit, Share: percent(x.Share), Note: x.Note,
			Limit: x.Name == e.Bottleneck,
		}
		if share := float64(x.Share); !math.IsNaN(share) {
			row.Percent = 100 * min(1, max(0, share))
		}
		r.Rows = append(r.Rows, row)
	}
	return r
}

func predictionParts(p results.Prediction) Prediction {
	in := p.Inputs
	part := Prediction{Server: p.Server, Inputs: fmt.Sprintf("%d clients, %s workers, %.1f ms in A and B, %.3f ms of CPU on the server and %.3f ms beside "+
		"it, %d cores", in.Clients, bounded(in.Workers), in.WaitMS, in.CPUUS/1e3, in.OtherCPUUS/1e3, in.Cores)}
	for i, f := range predict.Figures {
		part.Rows = append(part.Rows, PredictionRow{f.Name + " [" + f.Unit + "]", known(*f.Of(&p.Predicted)), known(*f.Of(&p.Measured)),
			errorOf(*f.Of(&p.ErrorPercent)), strings.TrimRight(off(p, f.Name)+origin(p, i), "; ")})
	}
	part.Words = append(part.Words, boundWords(p))
	for _, weak := range p.Weak {
		part.Words = append(part.Words, "Known weakness: "+weak+".")
	}
	for _, law := range p.Laws {
		part.Words = append(part.Words, fmt.Sprintf("%s: %s %s %s %s", law.Name, figure(law.LHS), relation(law), figure(law.RHS), lawWord(law.OK)))
	}
	return part
}

// Title is what a metric is called in tables.
func Title(metric string) string { return title(metric) }
