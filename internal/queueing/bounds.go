package queueing

import (
	"cmp"
	"slices"
)

// Bound is a throughput that a resource does not let a system exceed.
type Bound struct {
	// Name is the formula, such as N/(S+D), and Means what it says in words.
	Name, Means string
	// Rate is in requests per second.
	Rate float64
	// Clients says that the load sets the bound, and not the server.
	Clients bool
}

// Sorted returns the bounds, the lowest and so the one that holds first. Of equal ones, the earlier stays first.
func Sorted(bounds []Bound) []Bound {
	return slices.SortedStableFunc(slices.Values(bounds), func(a, b Bound) int { return cmp.Compare(a.Rate, b.Rate) })
}

// Ceiling is the lowest bound that the server sets, in requests per second, and false when there is none.
func Ceiling(bounds []Bound) (rate float64, found bool) {
	for _, b := range Sorted(bounds) {
		if !b.Clients {
			return b.Rate, true
		}
	}
	return 0, false
}

// ResponseBound is the mean response time that cannot be undercut: max(S+D, c/ceiling − Z), with alone the time S+D of
// a request that meets no other.
func ResponseBound(alone float64, clients int, ceiling, think float64) float64 {
	return max(alone, float64(clients)/ceiling-think)
}

// Knee is the number of clients from which on requests must queue: (S+D+Z)·ceiling.
func Knee(alone, think, ceiling float64) float64 { return (alone + think) * ceiling }

// PoolSize is how many workers a rate of requests keeps busy that each hold one for that long (Little's law).
func PoolSize(rate, hold float64) float64 { return Little(rate, hold) }

// QueueRule is the longest queue in which no request waits longer than it has time: N·(T − s)/S, with T the timeout, S
// the mean service time, and s its mean again (constant service) or a quantile (variable service).
func QueueRule(workers int, timeout, mean, quantile float64) float64 {
	return float64(workers) * (timeout - quantile) / mean
}

// FanOut is the share of requests that meet at least one slow answer of k, each slow with probability p: 1 − (1−p)^k.
func FanOut(p float64, k int) float64 {
	fast := 1.0
	for range k {
		fast *= 1 - p
	}
	return 1 - fast
}
