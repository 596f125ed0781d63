package pictures

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"

	"poolvsloop/internal/report"
	"poolvsloop/internal/stats"
	"poolvsloop/internal/sweep"
)

// mostMaps bounds the maps of a picture: one for each combination of the knobs that are on neither axis.
const mostMaps = 6

// heat is a map of the grid by one metric: cells are coloured by the server that is better there, ties are grey.
func heat(s *sweep.Sweep, metric string) (Picture, string, error) {
	across, down := mapAxes(s)
	switch {
	case s.Search != nil:
		return Picture{}, "the steps of a search are no grid", nil
	case across == nil:
		return Picture{}, "no knob of the grid has two values", nil
	}
	grids := groups(s, metric, across, down)
	if len(grids) > mostMaps {
		return Picture{}, fmt.Sprintf("there would be %d maps, more than %d", len(grids), mostMaps), nil
	}
	var panels []panel
	height, count := vg.Length(0), map[string]int{}
	for _, m := range grids {
		panels = append(panels, m.panel(count))
		height += vg.Length(62 + 22*m.rows())
	}
	panels[0].key = []word{
		{report.ServerTitle(s.Servers[0]), first}, {"tie", even}, {report.ServerTitle(s.Servers[1]), second},
	}
	elements, err := drawn(height, panels...)
	return Picture{
		Name: "map-" + metric, Title: heatTitle(metric), Sees: heatSees(s, count), Text: heatText(grids), height: height, elements: elements,
	}, "", err
}

func heatTitle(metric string) string { return "Who is better where: " + report.Title(metric) }

// mapAxes are the knobs of both axes: that of the crossings, or else the one with the most values, and of the others
// the one with the most; nil for none with two values.
func mapAxes(s *sweep.Sweep) (across, down *sweep.Axis) {
	axes := slices.Clone(s.Axes)
	slices.SortStableFunc(axes, func(a, b sweep.Axis) int {
		switch s.Along {
		case a.Knob:
			return -1
		case b.Knob:
			return 1
		}
		return len(b.Values) - len(a.Values)
	})
	if len(axes) > 0 && len(axes[0].Values) > 1 {
		across = &axes[0]
	}
	if len(axes) > 1 && len(axes[1].Values) > 1 {
		down = &axes[1]
	}
	return across, down
}

// heatMap is the cells with one combination of the knobs that are on no axis.
type heatMap struct {
	metric, label string
	knobs         []string
	across, down  *sweep.Axis
	cells         []sweep.CellResult
}

// groups are the maps of a sweep, in the order of its cells.
func groups(s *sweep.Sweep, metric string, across, down *sweep.Axis) []heatMap {
	var all []heatMap
	for _, c := range s.Cells {
		var others []string
		for _, knob := range s.Knobs() {
			if knob != across.Knob && (down == nil || knob != down.Knob) && len(s.Axis(knob).Values) > 1 {
				others = append(others, knob)
			}
		}
		label := sweep.Label(others, c.Settings)
		at := slices.IndexFunc(all, func(m heatMap) bool { return m.label == label })
		if at < 0 {
			at, all = len(all), append(all, heatMap{metric: metric, label: label, knobs: s.Knobs(), across: across, down: down})
		}
		all[at].cells = append(all[at].cells, c)
	}
	return all
}

func (m heatMap) rows() int {
	if m.down == nil {
		return 1
	}
	return len(m.down.Values)
}

// place is where a cell is on the map.
func (m heatMap) place(c sweep.CellResult) (x, y float64) {
	x = float64(slices.Index(m.across.Values, c.Settings[m.across.Knob]))
	if m.down != nil {
		y = -float64(slices.Index(m.down.Values, c.Settings[m.down.Knob]))
	}
	return x, y
}

