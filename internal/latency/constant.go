package latency

import "time"

// constant is the same delay for every call: const:20ms, or 20ms.
type constant time.Duration

func parseConstant(arguments string) (Model, error) {
	d, err := parseDelay(arguments)
	return constant(d), err
}

// Delay implements [Model].
func (c constant) Delay(float64) time.Duration { return time.Duration(c) }
