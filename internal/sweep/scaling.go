package sweep

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"

	"poolvsloop/internal/results"
)

// concurrency is the knob along which servers scale.
const concurrency = "concurrency"

// Scaling is how a server's throughput goes with the number of clients, the other knobs unchanged.
type Scaling struct {
	Server string `json:"server"`
	// Settings are those of the other knobs.
	Settings map[string]string `json:"settings"`
	Points   []ScalingPoint    `json:"points"`
	Knee     Knee              `json:"knee"`
	USL      USL               `json:"usl"`
}

// ScalingPoint is one number of clients.
type ScalingPoint struct {
	Cell        int `json:"cell"`
	Concurrency int `json:"concurrency"`
	// GoodputRPS is the median over the rounds, MeanMS the mean response time.
	GoodputRPS float64 `json:"goodput_rps"`
	MeanMS     float64 `json:"mean_ms"`
	// FittedRPS is what the scalability law says, Residual how far the measured goodput is off, relative to that.
	FittedRPS results.Number `json:"fitted_rps"`
	Residual  results.Number `json:"residual"`
	// LeftOut says why the point is in no fit, "" when it is.
	LeftOut string `json:"left_out"`
}

// Knee is the number of clients from which on requests must queue: the throughput of few clients, continued in proportion,
// meets the highest one (P. J. Denning, J. P. Buzen, The Operational Analysis of Queueing Network Models, 1978).
type Knee struct {
	Clients results.Number `json:"clients"`
	CILow   results.Number `json:"ci_low"`
	CIHigh  results.Number `json:"ci_high"`
	// Note says why there is none, or "".
	Note string `json:"note"`
}

// USL is the universal scalability law that fits a server. What was refused has no figures.
type USL struct {
	Lambda Estimate `json:"lambda_rps"`
	Sigma  Estimate `json:"sigma"`
	Kappa  Estimate `json:"kappa"`
	// PeakClients have the highest throughput by the law, PeakRPS; unknown when the law has no peak.
	PeakClients results.Number `json:"peak_clients"`
	PeakRPS     results.Number `json:"peak_rps"`
	// WorstResidual is the largest relative residual.
	WorstResidual results.Number `json:"worst_residual"`
	// Refused says why the law is not taken for that of the server, "" when it is.
	Refused string `json:"refused"`
}

// Estimate is a figure with its 95 % interval over resampled rounds.
type Estimate struct {
	Value  results.Number `json:"value"`
	CILow  results.Number `json:"ci_low"`
	CIHigh results.Number `json:"ci_high"`
}

const (
	// leastPoints is how many numbers of clients a fit of three parameters needs.
	leastPoints = 6
	// mostResidual is the relative residual above which the law is not the shape of a server.
	mostResidual = 0.05
	// flat is the relative difference below which throughputs, or those of each client, are taken for equal.
	flat = 0.1
)

// scaling says how each server scales along the number of clients.
func (s *Sweep) scaling() []Scaling {
	all := []Scaling{}
	for _, l := range s.lines(concurrency) {
		for server, name := range s.Servers {
			random := rand.New(rand.NewPCG(s.Seed, uint64(len(all))))
			all = append(all, scalingOf(l, server, name, random))
		}
	}
	return all
}

// curve is the throughput of a server by the number of clients, in rising order, with that of each round.
type curve struct {
	ns, xs []float64
	rounds [][]float64
}

func scalingOf(l line, server int, name string, random *rand.Rand) Scaling {
	s := Scaling{Server: name, Settings: l.settings, Points: []ScalingPoint{}}
	var c curve
	for i, cell := range l.cells {
		goodputs := cell.goodputs(server)
		p := ScalingPoint{
			Cell: cell.Cell, Concurrency: int(l.xs[i]), GoodputRPS: middle(slices.Clone(goodputs)), MeanMS: cell.Servers[server].Total.MeanMS,
			FittedRPS: results.Unknown, Residual: results.Unknown,
		}
		switch {
		case !cell.clean(server):
			p.LeftOut = "requests failed or were rejected"
		case slices.Min(goodputs) <= 0:
			p.LeftOut = "a round had no answer"
		default:
			c.ns, c.xs, c.rounds = append(c.ns, l.xs[i]), append(c.xs, p.GoodputRPS), append(c.rounds, goodputs)
		}
		s.Points = append(s.Points, p)
	}
	s.Knee = c.knee(random)
	s.USL = c.usl(random, s.Points)
	return s
}

// drawn is the curve of resampled rounds.
func (c curve) drawn(random *rand.Rand) curve {
	d := curve{ns: c.ns}
	for _, rounds := range c.rounds {
		d.xs = append(d.xs, middle(resample(random, rounds)))
	}
	return d
}

