// Package latency holds the models of a downstream's delay and reads their specs, such as lognormal:p50=20ms,p99=200ms.
package latency

import (
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"time"

	"poolvsloop/internal/config"
)

// Max is the longest delay of any model: a longer one in a spec is refused, and the tails of the models are cut
// there.
const Max = time.Hour

// Model is a distribution of delays, written as its quantile function: Delay(u) is the delay that a share u of all
// calls does not exceed, so a uniform u yields the distribution. u is above 0 and below 1. It is pure: the same u gives
// the same delay, from any goroutine.
type Model interface {
	Delay(u float64) time.Duration
}

// Opener opens the file of a trace; [OpenFile] is the real one.
type Opener func(name string) (io.ReadCloser, error)

// modelParser reads what stands behind the colon of a spec.
type modelParser func(arguments string, open Opener) (Model, error)

var modelParsers = map[string]modelParser{
	"const":     withoutFile(parseConstant),
	"uniform":   withoutFile(parseUniform),
	"exp":       withoutFile(parseExponential),
	"lognormal": withoutFile(parseLognormal),
	"pareto":    withoutFile(parsePareto),
	"steps":     withoutFile(parseSteps),
	"trace":     parseTrace,
}

// Forms is what --help and errors say about specs.
const Forms = "20ms, const:20ms, uniform:10ms..30ms, exp:20ms, lognormal:p50=20ms,p99=200ms, " +
	"pareto:min=10ms,alpha=1.5[,max=10s], steps:p50=20ms,p90=50ms,p99=200ms or trace:FILE"

// Parse reads the spec of a model, such as "lognormal:p50=20ms,p99=200ms"; a bare duration is constant. open is
// called for a trace only.
func Parse(spec string, open Opener) (Model, error) {
	kind, arguments, found := strings.Cut(spec, ":")
	if !found {
		kind, arguments = "const", spec
	}
	parse, known := modelParsers[kind]
	if !known {
		return nil, fmt.Errorf("latency %q: want %s", spec, Forms)
	}
	model, err := parse(arguments, open)
	switch {
	case err != nil && !found:
		return nil, fmt.Errorf("latency %w, or a model: %s", err, Forms)
	case err != nil:
		return nil, fmt.Errorf("latency %q: %w", spec, err)
	}
	return model, nil
}

func withoutFile(parse func(arguments string) (Model, error)) modelParser {
	return func(arguments string, _ Opener) (Model, error) { return parse(arguments) }
}

var errDelayRange = fmt.Errorf("a delay is 0 to %v", Max)

func parseDelay(text string) (time.Duration, error) {
	d, err := config.Duration(text)
	if err != nil {
		return 0, err
	}
	if d < 0 || d > Max {
		return 0, fmt.Errorf("%q: %w", text, errDelayRange)
	}
	return d, nil
}

// cutDelay turns nanoseconds into a delay, cut to 0 and limit.
func cutDelay(nanoseconds float64, limit time.Duration) time.Duration {
	if nanoseconds >= float64(limit) {
		return limit
	}
	return max(0, time.Duration(nanoseconds))
}

// assignment is one name=value of a spec.
type assignment struct{ name, value string }

var errTwice = errors.New("given twice")

// parseAssignments reads "name=value,name=value" in the order given; a name may stand once.
func parseAssignments(text string) ([]assignment, error) {
	var list []assignment
	for part := range strings.SplitSeq(text, ",") {
		name, value, found := strings.Cut(part, "=")
		if !found || name == "" || value == "" {
			return nil, fmt.Errorf("%q: want name=value", part)
		}
		if slices.ContainsFunc(list, func(a assignment) bool { return a.name == name }) {
			return nil, fmt.Errorf("%s: %w", name, errTwice)
		}
		list = append(list, assignment{name, value})
	}
	return list, nil
}

// parseNamed is parseAssignments for a fixed set of names: required ones must be there, others than those and the
// optional ones must not.
func parseNamed(text string, required, optional []string) (map[string]string, error) {
	list, err := parseAssignments(text)
	if err != nil {
		return nil, err
	}
	named := map[string]string{}
	for _, a := range list {
		if !slices.Contains(required, a.name) && !slices.Contains(optional, a.name) {
			return nil, fmt.Errorf("%q: want %s", a.name, strings.Join(append(slices.Clone(required), optional...), ", "))
		}
		named[a.name] = a.value
	}
	for _, name := range required {
		if named[name] == "" {
			return nil, fmt.Errorf("%s is missing", name)
		}
	}
	return named, nil
}
