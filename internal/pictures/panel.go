package pictures

import (
	"image/color"
	"slices"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/text"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
	"gonum.org/v1/plot/vg/recorder"
)

const (
	// width is that of every picture in pixels: on a phone it fills the screen, on a wide screen three stand side by side.
	width = vg.Length(344)
	// head is the room above a panel for its title.
	head = vg.Length(20)
	// foot is the room between a panel and the title of the next one.
	foot = vg.Length(8)
)

// panel is one pair of axes. Panels of a picture stand below each other, and share their x axis.
type panel struct {
	*plot.Plot
	// title says what goes up the y axis: it stands above, where it can be read without turning one's head. key are words
	// that name inks, to the right of it.
	title string
	key   []word
}

// word is text in an ink.
type word struct {
	string
	ink
}

// newPanel returns axes without a frame: lines across for the ticks of y, a rule below with the ticks of x.
func newPanel(title, below string) panel {
	p := plot.New()
	p.BackgroundColor = nil
	p.X.Label.Text, p.X.Label.TextStyle = below, style(soft, draw.XCenter, draw.YBottom)
	p.X.Label.Padding = 2
	p.X.Tick.Label, p.Y.Tick.Label = style(soft, draw.XCenter, draw.YTop), style(soft, draw.XRight, tickCenter)
	p.X.Tick.LineStyle, p.X.Tick.Length, p.Y.Tick.Length = line(rule, 1), 4, 0
	p.X.LineStyle, p.Y.LineStyle = line(rule, 1), draw.LineStyle{}
	p.X.Padding, p.Y.Padding = 4, 2
	p.Add(&plotter.Grid{Horizontal: line(grid, 1)})
	return panel{Plot: p, title: title}
}

func line(c color.Color, width vg.Length, dashes ...vg.Length) draw.LineStyle {
	return draw.LineStyle{Color: c, Width: width, Dashes: dashes}
}

// curve adds a line through the points.
func (p panel) curve(points plotter.XYs, style draw.LineStyle) {
	p.Add(&plotter.Line{XYs: points, LineStyle: style})
}

// dots adds a mark at each of the points.
func (p panel) dots(c color.Color, shape draw.GlyphDrawer, radius vg.Length, points ...plotter.XY) {
	p.Add(&plotter.Scatter{XYs: points, GlyphStyle: draw.GlyphStyle{Color: c, Radius: radius, Shape: shape}})
}

// mark adds one mark, hollow or full, with a rim of paper that parts it from lines.
func (p panel) mark(c color.Color, hollow bool, at plotter.XY) {
	p.dots(paper, draw.CircleGlyph{}, 5, at)
	p.dots(c, draw.CircleGlyph{}, 3.8, at)
	if hollow {
		p.dots(paper, draw.CircleGlyph{}, 2.2, at)
	}
}

// label adds a text that stands at a point, moved from there.
func (p panel) label(words string, s text.Style, x, y float64, move vg.Point) {
	p.Add(&plotter.Labels{
		XYs: plotter.XYs{{X: x, Y: y}}, Labels: []string{words}, TextStyle: []text.Style{s}, Offset: move,
	})
}

// drawn returns the SVG elements of panels below each other, each of that height.
func drawn(height vg.Length, panels ...panel) (string, error) {
	var canvas recorder.Canvas
	whole := draw.NewCanvas(&canvas, width, height)
	rows := make([][]*plot.Plot, len(panels))
	for i, p := range panels {
		rows[i] = []*plot.Plot{p.Plot}
	}
	tiles := draw.Tiles{Cols: 1, Rows: len(panels), PadTop: head, PadY: head + foot, PadRight: 4, PadLeft: 2, PadBottom: 2}
	for i, at := range plot.Align(rows, tiles, whole) {
		panels[i].Draw(at[0])
		panels[i].above(whole, at[0].Max.Y+head-textSize)
	}
	return encode(canvas.Actions, height)
}

// above writes title and key at that height.
func (p panel) above(c draw.Canvas, y vg.Length) {
	c.FillText(style(soft, draw.XLeft, draw.YBottom), vg.Point{X: 2, Y: y}, p.title)
	at := vg.Point{X: c.Max.X - 2, Y: y}
	for _, w := range slices.Backward(p.key) {
		s := strong(style(w.ink, draw.XRight, draw.YBottom))
		c.FillText(s, at, w.string)
		at.X -= s.Width(w.string) + 14
	}
}
