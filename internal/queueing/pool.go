package queueing

// Pool is a bounded system as a flow-equivalent server: Inside[n] is its throughput with n requests in service, from 0
// to the number of places (workers), as [Network.Throughputs] has it.
type Pool struct{ Inside []float64 }

// places is how many requests can be in service.
func (p Pool) places() int { return len(p.Inside) - 1 }

// Closed returns the state under that many clients, each of which thinks for a mean of that many seconds before its
// next request; all others wait in a queue without a limit.
func (p Pool) Closed(clients int, think float64) State {
	if think == 0 {
		n := min(clients, p.places())
		at := make([]float64, clients+1)
		at[clients] = 1
		return stateOf(at, p.places(), p.Inside[n])
	}
	birth := func(n int) float64 { return float64(clients-n+1) / think }
	shares := stationary(clients, birth, p.death)
	return stateOf(shares, p.places(), p.flow(shares))
}

// Open returns the state under Poisson arrivals of that rate, with a queue of that many places; an arrival that finds
// it full is rejected. With Inside[n] = n/S it is the M/M/c/K queue with K = c + queue.
func (p Pool) Open(rate float64, queue int) State {
	shares := stationary(p.places()+queue, func(int) float64 { return rate }, p.death)
	s := stateOf(shares, p.places(), p.flow(shares))
	s.Blocked = shares[len(shares)-1]
	return s
}

// death is the rate at which one of n requests leaves.
func (p Pool) death(n int) float64 { return p.Inside[min(n, p.places())] }

// flow is the throughput, given the probabilities of n requests.
func (p Pool) flow(shares []float64) float64 {
	x := 0.0
	for n, share := range shares[1:] {
		x += share * p.death(n+1)
	}
	return x
}

// Independent returns the pool of so many workers in which no request slows another: Inside[n] = n/service.
func Independent(workers int, service float64) Pool {
	inside := make([]float64, workers+1)
	for n := range inside {
		inside[n] = float64(n) / service
	}
	return Pool{Inside: inside}
}
