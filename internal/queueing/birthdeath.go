package queueing

import "math"

// stationary returns the probabilities of 0 to most requests in a system that comes from n−1 to n with rate birth(n)
// and back with rate death(n). It works in logarithms, so that no product overflows.
func stationary(most int, birth, death func(n int) float64) []float64 {
	logs, highest := make([]float64, most+1), 0.0
	for n := 1; n <= most; n++ {
		logs[n] = logs[n-1] + math.Log(birth(n)/death(n))
		highest = max(highest, logs[n])
	}
	sum := 0.0
	for n := range logs {
		logs[n] = math.Exp(logs[n] - highest)
		sum += logs[n]
	}
	for n := range logs {
		logs[n] /= sum
	}
	return logs
}

// State is what a bounded system looks like on average.
type State struct {
	// Throughput is of requests that were served. Blocked is the share of arrivals that found every place taken.
	Throughput, Blocked float64
	// Inside is the mean number in service, Queue of those that wait for it.
	Inside, Queue float64
	// Response is the mean time of a served request, Wait the part of it in the queue.
	Response, Wait float64
}

// stateOf derives the means from the probabilities of n requests, of which places can be inside.
func stateOf(p []float64, places int, throughput float64) State {
	s := State{Throughput: throughput}
	for n, share := range p {
		s.Inside += share * float64(min(n, places))
		s.Queue += share * float64(max(0, n-places))
	}
	if throughput > 0 {
		s.Response, s.Wait = (s.Inside+s.Queue)/throughput, s.Queue/throughput
	}
	return s
}
