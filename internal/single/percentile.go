package single

import (
	"math"
	"slices"
	"time"

	"github.com/HdrHistogram/hdrhistogram-go"
	"github.com/aclements/go-moremath/stats"

	"poolvsloop/internal/load"
	pstats "poolvsloop/internal/stats"
)

// Percentile is the time that so many percent of the requests did not exceed. Times are in microseconds.
type Percentile struct {
	// Percent is above 0 and below 100.
	Percent float64
	Micros  int64
	// AtLeast says that the true percentile is Micros or more: requests without an answer could lie on either side.
	AtLeast bool
	// Low and High bound the percentile with 95 % confidence, if requests were independent of each other: the times at
	// ranks between which a binomial variable falls with that probability (order statistics; H. A. David, H. N. Nagaraja,
	// Order Statistics, 3rd ed., §7.1). Both are 0 when clients starved: then requests are surely not independent.
	Low, High int64
	// Needs is above 0 when there are too few requests for the interval to have an upper end: there is no such
	// percentile then, and so many requests would be needed.
	Needs int
}

// Distribution is a distribution of times of which some are known only to be at least so long (right-censored): those
// of requests that got no answer in time. A client that got no answer at all counts in it as much as any other client,
// however many requests the others sent meanwhile: otherwise a server that answers few clients quickly would make the
// others disappear.
type Distribution struct {
	atoms   []atom // in ascending order of time
	n       int
	starved bool
}

// atom is a time and its share of the distribution.
type atom struct {
	us       int64
	share    float64
	censored bool
}

// newDistribution puts the answered times, the ages at which requests were given up and the ages at the end together.
// starved has the age of each client without an answer, of as many as clients.
func newDistribution(answered, givenUp *hdrhistogram.Histogram, ages, starved []time.Duration, clients int) Distribution {
	d := Distribution{
		n:       int(answered.TotalCount()+givenUp.TotalCount()) + len(ages),
		starved: len(starved) > 0,
	}
	if d.n == 0 {
		return d
	}
	each := 1 / float64(d.n)
	if d.starved {
		each *= float64(clients-len(starved)) / float64(clients)
	}
	bars := func(h *hdrhistogram.Histogram, censored bool) {
		longest := h.Max()
		for _, bar := range h.Distribution() {
			if bar.Count > 0 {
				d.atoms = append(d.atoms, atom{min(bar.To, longest), float64(bar.Count) * each, censored})
			}
		}
	}
	bars(answered, false)
	bars(givenUp, true)
	for _, age := range ages {
		d.atoms = append(d.atoms, atom{age.Microseconds(), each, true})
	}
	for _, age := range starved {
		d.atoms = append(d.atoms, atom{age.Microseconds(), 1 / float64(clients), true})
	}
	slices.SortFunc(d.atoms, func(a, b atom) int {
		switch {
		case a.us < b.us:
			return -1
		case a.us > b.us:
			return 1
		}
		return 0
	})
	return d
}

// responses is the distribution of a run's response times.
func responses(r *load.Result) Distribution {
	return newDistribution(r.Response.Histogram, r.GivenUp.Histogram, r.Ages, r.Starved, r.Clients)
}

// exact is the distribution of times that are all known.
func exact(t load.Times) Distribution {
	none := hdrhistogram.New(1, 2, 1)
	return newDistribution(t.Histogram, none, nil, nil, 0)
}

// Percentile computes one percentile.
func (d *Distribution) Percentile(percent float64) Percentile {
	p := Percentile{Percent: percent}
	ci := stats.QuantileCI(d.n, percent/100, pstats.Confidence)
	if !pstats.Carries(d.n, percent) {
		p.Needs = pstats.Needs(percent)
		return p
	}
	low := d.at(percent/100, true)
	high := d.at(percent/100, false)
	p.Micros, p.AtLeast = low, low != high
	if !d.starved {
		p.Low = d.at(float64(ci.LoOrder)/float64(d.n), true)
		p.High = d.at(float64(ci.HiOrder)/float64(d.n), true)
	}
	return p
}

// at is the least time that a share of the distribution does not exceed. What is censored counts with its age, or, when
// early is false, as endless.
func (d *Distribution) at(share float64, early bool) int64 {
	const rounding = 1e-9 // of the sum of shares
	sum := 0.0
	for _, a := range d.atoms {
		if a.censored && !early {
			continue
		}
		if sum += a.share; sum >= share-rounding {
			return a.us
		}
	}
	if !early {
		return math.MaxInt64
	}
	return d.atoms[len(d.atoms)-1].us
}
