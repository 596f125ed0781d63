package sweep

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"

	"poolvsloop/internal/results"
	"poolvsloop/internal/stats"
)

// Crossing is a place along a knob at which another server begins to be ahead in goodput, the other knobs unchanged.
type Crossing struct {
	Knob string `json:"knob"`
	// Settings are those of the other knobs.
	Settings map[string]string `json:"settings"`
	// From and To are who is ahead below and above: a server, or tie for none that the rounds tell from the other.
	From string `json:"from"`
	To   string `json:"to"`
	// Level is the ratio, event loop over thread pool, that is crossed there: 1, or where one side is a tie its margin.
	Level results.Number `json:"level"`
	// At is where the line between the ratios of the cells crosses 1 (of the logarithms), CILow and CIHigh its 95 %
	// interval over resampled rounds; a time is in seconds. Unknown when there is none, and where a tie ends or begins.
	At     results.Number `json:"at"`
	CILow  results.Number `json:"ci_low"`
	CIHigh results.Number `json:"ci_high"`
	// Above and Below are the values of the knob between which it lies.
	Above results.Number `json:"above"`
	Below results.Number `json:"below"`
	// Note says why there is no crossing, or no interval, or "".
	Note string `json:"note"`
}

// crossings are those along a knob, one entry at least for each line.
func (s *Sweep) crossings(knob string) []Crossing {
	all := []Crossing{}
	for i, l := range s.lines(knob) {
		all = append(all, s.crossingsOf(l, knob, rand.New(rand.NewPCG(s.Seed, uint64(i))))...)
	}
	return all
}

// ratios are those of a line, as logarithms, with the rounds that they come from.
type ratios struct {
	xs, us []float64      // value of the knob, its place on the axis
	ys     []float64      // logarithm of event loop over thread pool
	pairs  [][2][]float64 // logarithms of the rounds of both
	// leads are who is ahead: 0 the first server, 1 the second one, [nobody].
	leads []int
	log   bool
}

// nobody is the lead of a cell whose rounds tell neither server from the other.
const nobody = -1

func (s *Sweep) crossingsOf(l line, knob string, random *rand.Rand) []Crossing {
	none := Crossing{
		Knob: knob, Settings: l.settings, From: stats.Tie, To: stats.Tie, Level: results.Unknown, At: results.Unknown,
		CILow: results.Unknown, CIHigh: results.Unknown, Above: results.Unknown, Below: results.Unknown,
	}
	r := s.ratiosOf(l)
	if len(r.ys) < 2 {
		none.Note = "too few cells that are valid"
		return []Crossing{none}
	}
	var found []Crossing
	for _, t := range transitions(r.leads) {
		c := none
		c.From, c.To = s.leader(r.leads[t.from]), s.leader(r.leads[t.to])
		c.Above, c.Below = results.Number(r.xs[t.from]), results.Number(r.xs[t.to])
		c.place(r, t, s.margin(), random)
		found = append(found, c)
	}
	if len(found) > 0 {
		return found
	}
	none.From, none.To = s.leader(r.leads[0]), s.leader(r.leads[0])
	none.Note = fmt.Sprintf("none from %g to %g", l.xs[0], l.xs[len(l.xs)-1])
	return []Crossing{none}
}

// leader is the name of who is ahead.
func (s *Sweep) leader(lead int) string {
	if lead == nobody {
		return stats.Tie
	}
	return s.Servers[lead]
}

// margin is the difference that is taken for none, as a logarithm.
func (s *Sweep) margin() float64 { return math.Log1p(s.Margin) }

// ratiosOf takes the ratios of a line. Cells without answers are left out.
func (s *Sweep) ratiosOf(l line) ratios {
	r := ratios{log: l.xs[0] > 0}
	for i, c := range l.cells {
		pair := [2][]float64{c.goodputs(0), c.goodputs(1)}
		row, ok := c.Row("goodput")
		if !ok || slices.Min(pair[0]) <= 0 || slices.Min(pair[1]) <= 0 {
			continue
		}
		pair = [2][]float64{logarithms(pair[0]), logarithms(pair[1])}
		r.xs, r.us, r.ys = append(r.xs, l.xs[i]), append(r.us, r.scale(l.xs[i])), append(r.ys, logRatio(pair))
		r.pairs = append(r.pairs, pair)
		lead := slices.Index(s.Servers, row.Verdict)
		if math.Abs(r.ys[len(r.ys)-1]) <= s.margin() {
			lead = nobody
		}
		r.leads = append(r.leads, lead)
	}
	return r
}

