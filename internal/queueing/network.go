package queueing

import "math"

// Station is a resource that requests queue for, such as the processors: Servers of them, each of which serves one
// request at a time, and Demand, the mean time in seconds that a request needs one, exponentially distributed.
type Station struct {
	Demand  float64
	Servers int
}

// Network is a closed network: requests wait Delay seconds somewhere without queueing and visit the stations.
type Network struct {
	Delay    float64
	Stations []Station
}

// Throughputs returns the exact throughput for 0 to most requests in the network. These are the figures of mean value
// analysis with load-dependent stations, from the normalising constants G: X(n) = G(n−1)/G(n). Only positive terms are
// added, in logarithms, so that nothing is lost however large most is; MVA subtracts numbers that are nearly equal.
// Each station takes most·Servers steps. Without any demand the throughput has no bound and is +Inf.
func (w Network) Throughputs(most int) []float64 {
	g := delayConstants(w.Delay, most)
	for _, s := range w.Stations {
		g = s.join(g)
	}
	xs := make([]float64, most+1)
	for n := 1; n <= most; n++ {
		xs[n] = math.Exp(g[n-1] - g[n])
		if math.IsInf(g[n], -1) {
			xs[n] = math.Inf(1)
		}
	}
	return xs
}

// delayConstants are the logarithms of Z^n/n!.
func delayConstants(delay float64, most int) []float64 {
	g := make([]float64, most+1)
	for n := 1; n <= most; n++ {
		g[n] = g[n-1] + math.Log(delay/float64(n))
	}
	return g
}

// join returns the constants of the network that had g and now has this station, too. The station alone has
// f(i) = D^i / (1·2·…·m·m·…); from i = m on that is a geometric series, which goes into one running sum.
func (s Station) join(g []float64) []float64 {
	if s.Demand == 0 {
		return g
	}
	alone := make([]float64, s.Servers+1)
	for i := 1; i <= s.Servers; i++ {
		alone[i] = alone[i-1] + math.Log(s.Demand/float64(i))
	}
	ratio := math.Log(s.Demand / float64(s.Servers))
	joined, rest := make([]float64, len(g)), math.Inf(-1)
	for n := range g {
		sum := math.Inf(-1)
		for i := 0; i < s.Servers && i <= n; i++ {
			sum = logAdd(sum, alone[i]+g[n-i])
		}
		rest += ratio
		if n >= s.Servers {
			rest = logAdd(rest, alone[s.Servers]+g[n-s.Servers])
		}
		joined[n] = logAdd(sum, rest)
	}
	return joined
}

// logAdd is log(exp(a) + exp(b)).
func logAdd(a, b float64) float64 {
	if a < b {
		a, b = b, a
	}
	if math.IsInf(b, -1) {
		return a
	}
	return a + math.Log1p(math.Exp(b-a))
}
