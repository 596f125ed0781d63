package pictures

import (
	"fmt"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/plotter"

	"poolvsloop/internal/report"
	"poolvsloop/internal/results"
)

const ccdfTitle = "How rare slow answers are"

// ccdf is the share of requests that took longer than a time, of each server and, thin, of each of its rounds.
func ccdf(d Data) (Picture, string, error) {
	p := newPanel("share that took longer", "response time, ms")
	curves := make([]plotter.XYs, len(d.Run.Targets))
	for i, t := range d.Run.Targets {
		times := pooled(d.Response[t.Name])
		if times == nil {
			return Picture{}, noTimes, nil
		}
		p.key = append(p.key, word{report.ServerTitle(t.Name), inkOf(i)})
		curves[i] = turned(tail(times))
		for _, round := range d.Response[t.Name] {
			if round.Times.TotalCount() > 0 {
				p.curve(turned(tail(round.Times)), line(faint{inkOf(i), 0.45}, 0.8))
			}
		}
	}
	for i, c := range curves {
		p.curve(c, line(inkOf(i), 2))
	}
	p.Y.Scale, p.Y.Tick.Marker, p.Y.Min, p.Y.Max = plot.LogScale{}, rareTicks{}, min(0.1, p.Y.Min), 1
	if p.X.Max/p.X.Min > 6 {
		p.X.Scale, p.X.Tick.Marker = plot.LogScale{}, logTicks{}
		p.X.Min, p.X.Max = roomy(p.X.Min, p.X.Max)
	} else {
		p.X.Tick.Marker = ticks(5)
	}
	elements, err := drawn(230, p)
	return Picture{
		Name: "ccdf", Title: ccdfTitle, Sees: ccdfSees(d.Run), Text: "Curves of the share of requests that took longer than a time, " +
			"both axes logarithmic where needed. " + ccdfSees(d.Run), height: 230, elements: elements,
	}, "", err
}

// turned is a tail with the time on the x axis.
func turned(points plotter.XYs) plotter.XYs {
	all := make(plotter.XYs, len(points))
	for i, p := range points {
		all[i] = plotter.XY{X: p.Y, Y: p.X}
	}
	return all
}

// rareTicks are one in 1, 10, 100, …
type rareTicks struct{}

// Ticks implements [plot.Ticker].
func (rareTicks) Ticks(low, high float64) []plot.Tick {
	all := []plot.Tick{{Value: 1, Label: "all"}}
	for n := 10.0; 1/n >= low*(1-1e-9) && n < 1e19; n *= 10 {
		all = append(all, plot.Tick{Value: 1 / n, Label: "1 in " + plain(n)})
	}
	return all
}

func ccdfSees(run *results.Run) string {
	a, b := run.Targets[0], run.Targets[1]
	return fmt.Sprintf("One request in a thousand took longer than %s on the %s and %s on the %s. Thin lines are single rounds: where "+
		"they lie as far apart as the two servers do, the difference is noise.", millis(a.Total.P999MS), report.ServerTitle(a.Name),
		millis(b.Total.P999MS), report.ServerTitle(b.Name))
}
