package queueing

import "math"

// ErlangB is the share of arrivals that find all workers busy when none may wait: Poisson arrivals that offer load
// a = λS to so many workers. It depends on the mean of the service time alone.
func ErlangB(workers int, load float64) float64 {
	b := 1.0
	for k := 1; k <= workers; k++ {
		b = load * b / (float64(k) + load*b)
	}
	return b
}

// ErlangC is the share of arrivals that must wait in the M/M/c queue; 1 when the load reaches the workers.
func ErlangC(workers int, load float64) float64 {
	rho := load / float64(workers)
	if rho >= 1 {
		return 1
	}
	b := ErlangB(workers, load)
	return b / (1 - rho*(1-b))
}

// WaitMMC is the mean wait in the M/M/c queue, C·S/(N−a); +Inf when the load reaches the workers.
func WaitMMC(workers int, load, service float64) float64 {
	if load >= float64(workers) {
		return math.Inf(1)
	}
	return ErlangC(workers, load) * service / (float64(workers) - load)
}

// TailMMC is the share of arrivals that wait longer than t in the M/M/c queue: C·exp(−(N−a)t/S).
func TailMMC(workers int, load, service, t float64) float64 {
	return ErlangC(workers, load) * math.Exp(-(float64(workers)-load)*t/service)
}

// AllenCunneen is the mean wait in the G/G/c queue, about WaitMMC·(ca²+cs²)/2, with the squared coefficients of
// variation of the times between arrivals and of the service times. It is good up to cs² of about 2.
func AllenCunneen(workers int, load, service, arrivalSCV, serviceSCV float64) float64 {
	return WaitMMC(workers, load, service) * (arrivalSCV + serviceSCV) / 2
}

// PollaczekKhinchine is the mean wait for one server that is not shared, M/G/1: λE[S²]/(2(1−ρ)); +Inf when ρ >= 1.
func PollaczekKhinchine(rate, service, serviceSCV float64) float64 {
	rho := rate * service
	if rho >= 1 {
		return math.Inf(1)
	}
	return rate * service * service * (1 + serviceSCV) / (2 * (1 - rho))
}

// ProcessorSharing is the mean response time of a request that needs x seconds of a processor that all requests share
// evenly and use to a share rho: x/(1−ρ).
func ProcessorSharing(x, rho float64) float64 { return x / (1 - rho) }
