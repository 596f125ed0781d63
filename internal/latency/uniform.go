package latency

import (
	"fmt"
	"strings"
	"time"
)

// uniform is every delay from low to high with the same density: uniform:10ms..30ms.
type uniform struct{ low, high time.Duration }

func parseUniform(arguments string) (Model, error) {
	low, high, found := strings.Cut(arguments, "..")
	if !found {
		return nil, fmt.Errorf("%q: want LOW..HIGH, such as 10ms..30ms", arguments)
	}
	var u uniform
	var err error
	if u.low, err = parseDelay(low); err != nil {
		return nil, err
	}
	if u.high, err = parseDelay(high); err != nil {
		return nil, err
	}
	if u.high < u.low {
		return nil, fmt.Errorf("%v is above %v: want LOW..HIGH", u.low, u.high)
	}
	return u, nil
}

// Delay implements [Model]: low + u (high − low).
func (m uniform) Delay(u float64) time.Duration {
	return m.low + time.Duration(u*float64(m.high-m.low))
}