// panel draws a map, and counts the cells by what they say.
func (m heatMap) panel(count map[string]int) panel {
	p := newPanel(m.label, m.across.Knob)
	columns := len(m.across.Values)
	p.X.Min, p.X.Max, p.X.Tick.Marker = -0.5, float64(columns)-0.5, named(m.across.Values, 1)
	p.Y.Min, p.Y.Max, p.Y.Tick.Marker = 0.5-float64(m.rows()), 0.5, plot.ConstantTicks{}
	if m.down != nil {
		p.Y.Tick.Marker = named(m.down.Values, -1)
		p.title = strings.TrimPrefix(m.label+", "+m.down.Knob, ", ")
	}
	for _, c := range m.cells {
		x, y := m.place(c)
		look := lookOf(c, m.metric)
		count[look.says]++
		for _, fill := range []faint{{paper, 1}, look.fill} {
			p.Add(&plotter.Polygon{XYs: []plotter.XYs{box(x, y)}, Color: fill})
		}
		if columns <= 8 || look.ink == loud {
			p.label(look.text(columns), style(look.ink, draw.XCenter, center), x, y, vg.Point{})
		}
	}
	return p
}

// box is the outline of a cell around a point, with a gap to its neighbours.
func box(x, y float64) plotter.XYs {
	const half = 0.47
	return plotter.XYs{{X: x - half, Y: y - half}, {X: x + half, Y: y - half}, {X: x + half, Y: y + half}, {X: x - half, Y: y + half}}
}

// look is how a cell looks, and what it says: the ink of the better server, tie, inconclusive or not valid.
type look struct {
	fill  faint
	ink   ink
	short string
	says  string
}

func lookOf(c sweep.CellResult, metric string) look {
	row, known := c.Row(metric)
	a := advantageOf(row)
	switch {
	case c.Status != sweep.Valid:
		return look{faint{loud, 0.08}, loud, "!", c.Status}
	case !known || !a.known || row.Verdict == stats.Inconclusive:
		return look{faint{grid, 0.6}, soft, "?", stats.Inconclusive}
	case row.Verdict == stats.Tie:
		return look{faint{even, 0.4}, body, "tie", stats.Tie}
	}
	strength := min(1, math.Abs(math.Log(a.ratio))/math.Log(4))
	return look{faint{a.ink(), 0.2 + 0.4*strength}, body, times(a.ratio), row.Verdict}
}

// text is what stands in the cell of a map with that many columns.
func (l look) text(columns int) string {
	if l.ink == loud && columns <= 5 {
		return l.says
	}
	if columns > 6 {
		return strings.TrimSuffix(l.short, "×")
	}
	return l.short
}

// named are ticks at 0, 1, 2, … or 0, −1, −2, … with those labels; of many, those for which there is room.
func named(labels []string, sign float64) plot.ConstantTicks {
	longest := 0
	for _, l := range labels {
		longest = max(longest, len(l))
	}
	every := 1
	if sign > 0 {
		every = max(1, (len(labels)*longest+39)/40)
	}
	var all plot.ConstantTicks
	for i, l := range labels {
		if i%every == 0 {
			all = append(all, plot.Tick{Value: sign * float64(i), Label: l})
		}
	}
	return all
}

func heatSees(s *sweep.Sweep, count map[string]int) string {
	words := []string{}
	for _, name := range s.Servers {
		if n := count[name]; n > 0 {
			words = append(words, fmt.Sprintf("the %s in %d", report.ServerTitle(name), n))
		}
	}
	text := "No cell names a server."
	if len(words) > 0 {
		text = fmt.Sprintf("Of %d cells, named better is %s.", len(s.Cells), strings.Join(words, ", "))
	}
	return text + " Grey is a tie; “?” is inconclusive, “!” not valid."
}

func heatText(grids []heatMap) string {
	var all []string
	for _, m := range grids {
		for _, c := range m.cells {
			l := lookOf(c, m.metric)
			words := l.says
			if l.ink == body && l.says != stats.Tie {
				words += " " + l.short
			}
			all = append(all, sweep.Label(m.knobs, c.Settings)+": "+words)
		}
	}
	return "A map of the grid, each cell with the server that is better there and by how much. " + strings.Join(all, "; ") + "."
}
