package latency

import (
	"math"
	"time"
)

// exponential has the mean given: exp:20ms. Its p50 is 0.69, its p99 4.6 times the mean. It is the service time of the
// M/M/c queue.
type exponential struct{ mean time.Duration }

func parseExponential(arguments string) (Model, error) {
	mean, err := parseDelay(arguments)
	return exponential{mean}, err
}

// Delay implements [Model]: −mean ln(1 − u).
func (m exponential) Delay(u float64) time.Duration {
	return cutDelay(-float64(m.mean)*math.Log1p(-u), Max)
}
