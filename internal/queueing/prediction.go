package queueing

import (
	"fmt"
	"math"
)

// Prediction is what a server should do. What cannot be predicted is NaN.
type Prediction struct {
	// Model names where throughput and mean come from; the percentiles come from a simulation.
	Model string
	// Throughput is of requests that are served, per second. Mean and percentiles are response times in seconds.
	Throughput, Mean, P50, P90, P99 float64
	// Busy is the mean number of requests in service (for a pool, its busy workers), Queue of those that wait for a
	// worker; Blocked the share of requests that are rejected.
	Busy, Queue, Blocked float64
	// Bounds are all that limits the throughput, the one that holds first.
	Bounds []Bound
	// Knee is the number of clients from which on requests queue.
	Knee float64
	// Weak says why the prediction may be off, as far as is known before.
	Weak []string
}

// Models of a prediction.
const (
	modelFESC = "flow-equivalent server" // closed; or open with workers that share the cores
	modelDES  = "simulation"
	modelOpen = "M/M/c/K"
)

// Predict derives the prediction. It takes some 50 ms, for the simulation.
func Predict(in Inputs) Prediction {
	p := Means(in)
	if math.IsNaN(p.Mean) {
		p.P50, p.P90, p.P99 = p.Mean, p.Mean, p.Mean
		return p
	}
	in, _, _ = in.normal()
	s := in.simulation().Run()
	p.P50, p.P90, p.P99 = s.Percentile(0.5).Seconds(), s.Percentile(0.9).Seconds(), s.Percentile(0.99).Seconds()
	if scv := in.service().scv(); in.Clients == 0 && in.Workers != Unlimited && (in.Evenly || scv < 0.9 || scv > 1.1) {
		p.Model = modelDES
		p.take(State{s.Throughput(), s.Blocked(), s.Inside, s.Queue, s.Mean.Seconds(), 0})
	}
	return p
}

// Means predicts all but the percentiles, by formulas alone: it takes well below a millisecond. Of a closed loop it says
// the same as [Predict]; of an open loop on a pool, with even arrivals or a service that is not exponential, Predict takes
// the simulation's figures.
func Means(in Inputs) Prediction {
	in, unserved, rejected := in.normal()
	s := in.service()
	offered := in
	offered.Clients += rejected
	p := Prediction{Model: modelFESC, Bounds: Sorted(offered.bounds(s)), Knee: math.NaN()}
	if ceiling, found := Ceiling(p.Bounds); found {
		p.Knee = Knee(s.alone(), in.Think.Seconds(), ceiling)
	}
	p.Weak = in.weaknesses(s, p.Bounds[0])
	if unserved > 0 {
		p.Weak = append(p.Weak, fmt.Sprintf("%d clients wait for a worker that keeps another connection: they are left out",
			unserved))
	}
	if in.Clients > 0 {
		p.closed(in, s)
	} else {
		p.open(in, s)
	}
	if rejected > 0 {
		p.Blocked = math.NaN()
		p.Weak = append(p.Weak, fmt.Sprintf("%d clients have no place: how often they are rejected depends on how fast that "+
			"is, and what it costs the processors is left out", rejected))
	}
	return p
}

// Bounds are all that limits the throughput, the one that holds first in front. Clients that have no place in the system
// are left out.
func (in Inputs) Bounds() []Bound {
	in, _, _ = in.normal()
	return Sorted(in.bounds(in.service()))
}

// bounds are the limits of the throughput.
func (in Inputs) bounds(s service) []Bound {
	alone := "S+D"
	if in.OtherCPU > 0 {
		alone += "+D'"
	}
	bounds := []Bound{{"λ", "the arrivals", in.Rate, true}}
	if in.Clients > 0 {
		bounds[0] = Bound{"c/(Z+" + alone + ")", "the clients", float64(in.Clients) / (in.Think.Seconds() + s.alone()), true}
	}
	if in.Workers != Unlimited {
		name, means := "N/", "the workers"
		switch {
		case in.Blocking:
			name, means = "loops/", "the loops, which block"
		case in.Loops > 0:
			name, means = "max-inflight/", "the requests let in"
		}
		bounds = append(bounds, Bound{name + "(" + alone + ")", means, float64(in.Workers) / s.alone(), false})
	}
	if in.CPU > 0 && in.Loops > 0 {
		bounds = append(bounds, Bound{"loops/D", "the loops", float64(in.cores()) / in.CPU.Seconds(), false})
	}
	if s.cpu > 0 {
		bounds = append(bounds, Bound{"m/(D+D')", "the processors, all programs of the lab together", float64(in.Cores) / s.cpu, false})
	}
	return bounds
}

// heavyTail is the squared coefficient of variation above which the formulas are far off, and nearSaturation the share
// of the ceiling above which small errors of D are large ones of the result.
const (
	heavyTail      = 2
	nearSaturation = 0.8
)

// weaknesses are what is known to make predictions of such a system wrong.
func (in Inputs) weaknesses(s service, bound Bound) []string {
	var weak []string
	if in.Unseen != "" {
		weak = append(weak, "not seen: "+in.Unseen)
	}
	if s.scv() > heavyTail {
		weak = append(weak, fmt.Sprintf("heavy tail (cs² = %.1f): a run sees too few of the slow requests", s.scv()))
	}
	if busy := bound.Rate * s.cpu / float64(in.Cores); busy > nearSaturation {
		weak = append(weak, fmt.Sprintf("the processors would be %.0f %% busy: D of one client is not that of many. A server that finds "+
			"several requests each time it wakes spends less on each, and serves more", 100*busy))
	}
	return weak
}

// closed is the prediction for a closed loop.
func (p *Prediction) closed(in Inputs, s service) {
	if s.alone() == 0 {
		p.unknown(math.NaN())
		return
	}
	places := in.Clients
	if in.Workers != Unlimited {
		places = min(places, in.Workers)
	}
	p.take(Pool{in.network(s).Throughputs(places)}.Closed(in.Clients, in.Think.Seconds()))
}

// open is the prediction for an open loop.
func (p *Prediction) open(in Inputs, s service) {
	ceiling, found := Ceiling(p.Bounds)
	if (in.Workers == Unlimited || in.Queue == Unlimited) && found && in.Rate >= ceiling {
		p.unknown(ceiling)
		p.Weak = append(p.Weak, "more arrives than is served: what waits grows without end")
		return
	}
	places, queue := in.openPlaces(s, ceiling)
	p.Model = modelOpen
	p.take(Pool{in.network(s).Throughputs(places)}.Open(in.Rate, queue))
}

// openPlaces are the places of a queue with as many as it has, or so many that it is as good as never full.
func (in Inputs) openPlaces(s service, ceiling float64) (places, queue int) {
	rho := 0.0
	if ceiling > 0 {
		rho = in.Rate / ceiling
	}
	const most = 50_000
	load := in.Rate * s.alone()
	spare := int(min(most, 100+10*math.Sqrt(load)+40/math.Abs(1-rho+1e-9)))
	switch {
	case in.Workers == Unlimited:
		return int(min(most, load)) + spare, 0
	case in.Queue == Unlimited:
		return in.Workers, spare
	}
	return in.Workers, in.Queue
}

// take enters the means of a state.
func (p *Prediction) take(s State) {
	p.Throughput, p.Mean, p.Blocked, p.Busy, p.Queue = s.Throughput, s.Response, s.Blocked, s.Inside, s.Queue
}

// unknown leaves all but the throughput open.
func (p *Prediction) unknown(throughput float64) {
	nan := math.NaN()
	p.take(State{throughput, nan, nan, nan, nan, nan})
}
