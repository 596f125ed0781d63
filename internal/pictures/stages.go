package pictures

import (
	"fmt"
	"strings"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"

	"poolvsloop/internal/report"
	"poolvsloop/internal/results"
)

const stagesTitle = "Where the time of a request goes"

// kind is which requests a waterfall is of: all that told their stages, or the slowest 1 % of them.
type kind struct {
	title string
	mean  func(results.Stage) float64
}

var (
	everyone = kind{"mean, ms", func(s results.Stage) float64 { return s.MeanMS }}
	slowest  = kind{"mean of the slowest 1 %, ms", func(s results.Stage) float64 { return float64(s.SlowestMeanMS) }}
)

// stages is the mean time in each stage of a request, each bar from where the one before it ends, both servers beside
// each other.
func stages(d Data) (Picture, string, error) {
	kinds := []kind{everyone, slowest}
	for _, t := range d.Run.Targets {
		switch {
		case t.Stages == nil || t.Stages.Samples == 0 || !sound(t.Stages.Response.MeanMS):
			return Picture{}, "not both servers told the stages of their requests", nil
		case t.Stages.SlowestSamples == 0 || !sound(float64(t.Stages.Response.SlowestMeanMS)):
			kinds = kinds[:1]
		}
	}
	var panels []panel
	for _, k := range kinds {
		panels = append(panels, waterfall(d.Run.Targets, k))
	}
	for i, t := range d.Run.Targets {
		panels[0].key = append(panels[0].key, word{report.ServerTitle(t.Name), inkOf(i)})
	}
	height := vg.Length(190 * len(panels))
	elements, err := drawn(height, panels...)
	return Picture{
		Name: "stages", Title: stagesTitle, Sees: stagesSees(d.Run.Targets), Text: stagesText(d.Run.Targets), height: height,
		elements: elements,
	}, "", err
}

// columns is the room for figures to the right of bars, as a share of the axis.
const columns = 0.3

// waterfall draws a row for each stage, and in it a bar and a figure for each server.
func waterfall(targets []results.Target, k kind) panel {
	p := newPanel(k.title, "")
	longest := 0.0
	for _, t := range targets {
		longest = max(longest, k.mean(t.Stages.Response))
	}
	most := longest / (1 - columns)
	p.X.Min, p.X.Max, p.X.Tick.Marker = 0, most, upTo{ticks(5), longest}
	var names plot.ConstantTicks
	for i, part := range targets[0].Stages.Parts() {
		names = append(names, plot.Tick{Value: -float64(i), Label: part.Name})
	}
	for i, t := range targets {
		from, right := 0.0, most*(1-columns/2*float64(1-i))
		for row, part := range t.Stages.Parts() {
			y, length := -float64(row), max(0, k.mean(part.Stage))
			if length > 0 {
				p.bar(inkOf(i), from, max(length, longest/200), y+0.36-0.36*float64(i), 0.3)
			}
			p.label(briefMillis(length), style(inkOf(i), draw.XRight, center), right, y, vg.Point{})
			from += length
		}
	}
	p.Y.Tick.Marker, p.Y.Min, p.Y.Max = names, 0.4-float64(len(names)), 0.6
	return p
}

// bar fills a box that begins at x, of that length and height, below y.
func (p panel) bar(c ink, x, length, y, height float64) {
	p.Add(&plotter.Polygon{XYs: []plotter.XYs{{{X: x, Y: y}, {X: x + length, Y: y}, {X: x + length, Y: y - height}, {X: x, Y: y - height}}}, Color: c})
}

// upTo are the ticks of the part of an axis that ends at most.
type upTo struct {
	plot.Ticker
	most float64
}

// Ticks implements [plot.Ticker].
func (u upTo) Ticks(low, _ float64) []plot.Tick { return u.Ticker.Ticks(low, u.most) }

// briefMillis prints a time of few digits without its unit.
func briefMillis(v float64) string {
	switch {
	case v >= 100:
		return fmt.Sprintf("%.0f", v)
	case v >= 10:
		return fmt.Sprintf("%.1f", v)
	}
	return fmt.Sprintf("%.2f", v)
}

func stagesSees(targets []results.Target) string {
	var all []string
	for _, t := range targets {
		most := results.Part{}
		for _, part := range t.Stages.Parts() {
			if part.MeanMS > most.MeanMS {
				most = part
			}
		}
		all = append(all, fmt.Sprintf("%s of %s in %s on the %s", briefMillis(most.MeanMS), millis(t.Stages.Response.MeanMS), most.Name,
			report.ServerTitle(t.Name)))
	}
	return "From top to bottom: the wait for a worker, the calls to A, cache and B, and what no server sees (outside). Most of it: " +
		strings.Join(all, ", ") + "."
}

func stagesText(targets []results.Target) string {
	var all []string
	for _, t := range targets {
		var parts []string
		for _, part := range t.Stages.Parts() {
			parts = append(parts, part.Name+" "+briefMillis(part.MeanMS))
		}
		all = append(all, fmt.Sprintf("%s, %d requests: %s; together %s", report.ServerTitle(t.Name), t.Stages.Samples, strings.Join(parts, ", "),
			millis(t.Stages.Response.MeanMS)))
	}
	return "Bars of the mean time in each stage, each from where the one before it ends, in ms. " + strings.Join(all, ". ") + "."
}
