package audit

import (
	"fmt"
	"math"
)

// quantile is a printed value that the share q of all times does not exceed.
type quantile struct {
	q    float64
	name string
	figure
}

// shape is what is printed of one distribution of times. All figures are in one unit.
type shape struct {
	subject, unit string
	// count is the number of times, 0 when it is unknown.
	count              float64
	min, mean, sd, max figure
	// quantiles rise in q.
	quantiles []quantile
	// bucket is how much larger a printed quantile may be than the true one, because a histogram has buckets: a share.
	bucket float64
}

// check holds the figures of one distribution against each other.
func (s *shape) check(f *findings) {
	before := len(*f)
	s.order(f)
	if len(*f) > before {
		return // what follows computes with figures that are in order
	}
	s.meanBetween(f)
	s.deviation(f)
	s.quantileByDeviation(f)
}

// order: a quantile is no less than one of a smaller share, than the minimum, and no more than the maximum.
func (s *shape) order(f *findings) {
	points := append([]quantile{{name: "min", figure: s.min}}, s.quantiles...)
	points = append(points, quantile{q: 1, name: "max", figure: s.max})
	var last quantile
	for _, p := range points {
		if !p.known() {
			continue
		}
		if top := p.span().times(exactly(1 + s.bucket)); last.known() && last.span().above(top) {
			f.add(Refuted, "order", p.line, s.subject,
				fmt.Sprintf("%s %s %s, %s %s %s", last.name, last.text, s.unit, p.name, p.text, s.unit), away(p.value, last.value),
				"Sorted times cannot fall: these figures are not of one run, or one of them was changed.")
		}
		last = p
	}
}

// meanBetween: the mean lies between the means of the step functions that the quantiles bound the times by.
func (s *shape) meanBetween(f *findings) {
	if !s.mean.known() {
		return
	}
	low, high := s.steps()
	bounds := interval{low, high}
	if s.mean.span().meets(bounds) {
		return
	}
	nearest := low
	if s.mean.value > high {
		nearest = high
	}
	f.add(Refuted, "mean", s.mean.line, s.subject,
		fmt.Sprintf("minimum, percentiles and maximum put the mean between %s and %s %s, printed %s", short(low), short(high), s.unit, s.mean.text),
		away(s.mean.value, nearest), "No set of times with these percentiles has this mean.")
}

// steps are the least and the greatest mean of times with these quantiles. A share of at least 1-q is no less than the
// quantile of q, and a share of at least q no more.
func (s *shape) steps() (low, high float64) {
	floor, share := s.min.span().lo, 0.0
	for _, p := range s.quantiles {
		low += (p.q - share) * floor
		high += (p.q - share) * p.span().hi
		floor, share = math.Max(floor, p.span().lo/(1+s.bucket)), p.q
	}
	low += (1 - share) * floor
	if !s.max.known() && share < 1 {
		return low, math.Inf(1)
	}
	return low, high + (1-share)*s.max.span().hi*(1+s.bucket)
}

// deviation: no distribution between min and max with that mean deviates more than one that has only these two values
// (Bhatia and Davis, 2000).
func (s *shape) deviation(f *findings) {
	if !s.sd.known() || !s.mean.known() || !s.max.known() || s.count == 1 {
		return
	}
	sample := 1.0
	if s.count > 1 {
		sample = s.count / (s.count - 1)
	}
	most := math.Sqrt(sample * (s.max.span().hi - s.mean.span().lo) * (s.mean.span().hi - s.min.span().lo))
	if s.sd.span().above(exactly(most)) {
		f.add(Refuted, "deviation", s.sd.line, s.subject,
			fmt.Sprintf("mean %s, minimum %s and maximum %s %s allow a deviation of at most %s, printed %s",
				s.mean.text, given(s.min), s.max.text, s.unit, short(most), s.sd.text),
			away(s.sd.value, most), "No set of times between this minimum and maximum spreads so much about this mean.")
	}
}

func given(f figure) string {
	if !f.known() {
		return "0"
	}
	return f.text
}

// quantileByDeviation: a share 1-q can lie no more than sd·sqrt(q/(1-q)) above the mean, nor a share q more than
// sd·sqrt((1-q)/q) below it (Cantelli, 1928).
func (s *shape) quantileByDeviation(f *findings) {
	if !s.sd.known() || !s.mean.known() {
		return
	}
	for _, p := range s.quantiles {
		if p.q <= 0 || p.q >= 1 || s.count > 0 && s.count*(1-p.q) < 1 {
			continue
		}
		most := s.mean.span().hi + s.sd.span().hi*math.Sqrt(p.q/(1-p.q))
		least := s.mean.span().lo - s.sd.span().hi*math.Sqrt((1-p.q)/p.q)
		bound := most
		if p.value < least {
			bound = least
		}
		if p.span().lo/(1+s.bucket) > most*(1+rounding) || p.span().hi*(1+s.bucket) < least*(1-rounding) {
			f.add(Refuted, "deviation", p.line, s.subject,
				fmt.Sprintf("mean %s and deviation %s allow %s to lie between %s and %s %s, printed %s",
					s.mean.text, s.sd.text, p.name, short(math.Max(0, least)), short(most), s.unit, p.text),
				away(p.value, bound), "So many times cannot lie so far from the mean with this deviation.")
		}
	}
}
