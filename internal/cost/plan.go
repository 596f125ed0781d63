// Package cost says what a request costs each server at one rate for both, and what an idle connection does: how much to
// measure, what the figures of repetitions and readings carry, and the part of run.json that comes of them. It is pure.
package cost

import (
	"math"
	"slices"
	"strconv"
	"time"
)

// Plan is how much is measured.
type Plan struct {
	// Repetitions at the rate are measured of each server, and Counted more in which system calls are counted, which slows
	// them. Even numbers let each server come first in half of them.
	Repetitions, Counted int
	// Passes are made over the numbers of idle connections.
	Passes int
	// Shortest is the least length of a repetition, Requests how many it has where it need not be longer than 30 s.
	Shortest time.Duration
	Requests int
}

// Full is what a comparison measures: from six repetitions on the verdicts can be corrected for the number of metrics.
var Full = Plan{Repetitions: 6, Counted: 4, Passes: 2, Shortest: 2 * time.Second, Requests: 200}

const (
	// MostConnections is the largest number of idle connections, when nothing allows no more.
	MostConnections = 4000
	// LeastConnections is the number below which memory per connection is not measured: pages are 4 KiB, and a server
	// grows by many at a time.
	LeastConnections = 64
)

// share of what the slower server answers is the rate: both have room, and neither is idle.
const share = 0.5

// Rate is the rate at which both servers are measured, in requests a second, when none was asked for: half of what the
// slower one answered with 2xx, cut to two digits. It is 0 when one of them answered nothing.
func Rate(goodputs ...float64) float64 {
	rate := share * slices.Min(goodputs)
	if !(rate > 0) || math.IsInf(rate, 1) {
		return 0
	}
	digit := math.Pow(10, math.Floor(math.Log10(rate))-1)
	cut := math.Floor(rate/digit+1e-9) * digit
	text := strconv.FormatFloat(cut, 'g', 2, 64)
	cut, _ = strconv.ParseFloat(text, 64) // what was just written
	return cut
}

const (
	// longest is the most that a repetition lasts.
	longest = 30 * time.Second
	// responses is how many response times it lasts, so that what is in flight at its end is a small part.
	responses = 10
)

// Duration is that of a repetition at a rate in requests a second whose requests take so long on average.
func (p Plan) Duration(rate float64, response time.Duration) time.Duration {
	needed := time.Duration(min(float64(p.Requests)/rate, longest.Seconds()) * float64(time.Second))
	return min(longest, max(p.Shortest, needed, responses*response)).Round(100 * time.Millisecond)
}

// Steps are the numbers of idle connections at which memory is read, up to most: each but 0 twice the one before.
func Steps(most int) []int { return []int{0, most / 8, most / 4, most / 2, most} }
