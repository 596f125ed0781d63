package pictures

import (
	"fmt"
	"math"
	"strings"

	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"

	"poolvsloop/internal/predict"
	"poolvsloop/internal/queueing"
	"poolvsloop/internal/report"
	"poolvsloop/internal/results"
)

const concurrencyTitle = "More clients: what theory expects"

// model is what theory expects of a server for any number of clients, and what it did with those of the run.
type model struct {
	server string
	ink    ink
	inputs queueing.Inputs
	of     results.Prediction
}

// at is the prediction for that many clients.
func (m model) at(clients int) queueing.Prediction {
	in := m.inputs
	in.Clients = clients
	return queueing.Means(in)
}

// ceiling is the lowest bound that the server sets, and in a few words what sets it; +Inf without one.
func (m model) ceiling() (rate float64, means string) {
	for _, b := range queueing.Sorted(m.at(1).Bounds) {
		if !b.Clients {
			words, _, _ := strings.Cut(b.Means, ",")
			return b.Rate, words
		}
	}
	return math.Inf(1), ""
}

// concurrency is throughput and mean response time against clients: the curves and bounds of theory, and what was measured.
func concurrency(d Data) (Picture, string, error) {
	models, why := d.models()
	if why != "" {
		return Picture{}, why, nil
	}
	most := span(models)
	rate, wait := newPanel("answers 2xx per second", ""), newPanel("mean response time, ms", "clients")
	for i, m := range models {
		rate.key = append(rate.key, word{report.ServerTitle(m.server), m.ink})
		rate.bound(m, most, i > 0 && alike(m, models[0]))
	}
	for _, m := range models {
		curves(rate, wait, m, most)
	}
	for _, m := range models {
		rate.measured(m, m.of.Measured.ThroughputRPS)
		wait.measured(m, m.of.Measured.MeanMS)
	}
	for _, p := range []panel{rate, wait} {
		p.X.Min, p.X.Max, p.X.Tick.Marker = 0, float64(most), ticks(5)
		p.Y.Min, p.Y.Max, p.Y.Tick.Marker = 0, 1.12*p.Y.Max, ticks(4)
	}
	elements, err := drawn(310, rate, wait)
	return Picture{
		Name: "concurrency", Title: concurrencyTitle, Sees: concurrencySees(models), Text: concurrencyText(models), height: 310,
		elements: elements,
	}, "", err
}

// mostClients bounds the clients of a curve: a model takes steps for each.
const mostClients = 100_000

// models are those of the servers, or why there is none.
func (d Data) models() ([]model, string) {
	run := d.Run
	switch {
	case run.Config.Open():
		return nil, "the load was an open loop, which has no number of clients"
	case run.Config.Concurrency < 1 || run.Config.Concurrency > mostClients || run.Config.Workers < 1:
		return nil, fmt.Sprintf("there is no curve for %d clients and %d workers", run.Config.Concurrency, run.Config.Workers)
	}
	for _, l := range []string{run.Config.LatencyA, run.Config.LatencyB} {
		if strings.HasPrefix(l, "trace:") {
			return nil, "the delays are those of a trace, which is not in this folder"
		}
	}
	var all []model
	for i, t := range run.Targets {
		for _, p := range run.Predictions {
			for _, c := range run.Calibration {
				if p.Server != t.Name || c.Server != t.Name || !sound(c.MeanMS) || !sound(c.ServerCPUUS) {
					continue
				}
				in, err := predict.Inputs(t.Name, run.Config, predict.Load{}, predict.CostOf(c), p.Inputs.Cores)
				if err != nil {
					return nil, err.Error()
				}
				all = append(all, model{t.Name, inkOf(i), in, p})
			}
		}
	}
	if len(all) < len(run.Targets) {
		return nil, "there is no prediction of both servers"
	}
	return all, ""
}

