package latency

import (
	"fmt"
	"math"
	"time"
)

// lognormal is a delay whose logarithm is normal, given by two percentiles: lognormal:p50=20ms,p99=200ms. Its mean is
// p50 exp(sigma²/2).
type lognormal struct {
	// mu and sigma are the mean and the standard deviation of the logarithm of the delay in nanoseconds.
	mu, sigma float64
}

func parseLognormal(arguments string) (Model, error) {
	named, err := parseNamed(arguments, []string{"p50", "p99"}, nil)
	if err != nil {
		return nil, err
	}
	p50, err := parseDelay(named["p50"])
	if err != nil {
		return nil, err
	}
	p99, err := parseDelay(named["p99"])
	if err != nil {
		return nil, err
	}
	if p50 <= 0 || p99 < p50 {
		return nil, fmt.Errorf("want 0 < p50 <= p99, not p50=%v and p99=%v", p50, p99)
	}
	mu := math.Log(float64(p50))
	return lognormal{mu: mu, sigma: (math.Log(float64(p99)) - mu) / normalQuantile(0.99)}, nil
}

// Delay implements [Model]: exp(mu + sigma z(u)), z being the quantile function of the standard normal distribution.
func (m lognormal) Delay(u float64) time.Duration {
	return cutDelay(math.Exp(m.mu+m.sigma*normalQuantile(u)), Max)
}

func normalQuantile(u float64) float64 { return math.Sqrt2 * math.Erfinv(2*u-1) }
