package sweep

import "math"

// Search looks for the most load under which each server keeps its bounds.
type Search struct {
	// Over is the knob that says how much load there is: rate (an open loop) or concurrency (a closed one).
	Over string `json:"over"`
	// Conditions are the bounds, all of which must hold, as internal/expr reads them.
	Conditions []string `json:"conditions"`
	// From and To bound the search.
	From float64 `json:"from"`
	To   float64 `json:"to"`
	// Steps is how many measurements there are at most in each cell.
	Steps int `json:"steps"`
}

// precise is the ratio of the load that is kept to the one that is not from which on a search is over.
const precise = 1.05

// Outcomes of a step for one server.
const (
	// Kept: the bounds hold.
	Kept = "kept"
	// Broken: one does not.
	Broken = "broken"
	// Unknown: the measurement says nothing of it.
	Unknown = "unknown"
)

// Step is a load that was tried, and what came of it for each server.
type Step struct {
	Load     float64
	Outcomes [2]string
}

// Bracket is what the steps say of one server; 0 is not known.
type Bracket struct {
	// Broken is the lowest load that was not kept, Kept the highest one below that was, and Unknown the lowest one between
	// the two of which two measurements said nothing.
	Kept, Broken, Unknown float64
}

// above is the load that is known, or feared, to be too much; 0 when there is none.
func (b Bracket) above() float64 {
	if b.Unknown > 0 {
		return b.Unknown
	}
	return b.Broken
}

// mostUnknown is how often a load is tried of which measurements say nothing.
const mostUnknown = 2

// BracketOf sums up the steps for a server.
func BracketOf(steps []Step, server int) (b Bracket) {
	for _, s := range steps {
		if s.Outcomes[server] == Broken && (b.Broken == 0 || s.Load < b.Broken) {
			b.Broken = s.Load
		}
	}
	for _, s := range steps {
		if s.Outcomes[server] == Kept && (b.Broken == 0 || s.Load < b.Broken) {
			b.Kept = max(b.Kept, s.Load)
		}
	}
	nothing := map[float64]int{}
	for _, s := range steps {
		if s.Outcomes[server] != Unknown || s.Load <= b.Kept || b.Broken > 0 && s.Load >= b.Broken {
			continue
		}
		if nothing[s.Load]++; nothing[s.Load] == mostUnknown && (b.Unknown == 0 || s.Load < b.Unknown) {
			b.Unknown = s.Load
		}
	}
	return b
}

// Next is the load of the next step, and false when the search is over: both brackets are narrow, or at the bounds of the
// search, or there were as many steps as are allowed. From the lowest load on it doubles until a server breaks its bounds,
// and halves the brackets, as ratios, then. Each step is of both servers; the one with the wider bracket says where.
func (s Search) Next(steps []Step) (load float64, more bool) {
	if len(steps) >= s.Steps {
		return 0, false
	}
	if len(steps) == 0 {
		return s.From, true
	}
	widest := 1.0
	for server := range 2 {
		candidate, width := s.next(BracketOf(steps, server))
		if width > widest {
			load, widest = candidate, width
		}
	}
	return load, widest > 1
}

// next is the load that one server needs, and how wide its bracket is: 1 when it needs none.
func (s Search) next(b Bracket) (load, width float64) {
	switch {
	case b.above() == 0 && b.Kept == 0: // a first measurement that said nothing
		return s.From, math.Inf(1)
	case b.above() == 0 && b.Kept >= s.To, b.Kept == 0: // all is kept, or nothing
		return 0, 1
	case b.above() == 0:
		return min(s.To, s.step(2*b.Kept)), math.Inf(1)
	case b.above() <= precise*b.Kept:
		return 0, 1
	}
	load = s.step(math.Sqrt(b.Kept * b.above()))
	if load <= b.Kept || load >= b.above() {
		return 0, 1
	}
	return load, b.above() / b.Kept
}

// step is a load as it is written: a whole number.
func (s Search) step(load float64) float64 { return math.Round(load) }