// scale is where a value lies on the axis; numbers above 0 on one of logarithms, since grids double them.
func (r ratios) scale(x float64) float64 {
	if r.log {
		return math.Log(x)
	}
	return x
}

func (r ratios) unscale(u float64) float64 {
	if r.log {
		return math.Exp(u)
	}
	return u
}

// logRatio is the median of the ratios of every round of the second server to every one of the first; it takes and returns
// logarithms.
func logRatio(pair [2][]float64) float64 {
	all := make([]float64, 0, len(pair[0])*len(pair[1]))
	for _, a := range pair[0] {
		for _, b := range pair[1] {
			all = append(all, b-a)
		}
	}
	return middle(all)
}

func logarithms(xs []float64) []float64 {
	logs := make([]float64, len(xs))
	for i, x := range xs {
		logs[i] = math.Log(x)
	}
	return logs
}

// transition is a change of the lead between two cells of a line.
type transition struct{ from, to int }

// transitions are the changes of the lead. Cells that nobody leads count at the ends of a line alone: between two cells
// with one leader they are noise, and between two with different ones the lead passes through them.
func transitions(leads []int) []transition {
	var all []transition
	last := nobody
	for i, lead := range leads {
		if lead == nobody {
			continue
		}
		switch {
		case last == nobody && i > 0:
			all = append(all, transition{i - 1, i})
		case last != nobody && leads[last] != lead:
			all = append(all, transition{last, i})
		}
		last = i
	}
	if last != nobody && last < len(leads)-1 {
		all = append(all, transition{last, last + 1})
	}
	return all
}

// place finds where the ratio crosses its level in a transition, and the interval. Where a tie ends it is only known
// between which cells: a pool that fills up makes a bend there, and no line between two cells sees that.
func (c *Crossing) place(r ratios, t transition, margin float64, random *rand.Rand) {
	switch {
	case r.leads[t.to] == nobody:
		c.Level = results.Number(math.Exp(math.Copysign(margin, r.ys[t.from])))
		return
	case r.leads[t.from] == nobody:
		c.Level = results.Number(math.Exp(math.Copysign(margin, r.ys[t.to])))
		return
	}
	c.Level = 1
	rises := r.ys[t.to] > r.ys[t.from]
	at, _ := nearest(r.us, r.ys, rises, (r.us[t.from]+r.us[t.to])/2)
	c.At = results.Number(r.unscale(at))
	c.bound(r, rises, at, random)
}

// bound sets the interval: where resampled rounds cross 1, nearest to at. It stays open when more than the share that an
// interval leaves out do not cross at all.
func (c *Crossing) bound(r ratios, rises bool, at float64, random *rand.Rand) {
	fewest := math.MaxInt
	for _, pair := range r.pairs {
		fewest = min(fewest, len(pair[0]), len(pair[1]))
	}
	if fewest < leastRounds {
		c.Note = fmt.Sprintf("an interval needs %d rounds", leastRounds)
		return
	}
	var places []float64
	for range resamples {
		ys := make([]float64, len(r.pairs))
		for i, pair := range r.pairs {
			ys[i] = logRatio([2][]float64{resample(random, pair[0]), resample(random, pair[1])})
		}
		if u, ok := nearest(r.us, ys, rises, at); ok {
			places = append(places, r.unscale(u))
		}
	}
	if share := float64(len(places)) / resamples; share < confidence {
		c.Note = fmt.Sprintf("no interval: only %.0f %% of resampled rounds cross there", 100*share)
		return
	}
	c.CILow, c.CIHigh = interval(places, fewest)
}

// nearest is the place, nearest to at, where the line through the points crosses 0 in that direction.
func nearest(us, ys []float64, rises bool, at float64) (place float64, ok bool) {
	for i := 1; i < len(us); i++ {
		a, b := ys[i-1], ys[i]
		if !rises {
			a, b = -a, -b
		}
		if a > 0 || b <= 0 {
			continue
		}
		u := us[i-1] + (us[i]-us[i-1])*a/(a-b)
		if !ok || math.Abs(u-at) < math.Abs(place-at) {
			place, ok = u, true
		}
	}
	return place, ok
}
