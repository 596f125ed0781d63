package pictures

import (
	"fmt"
	"math"
	"strings"
	"time"

	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/vg/draw"

	"poolvsloop/internal/report"
	"poolvsloop/internal/results"
)

const courseTitle = "Second by second"

// course is throughput and response time of each second of each round, in the order in which they were measured.
func course(d Data) (Picture, string, error) {
	rate, wait := newPanel("answers 2xx per second", ""), newPanel("response time, ms: median, and p99 (thin)", "seconds since the first round began")
	seconds := 0
	for i, t := range d.Run.Targets {
		rate.key = append(rate.key, word{report.ServerTitle(t.Name), inkOf(i)})
		for n, s := range t.Series {
			if n >= len(t.Rounds) || n >= len(d.Response[t.Name]) {
				continue
			}
			begin := d.Response[t.Name][n].Start.Sub(d.began()).Seconds()
			seconds += len(s.Seconds)
			rate.rates(s, begin, t.Rounds[n].DurationS, inkOf(i))
			wait.times(s, begin, inkOf(i))
		}
	}
	if seconds == 0 {
		return Picture{}, "the seconds of the rounds were not kept", nil
	}
	for _, p := range []panel{rate, wait} {
		p.X.Min, p.X.Max, p.X.Tick.Marker = 0, d.lasted(), ticks(6)
	}
	rate.Y.Min, rate.Y.Max, rate.Y.Tick.Marker = 0, 1.05*rate.Y.Max, ticks(3)
	wait.upright()
	elements, err := drawn(290, rate, wait)
	return Picture{
		Name: "seconds", Title: courseTitle, Sees: "Each piece is one round; the servers take turns. A level line is a steady state, a slope a " +
			"warm-up or a drift, a notch a stall.",
		Text: courseText(d.Run), height: 290, elements: elements,
	}, "", err
}

// began is when the first round began, lasted the time from then to the end of the last one, in seconds.
func (d Data) began() time.Time {
	var began time.Time
	for _, t := range d.Run.Targets {
		for _, r := range d.Response[t.Name] {
			if began.IsZero() || r.Start.Before(began) {
				began = r.Start
			}
		}
	}
	return began
}

func (d Data) lasted() float64 {
	last := 0.0
	for _, t := range d.Run.Targets {
		for _, r := range d.Response[t.Name] {
			last = max(last, r.End.Sub(d.began()).Seconds())
		}
	}
	return last
}

// shortest is the length in seconds below which what is left of a round makes no rate.
const shortest = 0.25

// rates adds the answers of each second of a round, and a cross where requests failed.
func (p panel) rates(s results.Series, begin, duration float64, c ink) {
	var points, failed plotter.XYs
	for _, second := range s.Seconds {
		length := min(1, duration-float64(second.Second))
		if length < shortest && len(points) > 0 {
			continue
		}
		at := plotter.XY{X: begin + float64(second.Second) + length/2, Y: float64(second.OK2xx) / max(length, shortest)}
		points = append(points, at)
		if second.Failed > 0 || second.Answered > second.OK2xx {
			failed = append(failed, at)
		}
	}
	p.piece(points, c)
	if len(failed) > 0 {
		p.dots(loud, draw.CrossGlyph{}, 2.5, failed...)
	}
}

// times adds median and p99 of each second of a round.
func (p panel) times(s results.Series, begin float64, c ink) {
	var median, high plotter.XYs
	for _, second := range s.Seconds {
		x := begin + float64(second.Second) + 0.5
		if v := float64(second.P50MS); sound(v) {
			median = append(median, plotter.XY{X: x, Y: v})
		}
		if v := float64(second.P99MS); sound(v) {
			high = append(high, plotter.XY{X: x, Y: v})
		}
	}
	p.piece(median, c)
	if len(high) > 1 {
		p.curve(high, line(faint{c, 0.7}, 0.8))
	}
}

// piece draws a line; a single point has a mark.
func (p panel) piece(points plotter.XYs, c ink) {
	switch len(points) {
	case 0:
	case 1:
		p.dots(c, draw.CircleGlyph{}, 2, points[0])
	default:
		p.curve(points, line(c, 2))
	}
}

func courseText(run *results.Run) string {
	var all []string
	for _, t := range run.Targets {
		low, high := math.Inf(1), 0.0
		for _, r := range t.Rounds {
			low, high = min(low, r.GoodputRPS), max(high, r.GoodputRPS)
		}
		all = append(all, fmt.Sprintf("%s: %.0f to %.0f answers 2xx per second in %d rounds", report.ServerTitle(t.Name), low, high, len(t.Rounds)))
	}
	return "Throughput above, median and p99 of the response time below, of each second of each round. " + strings.Join(all, "; ") + "."
}
