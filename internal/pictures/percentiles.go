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
)

const percentilesTitle = "Response time by percentile"

// percentiles is the response time of each server against the percentile, on an axis that gives each ten times rarer
// request the same room: that of the tail of 1 − q.
func percentiles(d Data) (Picture, string, error) {
	p := newPanel("response time, ms", "percentile: this share of the requests was no slower")
	rarest, curves := 0.1, make([]plotter.XYs, len(d.Run.Targets))
	for i, t := range d.Run.Targets {
		times := pooled(d.Response[t.Name])
		if times == nil {
			return Picture{}, noTimes, nil
		}
		curves[i] = tail(times)
		rarest = min(rarest, curves[i][len(curves[i])-1].X)
		sure, luck := split(curves[i], times.TotalCount())
		p.curve(sure, line(inkOf(i), 2))
		p.curve(luck, line(faint{inkOf(i), 0.6}, 1.2, 3, 3))
	}
	p.X.Scale, p.X.Tick.Marker = plot.InvertedScale{Normalizer: plot.LogScale{}}, percentTicks{}
	p.X.Min, p.X.Max = rarest, 1
	p.upright()
	p.name(d.Run.Targets, curves)
	elements, err := drawn(230, p)
	return Picture{
		Name: "percentiles", Title: percentilesTitle, Sees: percentilesSees(d.Run), Text: percentilesText(d.Run), height: 230,
		elements: elements,
	}, "", err
}

// upright gives the y axis a logarithmic scale when times differ much, and else one that begins where they do.
func (p panel) upright() {
	if p.Y.Max/p.Y.Min > 6 {
		p.Y.Scale, p.Y.Tick.Marker = plot.LogScale{}, logTicks{}
		p.Y.Min, p.Y.Max = roomy(p.Y.Min, p.Y.Max)
		return
	}
	room := (p.Y.Max - p.Y.Min) / 10
	p.Y.Min, p.Y.Max, p.Y.Tick.Marker = p.Y.Min-room, p.Y.Max+room, ticks(4)
}

// percentTicks are 1 − q = 1, ½, ⅒, 1/100, …
type percentTicks struct{}

// Ticks implements [plot.Ticker].
func (percentTicks) Ticks(low, _ float64) []plot.Tick {
	all := []plot.Tick{{Value: 1, Label: "0"}, {Value: 0.5, Label: "50 %"}}
	nines := "90 %"
	for share := 0.1; share >= low*(1-1e-9); share /= 10 {
		all = append(all, plot.Tick{Value: share, Label: nines})
		switch nines {
		case "90 %":
			nines = "99 %"
		case "99 %":
			nines = "99.9 %"
		default:
			nines = strings.Replace(nines, " %", "9 %", 1)
		}
	}
	return all
}

// name writes the servers' names beside two rising curves, where these lie furthest apart: above the upper one, below the
// lower one. Near the axis there is no room for them.
func (p panel) name(targets []results.Target, curves []plotter.XYs) {
	at, most := 0, -1.0
	for i := range min(len(curves[0]), len(curves[1])) {
		if curves[0][i].X > 0.08 || curves[0][i].X < 0.002 {
			continue
		}
		if apart := math.Abs(math.Log(curves[0][i].Y / curves[1][i].Y)); apart > most {
			at, most = i, apart
		}
	}
	for i, t := range targets {
		s, move := style(inkOf(i), draw.XRight, draw.YBottom), vg.Point{X: -3, Y: 4}
		if curves[i][at].Y < curves[1-i][at].Y || curves[0][at].Y == curves[1][at].Y && i == 1 {
			s, move = style(inkOf(i), draw.XLeft, draw.YTop), vg.Point{X: 4, Y: -3}
		}
		p.label(report.ServerTitle(t.Name), strong(s), curves[i][at].X, curves[i][at].Y, move)
	}
}

func percentilesSees(run *results.Run) string {
	a, b := run.Targets[0], run.Targets[1]
	return fmt.Sprintf("Half of the requests took up to %s on the %s and %s on the %s; the slowest one in a hundred took longer than "+
		"%s and %s.", millis(a.Total.P50MS), report.ServerTitle(a.Name), millis(b.Total.P50MS), report.ServerTitle(b.Name), millis(a.Total.P99MS),
		millis(b.Total.P99MS))
}

func percentilesText(run *results.Run) string {
	var all []string
	for _, t := range run.Targets {
		f := t.Total
		all = append(all, fmt.Sprintf("%s: p50 %s, p90 %s, p99 %s, p99.9 %s, longest %s", report.ServerTitle(t.Name), millis(f.P50MS), millis(f.P90MS),
			millis(f.P99MS), millis(f.P999MS), millis(f.MaxMS)))
	}
	return "Curves of response time over percentile, on a logarithmic axis of rarity. " + strings.Join(all, ". ") + "."
}

// millis prints a time in three or four digits.
func millis(v float64) string {
	switch {
	case v >= 100:
		return fmt.Sprintf("%.0f ms", v)
	case v >= 10:
		return fmt.Sprintf("%.1f ms", v)
	}
	return fmt.Sprintf("%.2f ms", v)
}