// fewest is the smallest number of rounds of a point.
func (c curve) fewest() int {
	least := math.MaxInt
	for _, rounds := range c.rounds {
		least = min(least, len(rounds))
	}
	return least
}

// each is the throughput of one client at point i.
func (c curve) each(i int) float64 { return c.xs[i] / c.ns[i] }

// proportional says that throughput grows with the clients to the end.
func (c curve) proportional() bool { return c.each(len(c.ns)-1) >= (1-flat)*c.each(0) }

// level says that throughput is the same all along.
func (c curve) level() bool { return slices.Min(c.xs) >= (1-flat)*slices.Max(c.xs) }

func (c curve) knee(random *rand.Rand) Knee {
	k := Knee{Clients: results.Unknown, CILow: results.Unknown, CIHigh: results.Unknown}
	last := len(c.ns) - 1
	switch {
	case len(c.ns) < 3:
		k.Note = fmt.Sprintf("%d numbers of clients: a knee needs 3", len(c.ns))
	case c.proportional():
		k.Note = fmt.Sprintf("none up to %g clients: throughput still grows in proportion", c.ns[last])
	case c.level():
		k.Note = fmt.Sprintf("below %g clients: the fewest already have the throughput of the most", c.ns[0])
	default:
		k.Clients = results.Number(c.kneeAt())
		k.CILow, k.CIHigh = c.spread(random, curve.kneeAt)
	}
	return k
}

func (c curve) kneeAt() float64 { return slices.Max(c.xs) / c.each(0) }

// spread is the interval of a figure over resampled rounds; unknown with too few rounds.
func (c curve) spread(random *rand.Rand, figure func(curve) float64) (low, high results.Number) {
	var all []float64
	for range resamples {
		all = append(all, figure(c.drawn(random)))
	}
	return interval(all, c.fewest())
}

// usl fits the law and enters the residuals of the points that it was fitted to.
func (c curve) usl(random *rand.Rand, points []ScalingPoint) USL {
	none := Estimate{results.Unknown, results.Unknown, results.Unknown}
	u := USL{
		Lambda: none, Sigma: none, Kappa: none, PeakClients: results.Unknown, PeakRPS: results.Unknown, WorstResidual: results.Unknown,
	}
	if u.Refused = c.unfit(); u.Refused != "" {
		return u
	}
	l, ok := fit(c.ns, c.xs, begins(c.ns[len(c.ns)-1]))
	if !ok {
		u.Refused = "the search for it did not end"
		return u
	}
	for i, p := range points {
		if p.LeftOut == "" {
			fitted := l.at(float64(p.Concurrency))
			points[i].FittedRPS, points[i].Residual = results.Number(fitted), results.Number(p.GoodputRPS/fitted-1)
		}
	}
	worst := l.worst(c.ns, c.xs)
	u.WorstResidual = results.Number(worst)
	if worst > mostResidual {
		u.Refused = fmt.Sprintf("it is off by up to %.0f %%, bound %.0f %%: the throughput has another shape, as that of a pool that is "+
			"flat above its knee", 100*worst, 100*mostResidual)
		return u
	}
	u.take(c, l, random)
	return u
}

// unfit says why no law is fitted to the curve, or "".
func (c curve) unfit() string {
	switch {
	case len(c.ns) < leastPoints:
		return fmt.Sprintf("%d points: three parameters need %d", len(c.ns), leastPoints)
	case c.proportional():
		return "throughput grows in proportion to the clients to the end: nothing bends it yet"
	case c.level():
		return "throughput is the same all along: take fewer clients, too"
	}
	return ""
}

// take enters the law with its intervals.
func (u *USL) take(c curve, l law, random *rand.Rand) {
	var drawn [3][]float64
	if c.fewest() >= leastRounds {
		for range resamples {
			d := c.drawn(random)
			if other, ok := fit(d.ns, d.xs, []law{l}); ok {
				drawn[0], drawn[1], drawn[2] = append(drawn[0], other.lambda), append(drawn[1], other.sigma), append(drawn[2], other.kappa)
			}
		}
	}
	for i, e := range []struct {
		into  *Estimate
		value float64
	}{{&u.Lambda, l.lambda}, {&u.Sigma, l.sigma}, {&u.Kappa, l.kappa}} {
		e.into.Value = results.Number(e.value)
		e.into.CILow, e.into.CIHigh = interval(drawn[i], c.fewest())
	}
	if peak := l.peak(); !math.IsInf(peak, 0) {
		u.PeakClients, u.PeakRPS = results.Number(peak), results.Number(l.at(peak))
	}
}
