// Package expr reads and judges the conditions of --fail-if: one figure, one comparison, one bound.
//
//	condition = metric operator number [unit]
//	metric    = letters, digits, '.' and '_', as the program lists them: p99, p99.9, mean, errors, starved …
//	operator  = ">" | ">=" | "<" | "<=" | "==" | "!="
//	unit      = of times: us, µs, ms, s, m (required, but for 0); of shares: % (required, but for 0); of rates: /s
//	            (optional); of counts and ratios: none
//
// Blanks are allowed between the parts. Examples: p99>50ms, errors > 0.1%, starved>0, rps<1000/s, jain<0.9.
//
// The package is pure. It knows no metric: the caller says of which kind one is and what its figure is.
package expr

import (
	"errors"
	"fmt"
	"math"
	"strconv"
	"strings"
)

// Kind is what a metric measures. It decides about the units of its bounds.
type Kind uint8

// Kinds. A figure is in seconds, a fraction of 1, per second, and without a unit, in this order.
const (
	Time Kind = iota
	Share
	Rate
	Count
)

// units are those of each kind and their worth in the kind's base unit.
var units = [...]map[string]float64{
	Time:  {"us": 1e-6, "µs": 1e-6, "ms": 1e-3, "s": 1, "m": 60},
	Share: {"%": 0.01},
	Rate:  {"": 1, "/s": 1},
	Count: {"": 1},
}

var unitNames = [...]string{Time: "us, ms, s or m", Share: "%", Rate: "/s or none", Count: "none"}

// Condition is a parsed condition.
type Condition struct {
	// Text is the condition as it was given.
	Text string
	// Metric is the metric's name; Operator is one of those of the grammar.
	Metric, Operator string
	Kind             Kind
	// Bound is in the base unit of the kind.
	Bound float64
}

const nameBytes = "abcdefghijklmnopqrstuvwxyz0123456789._"

// longest bounds a condition, in bytes.
const longest = 100

// Parse reads a condition. kind says of which kind a metric is, or that there is none of that name.
func Parse(text string, kind func(metric string) (Kind, bool)) (Condition, error) {
	c := Condition{Text: text}
	if len(text) > longest {
		return Condition{}, fmt.Errorf("condition of %d bytes: want %d at most", len(text), longest)
	}
	rest := strings.TrimSpace(text)
	end := len(rest) - len(strings.TrimLeft(rest, nameBytes))
	c.Metric, rest = rest[:end], strings.TrimLeft(rest[end:], " \t")
	if c.Metric == "" {
		return Condition{}, fmt.Errorf("condition %q: want a metric first, as in p99>50ms", text)
	}
	var ok bool
	if c.Kind, ok = kind(c.Metric); !ok {
		return Condition{}, fmt.Errorf("condition %q: there is no metric %q", text, c.Metric)
	}
	end = len(rest) - len(strings.TrimLeft(rest, "<>=!"))
	c.Operator, rest = rest[:end], strings.TrimLeft(rest[end:], " \t")
	if _, ok := operators[c.Operator]; !ok {
		return Condition{}, fmt.Errorf("condition %q: want one of > >= < <= == != behind %s", text, c.Metric)
	}
	var err error
	if c.Bound, err = parseBound(rest, c.Kind); err != nil {
		return Condition{}, fmt.Errorf("condition %q: %w", text, err)
	}
	return c, nil
}

// parseBound reads a number and its unit.
func parseBound(text string, kind Kind) (float64, error) {
	end := len(text) - len(strings.TrimLeft(text, "0123456789."))
	number, err := strconv.ParseFloat(text[:end], 64)
	if err != nil {
		return 0, errors.New("want a number without a sign behind the operator")
	}
	unit := strings.TrimSpace(text[end:])
	if unit == "" && number == 0 {
		return 0, nil
	}
	worth, ok := units[kind][unit]
	if !ok {
		return 0, fmt.Errorf("unit %q: want %s", unit, unitNames[kind])
	}
	if bound := number * worth; !math.IsInf(bound, 0) {
		return bound, nil
	}
	return 0, fmt.Errorf("number %s is too large", text[:end])
}