// span is up to how many clients curves go: past those of the run, and past the knees unless these are far away.
func span(models []model) int {
	most := 0.0
	for _, m := range models {
		clients := float64(m.inputs.Clients)
		most = max(most, 1.25*clients)
		if knee := float64(m.of.KneeClients); knee <= 5*clients {
			most = max(most, 1.3*knee)
		}
	}
	return max(4, int(math.Ceil(most)))
}

// curves draws the predictions for 1 to most clients.
func curves(rate, wait panel, m model, most int) {
	const points = 60
	var x, r plotter.XYs
	last := 0
	for i := 1; i <= points; i++ {
		c := max(1, most*i/points)
		if c == last {
			continue
		}
		p := m.at(c)
		if last = c; sound(p.Throughput) && sound(1e3*p.Mean) {
			x, r = append(x, plotter.XY{X: float64(c), Y: p.Throughput}), append(r, plotter.XY{X: float64(c), Y: 1e3 * p.Mean})
		}
	}
	rate.curve(x, line(m.ink, 1.5))
	wait.curve(r, line(m.ink, 1.5))
}

// bound draws the asymptotes of the throughput: what the clients can ask for, and what the server's narrowest resource
// allows, with its name unless that is written already.
func (p panel) bound(m model, most int, named bool) {
	ceiling, means := m.ceiling()
	alone := m.at(1).Bounds
	slope := 0.0
	for _, b := range alone {
		if b.Clients {
			slope = b.Rate
		}
	}
	if !sound(ceiling) || !sound(slope) {
		return
	}
	knee := min(ceiling/slope, float64(most))
	pale := line(faint{m.ink, 0.25}, 5)
	p.curve(plotter.XYs{{X: 0, Y: 0}, {X: knee, Y: knee * slope}}, pale)
	if knee < float64(most) {
		p.curve(plotter.XYs{{X: knee, Y: ceiling}, {X: float64(most), Y: ceiling}}, pale)
		if !named {
			end := float64(most)
			if clients := float64(m.inputs.Clients); knee < clients {
				end = clients // to the left of what was measured, the mark of which may stand above the line
			}
			p.label("limit: "+means, style(soft, draw.XRight, draw.YBottom), end, ceiling, vg.Point{X: -9, Y: 3})
		}
	}
}

// alike says that two servers have the same limit, or nearly so: one name is enough.
func alike(a, b model) bool {
	x, _ := a.ceiling()
	y, _ := b.ceiling()
	return math.Abs(x-y) < 0.1*max(x, y)
}

// measured marks what the run measured, with a larger mark for the first server: it shows below that of the second one.
func (p panel) measured(m model, v results.Number) {
	y := float64(v)
	if !sound(y) {
		return
	}
	at := plotter.XY{X: float64(m.inputs.Clients), Y: y}
	if m.ink == first {
		p.dots(paper, draw.CircleGlyph{}, 7, at)
		p.dots(first, draw.CircleGlyph{}, 6, at)
		return
	}
	p.mark(m.ink, false, at)
}

func concurrencySees(models []model) string {
	var all []string
	for _, m := range models {
		if knee := float64(m.of.KneeClients); !math.IsNaN(knee) {
			all = append(all, fmt.Sprintf("about %.0f on the %s", knee, report.ServerTitle(m.server)))
		}
	}
	text := "Dots are measured, lines predicted from settings and one client’s cost, pale bands the bounds."
	if len(all) > 0 {
		text += " From there on more clients only wait longer: " + strings.Join(all, ", ") + "."
	}
	return text
}

func concurrencyText(models []model) string {
	var all []string
	for _, m := range models {
		words := fmt.Sprintf("%s with %d clients: predicted %.0f answers per second, measured %.0f", report.ServerTitle(m.server), m.inputs.Clients,
			float64(m.of.Predicted.ThroughputRPS), float64(m.of.Measured.ThroughputRPS))
		if ceiling, means := m.ceiling(); !math.IsInf(ceiling, 0) {
			words += fmt.Sprintf("; at most %.0f, the limit of %s", ceiling, means)
		}
		all = append(all, words)
	}
	return "Throughput above, mean response time below, against the number of clients. " + strings.Join(all, ". ") + "."
}
