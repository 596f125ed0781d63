package pictures

import (
	"fmt"
	"maps"
	"math"
	"slices"
	"strings"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"

	"poolvsloop/internal/report"
	"poolvsloop/internal/results"
	"poolvsloop/internal/sweep"
)

// mostCuts bounds the pictures along a knob: one for each combination of the other knobs.
const mostCuts = 6

// alongTitle is the title of the pictures along the knob of a sweep.
const alongTitle = "Throughput and response time"

// along draws throughput and mean response time of each cut of the grid along its knob.
func along(s *sweep.Sweep) ([]Picture, string, error) {
	if s.Along == "" || s.Search != nil {
		return nil, "no knob of numbers leads from cell to cell in a closed loop", nil
	}
	cuts := slices.DeleteFunc(s.Cuts(s.Along), func(c sweep.Cut) bool { return len(c.Cells) < 2 })
	switch {
	case len(cuts) == 0:
		return nil, "there are no two valid cells along " + s.Along, nil
	case len(cuts) > mostCuts:
		return nil, fmt.Sprintf("there would be %d along %s, more than %d", len(cuts), s.Along, mostCuts), nil
	}
	var all []Picture
	for i, c := range cuts {
		p, err := newCut(s, c).picture(fmt.Sprintf("along-%d", i+1))
		if err != nil {
			return nil, "", err
		}
		all = append(all, p)
	}
	return all, "", nil
}

// cut is a cut of a sweep on its way to a picture. Times on its x axis are in ms.
type cut struct {
	sweep.Cut
	of         *sweep.Sweep
	unit       string
	scale      float64
	rate, wait panel
}

func newCut(s *sweep.Sweep, c sweep.Cut) cut {
	v := cut{Cut: c, of: s, unit: s.Along, scale: 1}
	if s.Axis(s.Along).Times() {
		v.unit, v.scale = s.Along+", ms", 1e3
	}
	v.rate, v.wait = newPanel("answers 2xx per second", ""), newPanel("mean response time, ms", v.unit)
	return v
}

func (c cut) picture(name string) (Picture, error) {
	for i, server := range c.of.Servers {
		c.rate.key = append(c.rate.key, word{report.ServerTitle(server), inkOf(i)})
	}
	if c.of.Along == "concurrency" {
		c.theory()
	} else {
		c.expected()
	}
	for i := range c.of.Servers {
		c.measured(i)
	}
	c.scales()
	for _, x := range c.crossings() {
		c.crossing(x)
	}
	elements, err := drawn(310, c.rate, c.wait)
	title := alongTitle
	if label := sweep.Label(c.of.Knobs(), c.Settings); label != "" {
		title += ", " + label
	}
	return Picture{Name: name, Title: title, Sees: c.sees(), Text: c.text(), height: 310, elements: elements}, err
}

// theory draws the curves and bounds of the models of the cell with the most clients.
func (c cut) theory() {
	models, _ := Data{Run: c.Cells[len(c.Cells)-1].Run}.models()
	most := int(math.Ceil(1.15 * c.At[len(c.At)-1]))
	for i, m := range models {
		c.rate.bound(m, most, i > 0 && alike(m, models[0]))
	}
	for _, m := range models {
		curves(c.rate, c.wait, m, most)
	}
}

// expected draws lines through the predictions and the lowest bounds of the cells.
func (c cut) expected() {
	for i, server := range c.of.Servers {
		var rate, wait, bound plotter.XYs
		for at, cell := range c.Cells {
			for _, p := range cell.Run.Predictions {
				if x := c.At[at] * c.scale; p.Server == server {
					rate = appendSound(rate, x, float64(p.Predicted.ThroughputRPS))
					wait = appendSound(wait, x, float64(p.Predicted.MeanMS))
					if len(p.Bounds) > 0 {
						bound = appendSound(bound, x, p.Bounds[0].RPS)
					}
				}
			}
		}
		for _, l := range []struct {
			panel
			points plotter.XYs
			look   draw.LineStyle
		}{{c.rate, bound, line(faint{inkOf(i), 0.25}, 5)}, {c.rate, rate, line(inkOf(i), 1.5)}, {c.wait, wait, line(inkOf(i), 1.5)}} {
			if len(l.points) > 1 {
				l.curve(l.points, l.look)
			}
		}
	}
}

