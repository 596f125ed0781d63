package audit

import (
	"fmt"

	"poolvsloop/internal/stats"
)

// leastLittle is below 1 what [stats.MostLittle] is above it. It lies above [stats.LeastLittle], the bound of the lab's
// own runs: what those leave for the ends of a run and for the generator, a load here computes from the report
// ([load.ends], [turnaround]).
const leastLittle = 2 - stats.MostLittle

// turnaround is how long, in seconds, a generator may take between an answer and its next request without a remark. It
// is also the clock's step of JMeter.
const turnaround = 0.001

// load is a closed loop as a report describes it.
type load struct {
	subject string
	line    int
	// clients is N, rate X in requests a second, mean R in seconds.
	clients, rate, mean figure
	// ends is the share of the run in which clients may have been idle because it began and ended.
	ends float64
	// invented says that the tool may have added times that it did not measure.
	invented bool
}

// little holds X·R against N. Above N the figures contradict each other: a client has one request in progress.
func (l load) little(f *findings) {
	if !l.clients.positive() || !l.rate.positive() || !l.mean.known() {
		return
	}
	n := l.clients.value
	inFlight := l.rate.span().times(l.mean.span())
	figures := fmt.Sprintf("X·R = %s/s × %s = %s in flight, %s clients", l.rate.text, seconds(l.mean.value), short(l.rate.value*l.mean.value), l.clients.text)
	off := away(l.rate.value*l.mean.value, n)
	switch {
	case inFlight.lo > n*stats.MostLittle && l.invented:
		f.add(Doubtful, "little", l.line, l.subject, figures, off, fmt.Sprintf("The mean of what was measured is at most N/X = %s: "+
			"wrk adds times of its own where one is longer than twice the usual, and they are in the mean and in the percentiles.", seconds(n/l.rate.value)))
	case inFlight.lo > n*stats.MostLittle:
		f.add(Refuted, "little", l.line, l.subject, figures, off, "More requests were in progress than there were clients to send them"+l.unit()+".")
	case l.rate.span().hi*(l.mean.span().hi+turnaround) < n*leastLittle*(1-l.ends):
		f.add(Doubtful, "little", l.line, l.subject, figures, off, fmt.Sprintf("Of N/X = %s from one request of a client to the next, the "+
			"answer took %s: clients waited for what these times do not show, as connections without an answer, requests left out, pauses%s, "+
			"or a run too short for answers so slow.", seconds(n/l.rate.value), seconds(l.mean.value), l.unit()))
	}
}

// unit suspects a unit when the figures are about a thousand apart.
func (l load) unit() string {
	ratio := l.rate.value * l.mean.value / l.clients.value
	if ratio > 900 && ratio < 1100 || ratio > 0.0009 && ratio < 0.0011 {
		return ", or seconds were taken for milliseconds"
	}
	return ""
}

// seconds prints a time.
func seconds(s float64) string {
	switch {
	case s >= 10:
		return short(s) + " s"
	case s >= 0.001:
		return short(s*1000) + " ms"
	}
	return short(s*1e6) + " µs"
}
