package sweep

import (
	"math"

	"gonum.org/v1/gonum/optimize"
)

// law is the universal scalability law: N clients get X(N) = λN / (1 + σ(N−1) + κN(N−1)) requests a second. λ is what one
// client gets, σ the share of the work that is done one request at a time, κ what each pair of requests costs (N. J.
// Gunther, Guerrilla Capacity Planning, 2007, ch. 4–6).
type law struct{ lambda, sigma, kappa float64 }

func (l law) at(n float64) float64 {
	return l.lambda * n / (1 + l.sigma*(n-1) + l.kappa*n*(n-1))
}

// peak is the number of clients with the highest throughput, an infinity when there is none.
func (l law) peak() float64 {
	if l.sigma >= 1 {
		return 1
	}
	return math.Sqrt((1 - l.sigma) / l.kappa)
}

// fit finds the law with the least squares of the relative residuals (of the logarithms), σ and κ not negative. It begins at
// each of the given laws and takes the best end; false when there is none.
func fit(ns, xs []float64, begins []law) (best law, ok bool) {
	most := ns[len(ns)-1]
	// For given σ and κ the best λ is known. The two are written as squares, κ in units of 1/N², so that all values of the
	// variables are allowed and of the order of one.
	curve := func(v []float64) law {
		l := law{1, v[0] * v[0], v[1] * v[1] / (most * most)}
		sum := 0.0
		for i, n := range ns {
			sum += math.Log(xs[i] / l.at(n))
		}
		l.lambda = math.Exp(sum / float64(len(ns)))
		return l
	}
	least := math.Inf(1)
	for _, begin := range begins {
		start := []float64{math.Sqrt(begin.sigma), math.Sqrt(begin.kappa) * most}
		problem := optimize.Problem{Func: func(v []float64) float64 { return curve(v).squares(ns, xs) }}
		found, err := optimize.Minimize(problem, start, &optimize.Settings{MajorIterations: 500}, &optimize.NelderMead{})
		if err == nil && found.F < least {
			least, best, ok = found.F, curve(found.X), true
		}
	}
	return best, ok
}

// squares is the sum of those of the relative residuals.
func (l law) squares(ns, xs []float64) (sum float64) {
	for i, n := range ns {
		r := math.Log(xs[i] / l.at(n))
		sum += r * r
	}
	return sum
}

// worst is the largest relative residual.
func (l law) worst(ns, xs []float64) (most float64) {
	for i, n := range ns {
		most = max(most, math.Abs(xs[i]/l.at(n)-1))
	}
	return most
}

// begins are where a search for the law begins when nothing is known.
func begins(most float64) []law {
	var all []law
	for _, sigma := range []float64{0.001, 0.03, 0.5} {
		for _, kappa := range []float64{0.01, 1} {
			all = append(all, law{1, sigma, kappa / (most * most)})
		}
	}
	return all
}