func appendSound(points plotter.XYs, x, y float64) plotter.XYs {
	if sound(y) {
		points = append(points, plotter.XY{X: x, Y: y})
	}
	return points
}

// measured marks what was measured of a server; the marks of the first one are larger, to show below the second's.
func (c cut) measured(server int) {
	size := 4.5 - 1.5*float64(server)
	for at, cell := range c.Cells {
		t := cell.Servers[server].Total
		for _, m := range []struct {
			panel
			y float64
		}{{c.rate, t.GoodputRPS}, {c.wait, t.MeanMS}} {
			if sound(m.y) {
				point := plotter.XY{X: c.At[at] * c.scale, Y: m.y}
				m.dots(paper, draw.CircleGlyph{}, vg.Length(size+1), point)
				m.dots(inkOf(server), draw.CircleGlyph{}, vg.Length(size), point)
			}
		}
	}
}

// scales sets the axes: that of the knob is logarithmic when its values are far apart, but not that of clients, along
// which bounds are straight lines.
func (c cut) scales() {
	low, high := c.At[0]*c.scale, c.At[len(c.At)-1]*c.scale
	for _, p := range []panel{c.rate, c.wait} {
		switch {
		case c.of.Along == "concurrency":
			p.X.Min, p.X.Max, p.X.Tick.Marker = 0, max(p.X.Max, 1.04*high), ticks(5)
		case low > 0 && high/low > 8:
			p.X.Scale, p.X.Tick.Marker = plot.LogScale{}, logTicks{}
			p.X.Min, p.X.Max = roomy(low, high)
		default:
			room := 0.04 * (high - low)
			p.X.Min, p.X.Max, p.X.Tick.Marker = low-room, high+room, ticks(5)
		}
		p.Y.Min, p.Y.Max, p.Y.Tick.Marker = 0, 1.12*p.Y.Max, ticks(4)
	}
}

// crossings are those of the cut.
func (c cut) crossings() []sweep.Crossing {
	var all []sweep.Crossing
	for _, x := range c.of.Crossings {
		if maps.Equal(x.Settings, c.Settings) {
			all = append(all, x)
		}
	}
	return all
}

// crossing shades where the lead changes: the interval, or else between which cells.
func (c cut) crossing(x sweep.Crossing) {
	low, high := float64(x.CILow)*c.scale, float64(x.CIHigh)*c.scale
	if !drawable(low) || !drawable(high) {
		low, high = float64(x.Above)*c.scale, float64(x.Below)*c.scale
	}
	if x.From == x.To || !drawable(low) || !drawable(high) {
		return
	}
	for _, p := range []panel{c.rate, c.wait} {
		top := p.Y.Max
		p.Add(&plotter.Polygon{XYs: []plotter.XYs{{{X: low}, {X: high}, {X: high, Y: top}, {X: low, Y: top}}}, Color: faint{even, 0.18}})
	}
}

func (c cut) sees() string {
	var all []string
	for _, x := range c.crossings() {
		all = append(all, report.CrossingWords(c.of, x))
	}
	text := "Dots are measured, lines predicted, pale bands the bounds of theory."
	if len(all) > 0 {
		text += " Goodput: " + strings.Join(all, "; ") + "."
		if slices.ContainsFunc(c.crossings(), func(x sweep.Crossing) bool { return x.From != x.To }) {
			text += " Grey is where that changes."
		}
	}
	return text
}

func (c cut) text() string {
	figures := func(t results.Figures) string {
		return fmt.Sprintf("%.0f per second in %s", t.GoodputRPS, millis(t.MeanMS))
	}
	var all []string
	for at, cell := range c.Cells {
		words := fmt.Sprintf("%s %g", c.unit, c.At[at]*c.scale)
		for i, server := range c.of.Servers {
			words += fmt.Sprintf(", %s %s", report.ServerTitle(server), figures(cell.Servers[i].Total))
		}
		all = append(all, words)
	}
	return "Throughput above, mean response time below, of both servers. " + strings.Join(all, "; ") + "."
}
