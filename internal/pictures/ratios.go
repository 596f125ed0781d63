package pictures

import (
	"fmt"
	"math"
	"strings"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"

	"poolvsloop/internal/report"
	"poolvsloop/internal/results"
	"poolvsloop/internal/stats"
)

// Ratios is the name of the picture of the comparison.
const Ratios = "ratios"

const ratiosTitle = "Who is better, by how much, how sure"

// advantage is a row of the comparison turned so that above 1 the second server is better.
type advantage struct {
	name           string
	ratio, lo, hi  float64
	verdict        string
	known, bounded bool
}

func advantages(run *results.Run) []advantage {
	var all []advantage
	for _, r := range run.Comparison {
		all = append(all, advantageOf(r))
	}
	return all
}

func advantageOf(r results.Comparison) advantage {
	a := advantage{name: briefly(report.Title(r.Metric)), ratio: float64(r.Ratio), lo: float64(r.CILow), hi: float64(r.CIHigh), verdict: r.Verdict}
	if r.Better == results.Lower {
		a.ratio, a.lo, a.hi = 1/a.ratio, 1/a.hi, 1/a.lo
	}
	a.known = drawable(a.ratio)
	a.bounded = a.known && drawable(a.lo) && drawable(a.hi)
	return a
}

// briefly shortens the title of a metric to what has room beside the axis.
func briefly(title string) string {
	short := strings.TrimPrefix(title, "server ")
	if len(short) > 20 {
		short = strings.TrimSuffix(short, " per request")
	}
	return short
}

// drawable says that a ratio has a place on a logarithmic axis that people can read.
func drawable(ratio float64) bool { return ratio > 1e-9 && ratio < 1e9 }

// ratios is the comparison as a picture: each metric's ratio with its interval, better for the one server to the left of
// "equal", for the other one to the right.
func ratios(d Data) (Picture, string, error) {
	rows := advantages(d.Run)
	if len(rows) == 0 {
		return Picture{}, "nothing was compared", nil
	}
	p := newPanel("", "")
	p.key = []word{{"← " + report.ServerTitle(d.Run.Targets[0].Name) + " better", first}, {report.ServerTitle(d.Run.Targets[1].Name) + " better →", second}}
	low, high := 1/1.25, 1.25
	names := make(plot.ConstantTicks, len(rows))
	for i, r := range rows {
		names[i] = plot.Tick{Value: -float64(i), Label: r.name}
		if r.known {
			low, high = min(low, r.ratio), max(high, r.ratio)
		}
		if r.bounded {
			low, high = min(low, max(r.lo, r.ratio/10)), max(high, min(r.hi, r.ratio*10))
		}
	}
	p.X.Min, p.X.Max = low/math.Pow(high/low, 0.06), high*math.Pow(high/low, 0.22) // words stand to the right of marks
	p.X.Scale, p.X.Tick.Marker = plot.LogScale{}, timesTicks{}
	p.Y.Tick.Marker, p.Y.Min, p.Y.Max = names, 0.6-float64(len(rows)), 0.4
	p.band(max(0, min(1, d.Run.Config.Margin)))
	for i, r := range rows {
		p.ratio(r, -float64(i))
	}
	height := vg.Length(46 + 20*len(rows))
	elements, err := drawn(height, p)
	return Picture{
		Name: Ratios, Title: ratiosTitle, Sees: ratiosSees(d.Run), Text: ratiosText(d.Run, rows), height: height, elements: elements,
	}, "", err
}

// band shades the ratios that are a tie, and marks 1.
func (p panel) band(margin float64) {
	low, high := 1/(1+margin), 1+margin
	bottom, top := p.Y.Min, p.Y.Max
	p.Add(&plotter.Polygon{XYs: []plotter.XYs{{{X: low, Y: bottom}, {X: high, Y: bottom}, {X: high, Y: top}, {X: low, Y: top}}}, Color: faint{even, 0.22}})
	p.curve(plotter.XYs{{X: 1, Y: bottom}, {X: 1, Y: top}}, line(even, 1))
}

// ink is that of the server that is better, and another one when neither is named.
func (a advantage) ink() ink {
	switch {
	case a.verdict == stats.Tie || a.verdict == stats.Inconclusive:
		return even
	case a.ratio > 1:
		return second
	}
	return first
}

// ratio draws one row at that height.
func (p panel) ratio(r advantage, y float64) {
	if !r.known {
		p.label("not known", style(soft, draw.XLeft, center), 1, y, vg.Point{X: 8})
		return
	}
	c, end := r.ink(), r.ratio
	if r.bounded {
		p.curve(plotter.XYs{{X: max(r.lo, p.X.Min), Y: y}, {X: min(r.hi, p.X.Max), Y: y}}, line(c, 2))
		end = min(r.hi, p.X.Max)
	}
	p.mark(c, r.verdict == stats.Inconclusive, plotter.XY{X: r.ratio, Y: y})
	p.label(times(r.ratio), style(soft, draw.XLeft, center), end, y, vg.Point{X: 8})
}

// times prints an advantage of either server: "2.5×".
func times(ratio float64) string {
	v := max(ratio, 1/ratio)
	if v < 10 {
		return fmt.Sprintf("%.2f×", v)
	}
	return fmt.Sprintf("%.0f×", v)
}

// timesTicks are advantages of both servers, and "equal" between them.
type timesTicks struct{}

// Ticks implements [plot.Ticker].
func (timesTicks) Ticks(low, high float64) []plot.Tick {
	all := []plot.Tick{{Value: 1, Label: "equal"}}
	last := 1.0
	most := max(high, 1/low)
	for _, v := range []float64{1.2, 1.5, 2, 3, 5, 10, 20, 50, 100, 1000, 1e4, 1e5, 1e6} {
		if math.Log(v/last) < 0.24*math.Log(high/low) || v > most {
			continue
		}
		last = v
		for _, at := range []float64{v, 1 / v} {
			if at >= low && at <= high {
				all = append(all, plot.Tick{Value: at, Label: plain(v) + "×"})
			}
		}
	}
	return all
}

func ratiosSees(run *results.Run) string {
	rounds, margin := len(run.Targets[0].Rounds), 100*run.Config.Margin
	if rounds < 2 {
		return fmt.Sprintf("Each dot is a ratio of one round to one round, which has no interval and names nobody. The grey band is a tie, ±%.0f %%.", margin)
	}
	return fmt.Sprintf("Each line is a 95 %% interval over %d rounds of each server: one that stays on one side of “equal” names that server "+
		"better; grey ones name nobody. The grey band is a tie, ±%.0f %%.", rounds, margin)
}

func ratiosText(run *results.Run, rows []advantage) string {
	var all []string
	for i, r := range rows {
		words := r.name + ": " + r.verdict
		if r.known {
			words += fmt.Sprintf(", ratio %.3g", float64(run.Comparison[i].Ratio))
		}
		if r.bounded {
			words += fmt.Sprintf(" (%.3g to %.3g)", float64(run.Comparison[i].CILow), float64(run.Comparison[i].CIHigh))
		}
		all = append(all, words)
	}
	return fmt.Sprintf("For each metric the ratio of %s to %s with its interval. %s.", report.ServerTitle(run.Targets[1].Name),
		report.ServerTitle(run.Targets[0].Name), strings.Join(all, "; "))
}
