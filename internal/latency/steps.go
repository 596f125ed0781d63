package latency

import (
	"fmt"
	"strconv"
	"strings"
	"time"
)

// steps takes the delays named and no others: with steps:p50=20ms,p90=50ms,p99=200ms the fastest 50 % of the calls take
// 20 ms, those above up to 90 % take 50 ms, and all others, the slowest 1 % included, take 200 ms, the last delay named.
// Percentiles rise and are above 0 up to 100 (p99.9 is one); delays must not fall.
type steps []step

type step struct {
	// upTo is the share of the calls, 0 to 1, that take this delay or a shorter one.
	upTo  float64
	delay time.Duration
}

func parseSteps(arguments string) (Model, error) {
	list, err := parseAssignments(arguments)
	if err != nil {
		return nil, err
	}
	var m steps
	for _, a := range list {
		next, err := parseStep(a)
		if err != nil {
			return nil, err
		}
		if len(m) > 0 {
			if last := m[len(m)-1]; next.upTo <= last.upTo || next.delay < last.delay {
				return nil, fmt.Errorf("%s=%s: percentiles must rise and delays must not fall", a.name, a.value)
			}
		}
		m = append(m, next)
	}
	return m, nil
}

func parseStep(a assignment) (step, error) {
	percent, found := strings.CutPrefix(a.name, "p")
	p, err := strconv.ParseFloat(percent, 64)
	if !found || err != nil || !(p > 0 && p <= 100) {
		return step{}, fmt.Errorf("%q: want a percentile, such as p50 or p99.9", a.name)
	}
	delay, err := parseDelay(a.value)
	return step{upTo: p / 100, delay: delay}, err
}

// Delay implements [Model]: the delay of the first step that reaches u, or of the last.
func (m steps) Delay(u float64) time.Duration {
	for _, s := range m {
		if u <= s.upTo {
			return s.delay
		}
	}
	return m[len(m)-1].delay
}
