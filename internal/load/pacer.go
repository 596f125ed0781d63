package load

import (
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"time"
)

// MaxRate bounds the rates of a [Plan], in arrivals a second.
const MaxRate = 1e7

// Stage is a stretch of a [Plan] in which the rate goes evenly from From to To, in arrivals a second.
type Stage struct {
	From, To float64
	For      time.Duration
}

// Plan is the rate of an open loop over time: stages, one after another. Only the last may have For 0: it has no end
// and one rate. A plan is a value without a clock: [Plan.When] is all there is to it.
type Plan []Stage

// Steady is the plan of one rate without end.
func Steady(rate float64) Plan { return Plan{{From: rate, To: rate}} }

// Validate says all that is wrong with the plan, or nil.
func (p Plan) Validate() error {
	var all []error
	if len(p) == 0 {
		return errors.New("a plan needs a stage")
	}
	length := time.Duration(0)
	for i, s := range p {
		rates := []float64{s.From, s.To}
		if s.From == s.To {
			rates = rates[:1]
		}
		for _, rate := range rates {
			if !(rate >= 0 && rate <= MaxRate) {
				all = append(all, fmt.Errorf("stage %d: rate %g is not in 0 to %g", i+1, rate, float64(MaxRate)))
			}
		}
		switch last := i == len(p)-1; {
		case s.For < 0:
			all = append(all, fmt.Errorf("stage %d: its time %s is below 0", i+1, s.For))
		case s.For > MaxDuration-length:
			all = append(all, fmt.Errorf("stage %d: its time %s brings the plan above %s", i+1, s.For, MaxDuration))
		case s.For == 0 && !last:
			all = append(all, fmt.Errorf("stage %d has no end, but is not the last", i+1))
		case s.For == 0 && s.From != s.To:
			all = append(all, fmt.Errorf("stage %d has no end, but goes from %g to %g", i+1, s.From, s.To))
		}
		length = min(MaxDuration, length+min(MaxDuration, max(0, s.For)))
	}
	if p.Arrivals() == 0 {
		all = append(all, errors.New("a plan with the rate 0 everywhere has no arrivals"))
	}
	return errors.Join(all...)
}

// Length is the time from start to end, 0 for a plan without end.
func (p Plan) Length() time.Duration {
	var sum time.Duration
	for _, s := range p {
		if s.For == 0 {
			return 0
		}
		sum += s.For
	}
	return sum
}

// Arrivals is the expected number of arrivals, +Inf for a plan without end.
func (p Plan) Arrivals() float64 {
	sum := 0.0
	for _, s := range p {
		sum += s.arrivals()
	}
	return sum
}

// arrivals is the expected number of arrivals of the stage: the area below its rate.
func (s Stage) arrivals() float64 {
	if s.For == 0 && s.To > 0 {
		return math.Inf(1)
	}
	return (s.From + s.To) / 2 * s.For.Seconds()
}

// When returns the time from the start at which x arrivals are to be expected; ok is false when the plan ends, or 292
// years pass, first. With the rates a and b of a stage, its time T, and x counted from its start:
//
//	x = a·t + (b−a)·t²/2T    so    t = 2x / (a + √(a² + 2x(b−a)/T))
//
// Whole numbers x give evenly spaced arrivals; the partial sums of exponential variables with mean 1 give those of a
// Poisson process with the plan's rate (D. R. Cox, P. A. W. Lewis, The Statistical Analysis of Series of Events, 1966,
// §2.3).
func (p Plan) When(x float64) (at time.Duration, ok bool) {
	for _, s := range p {
		n := s.arrivals()
		if !(x < n) {
			x -= n
			at += s.For
			continue
		}
		slope := 0.0
		if s.For > 0 {
			slope = (s.To - s.From) / s.For.Seconds()
		}
		t := 0.0
		if x > 0 {
			t = 2 * x / (s.From + math.Sqrt(max(0, s.From*s.From+2*x*slope)))
		}
		ns := t * float64(time.Second)
		if !(ns < float64(math.MaxInt64-at)) {
			return 0, false
		}
		return at + time.Duration(ns), true
	}
	return 0, false
}

// Arrivals is when an open loop starts its requests, whatever became of earlier ones.
type Arrivals struct {
	Plan Plan
	// Poisson makes the arrivals independent of each other; without it they are evenly spaced.
	Poisson bool
	// Seed makes another Poisson process of the same rate.
	Seed uint64
}

// pacer tells one loop of several when its next arrival is due. All loops go through the same arrivals; each takes
// every strideth, so that their sum does not depend on their number.
type pacer struct {
	plan   Plan
	gaps   *rand.Rand // nil for even spacing
	number int        // of the arrival that is due next
	stride int
	x      float64
	until  time.Duration // arrivals are due before it; 0 without a bound

	due  int64 // ns since the run's start
	more bool  // there is such an arrival
}

func newPacer(a Arrivals, first, stride int, until time.Duration) pacer {
	p := pacer{plan: a.Plan, number: first, stride: stride, until: until}
	if a.Poisson {
		p.gaps = rand.New(rand.NewPCG(a.Seed, 0))
	}
	p.seek(first + 1)
	return p
}

// advance goes to the next arrival.
func (p *pacer) advance() {
	p.number += p.stride
	p.seek(p.stride)
}

// seek computes when the arrival is due that comes so many after the last one.
func (p *pacer) seek(steps int) {
	if p.gaps == nil {
		p.x = float64(p.number)
	} else {
		for range steps {
			p.x += p.gaps.ExpFloat64()
		}
	}
	at, ok := p.plan.When(p.x)
	p.due, p.more = int64(at), ok && (p.until == 0 || at < p.until)
}
