package pictures

import (
	"fmt"
	"strings"

	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/vg/draw"

	"poolvsloop/internal/report"
	"poolvsloop/internal/results"
)

const memoryTitle = "Memory against idle connections"

// memory is the resident memory of each server with so many idle connections, and the lines whose slopes are the cost of
// one.
func memory(d Data) (Picture, string, error) {
	c := d.Run.Cost
	if c == nil {
		return Picture{}, "costs were not measured, which --cost does", nil
	}
	slopes, why := slopesOf(c)
	if why != "" {
		return Picture{}, why, nil
	}
	p := newPanel("memory of the server (RSS), MiB", "idle connections")
	for i, t := range c.Targets {
		points := readings(t)
		p.key = append(p.key, word{report.ServerTitle(t.Name), inkOf(i)})
		p.curve(through(points, slopes[i].KiB/1024), line(inkOf(i), 1.5))
		p.dots(paper, draw.CircleGlyph{}, 4, points...)
		p.dots(inkOf(i), draw.CircleGlyph{}, 3, points...)
	}
	p.Y.Min, p.Y.Max, p.Y.Tick.Marker = 0, 1.08*p.Y.Max, ticks(4)
	p.X.Min, p.X.Max, p.X.Tick.Marker = 0, 1.02*p.X.Max, ticks(4)
	elements, err := drawn(230, p)
	return Picture{
		Name: "memory", Title: memoryTitle, Sees: memorySees(c, slopes), Text: memoryText(c), height: 230, elements: elements,
	}, "", err
}

// slopesOf are the costs of an idle connection in resident memory, or why there is none.
func slopesOf(c *results.Cost) ([]results.Slope, string) {
	for _, row := range c.Idle {
		if row.Metric == "rss" {
			return []results.Slope{row.ThreadPool, row.EventLoop}, ""
		}
	}
	for _, n := range c.NotMeasured {
		if strings.Contains(n.What, "memory") {
			return nil, n.Why
		}
	}
	return nil, "the memory of idle connections was not measured"
}

// readings are those of a server: connections, and MiB.
func readings(t results.CostTarget) plotter.XYs {
	var all plotter.XYs
	for _, r := range t.Readings {
		all = append(all, plotter.XY{X: float64(r.Connections), Y: float64(r.RSSBytes) / (1 << 20)})
	}
	return all
}

// through is the line of that slope with the least sum of squares: it goes through the mean of the points.
func through(points plotter.XYs, slope float64) plotter.XYs {
	var x, y, most float64
	for _, p := range points {
		x, y, most = x+p.X/float64(len(points)), y+p.Y/float64(len(points)), max(most, p.X)
	}
	return plotter.XYs{{X: 0, Y: y - slope*x}, {X: most, Y: y + slope*(most-x)}}
}

func memorySees(c *results.Cost, slopes []results.Slope) string {
	var all []string
	for i, s := range slopes {
		all = append(all, fmt.Sprintf("%.2f KiB on the %s (%.2f to %.2f)", s.KiB, report.ServerTitle(c.Targets[i].Name), s.CILow, s.CIHigh))
	}
	return "Dots are readings after a collection of garbage; the slope of a line is what one more idle connection takes: " +
		strings.Join(all, ", ") + "."
}

func memoryText(c *results.Cost) string {
	var all []string
	for _, t := range c.Targets {
		var words []string
		for _, p := range readings(t) {
			words = append(words, fmt.Sprintf("%.0f: %.1f", p.X, p.Y))
		}
		all = append(all, report.ServerTitle(t.Name)+" "+strings.Join(words, ", "))
	}
	return "Resident memory in MiB by the number of idle connections. " + strings.Join(all, "; ") + "."
}
