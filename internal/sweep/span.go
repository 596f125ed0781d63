package sweep

import (
	"fmt"
	"math"
	"regexp"
	"strconv"
	"time"
)

var span = regexp.MustCompile(`^(\d+(?:\.\d+)?)([a-zµ]*)\.\.(\d+(?:\.\d+)?)([a-zµ]*)([*+])(\d+(?:\.\d+)?)([a-zµ]*)$`)

// expand returns the values that a range stands for: 50..400*2 for 50, 100, 200 and 400, 10ms..50ms+20ms for 10ms, 30ms and
// 50ms. The last value is there when the steps meet it. Any other text stands for itself.
func expand(text string) ([]string, error) {
	m := span.FindStringSubmatch(text)
	if m == nil {
		return []string{text}, nil
	}
	first, last, step := number(m[1]), number(m[3]), number(m[6])
	unit, times := m[2], m[5] == "*"
	switch {
	case m[4] != unit || !times && m[7] != unit || times && m[7] != "":
		return nil, fmt.Errorf("range %s: want one unit", text)
	case first > last:
		return nil, fmt.Errorf("range %s: goes down", text)
	case times && (step <= 1 || first == 0), !times && step == 0:
		return nil, fmt.Errorf("range %s: a step leads nowhere", text)
	}
	var values []string
	for i, x := 0, first; x <= last*(1+1e-9); i++ {
		if len(values) == MostCells {
			return nil, fmt.Errorf("range %s: more than %d values", text, MostCells)
		}
		values = append(values, strconv.FormatFloat(x, 'f', -1, 64)+unit)
		if x = rounded(first + step*float64(i+1)); times {
			x = rounded(first * math.Pow(step, float64(i+1)))
		}
	}
	return values, nil
}

// number is a text that is one.
func number(text string) float64 {
	x, _ := strconv.ParseFloat(text, 64) // digits and a point; what is too large is an infinity
	return x
}

// rounded drops what sums of binary fractions have too much.
func rounded(x float64) float64 {
	short, _ := strconv.ParseFloat(strconv.FormatFloat(x, 'g', 12, 64), 64) // its own output
	return short
}

// Number is the value of a knob as a number, a time in seconds, and false for what is neither.
func Number(value string) (float64, bool) {
	if x, err := strconv.ParseFloat(value, 64); err == nil && !math.IsNaN(x) && !math.IsInf(x, 0) {
		return x, true
	}
	if d, err := time.ParseDuration(value); err == nil {
		return d.Seconds(), true
	}
	return 0, false
}
