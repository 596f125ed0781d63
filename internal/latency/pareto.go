package latency

import (
	"fmt"
	"math"
	"strconv"
	"time"
)

// pareto has a heavy tail: pareto:min=10ms,alpha=1.5,max=10s. A delay exceeds x with probability (min/x)^alpha; what
// exceeds max ([Max] when not given) is cut to it. Without the cut the mean is min alpha/(alpha − 1) for alpha
// above 1, and infinite otherwise.
type pareto struct {
	least, most time.Duration
	alpha       float64
}

func parsePareto(arguments string) (Model, error) {
	named, err := parseNamed(arguments, []string{"min", "alpha"}, []string{"max"})
	if err != nil {
		return nil, err
	}
	m := pareto{most: Max}
	if m.least, err = parseDelay(named["min"]); err != nil {
		return nil, err
	}
	if text, given := named["max"]; given {
		if m.most, err = parseDelay(text); err != nil {
			return nil, err
		}
	}
	if m.least <= 0 || m.most < m.least {
		return nil, fmt.Errorf("want 0 < min <= max, not min=%v and max=%v", m.least, m.most)
	}
	m.alpha, err = strconv.ParseFloat(named["alpha"], 64)
	if err != nil || !(m.alpha > 0) || math.IsInf(m.alpha, 1) {
		return nil, fmt.Errorf("alpha=%s: want a number above 0", named["alpha"])
	}
	return m, nil
}

// Delay implements [Model]: min (1 − u)^(−1/alpha).
func (m pareto) Delay(u float64) time.Duration {
	return cutDelay(float64(m.least)*math.Pow(1-u, -1/m.alpha), m.most)
}
