package stats

import "slices"

// Fairness says how evenly answers were spread over the clients, in answers.
type Fairness struct {
	Clients int
	// Starved is the number of clients without any answer.
	Starved          int
	Min, Median, Max int
	// Jain is (Σx)² ÷ (n·Σx²), from 1/n (one client got all) to 1 (all got the same); 0 when nobody got any. See R. Jain,
	// D. Chiu, W. Hawe, A Quantitative Measure of Fairness, DEC-TR-301 (1984).
	Jain float64
}

// FairnessOf judges the number of answers of each client. It leaves answers as they are.
func FairnessOf(answers []int) Fairness {
	n := len(answers)
	if n == 0 {
		return Fairness{}
	}
	sorted := slices.Sorted(slices.Values(answers))
	f := Fairness{Clients: n, Min: sorted[0], Median: (sorted[(n-1)/2] + sorted[n/2]) / 2, Max: sorted[n-1]}
	var sum, squares float64
	for _, x := range sorted {
		if x == 0 {
			f.Starved++
		}
		sum += float64(x)
		squares += float64(x) * float64(x)
	}
	if squares > 0 {
		f.Jain = sum * sum / (float64(n) * squares)
	}
	return f
}

// Bounds of [LittlesLaw].Ratio when every client has a request in flight all the time. METHOD.md says why.
const (
	// LeastLittle is the ratio below which something waited that the answered requests do not show.
	LeastLittle = 0.95
	// MostLittle is the ratio above which the figures contradict each other; clocks that are read twice allow for 2 %.
	MostLittle = 1.02
	// LeastForLittle is how many answers per client a round needs for LeastLittle to mean anything: at its end clients fall
	// idle, each for up to one response time, which is a share of 1/answers.
	LeastForLittle = 40
)

// LittlesLaw is the number of requests in flight that throughput and response time imply, against the clients that
// should have had one in flight all the time (J. D. C. Little, 1961: N = X·R).
type LittlesLaw struct {
	// InFlight is X·R.
	InFlight float64
	Clients  int
	// Ratio is InFlight by Clients, 0 without clients. Well below 1, clients were waiting for something that the
	// response times don't show.
	Ratio float64
}

// LittlesLawOf takes the throughput in answers a second and their mean response time in seconds.
func LittlesLawOf(throughput, meanResponse float64, clients int) LittlesLaw {
	l := LittlesLaw{InFlight: throughput * meanResponse, Clients: clients}
	if clients > 0 {
		l.Ratio = l.InFlight / float64(clients)
	}
	return l
}
