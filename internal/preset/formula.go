package preset

import (
	"errors"
	"fmt"
	"maps"
	"math"
	"slices"
	"strings"

	"github.com/expr-lang/expr"
	"github.com/expr-lang/expr/vm"
	"go.yaml.in/yaml/v3"

	"poolvsloop/internal/latency"
	"poolvsloop/internal/queueing"
)

// Formula is an expression over what the steps measured (docs/presets.md lists the names) and the functions of
// internal/queueing. Its value is a number, a text or a truth.
type Formula struct {
	Text string
	Line int

	program *vm.Program
}

// UnmarshalYAML implements [yaml.Unmarshaler].
func (f *Formula) UnmarshalYAML(node *yaml.Node) error {
	if node.Kind != yaml.ScalarNode {
		return atLine(node.Line, "want a formula")
	}
	f.Text, f.Line = node.Value, node.Line
	return nil
}

// function is one that a formula can call, with so many numbers.
type function struct {
	arguments int
	of        func(x []float64) float64
}

// functions are those of numbers; times are seconds, rates are per second.
var functions = map[string]function{
	"erlang_b": {2, func(x []float64) float64 { return queueing.ErlangB(int(x[0]), x[1]) }},
	"erlang_c": {2, func(x []float64) float64 { return queueing.ErlangC(int(x[0]), x[1]) }},
	"wait_mmc": {3, func(x []float64) float64 { return queueing.WaitMMC(int(x[0]), x[1], x[2]) }},
	"wait_mg1": {3, func(x []float64) float64 { return queueing.PollaczekKhinchine(x[0], x[1], x[2]) }},
	"shared":   {2, func(x []float64) float64 { return queueing.ProcessorSharing(x[0], x[1]) }},
	"fan_out":  {2, func(x []float64) float64 { return queueing.FanOut(x[0], int(x[1])) }},
	"blocked": {4, func(x []float64) float64 {
		return queueing.Independent(int(x[1]), x[3]).Open(x[0], int(x[2])).Blocked
	}},
	"served": {4, func(x []float64) float64 {
		return queueing.Independent(int(x[1]), x[3]).Open(x[0], int(x[2])).Throughput
	}},
	"sqrt": {1, func(x []float64) float64 { return math.Sqrt(x[0]) }},
}

// mostArgument bounds what a function takes, so that none takes for ever.
const mostArgument = 1e6

// moments are the functions of a latency model.
var moments = map[string]func(mean, scv float64) float64{
	"mean_of": func(mean, _ float64) float64 { return mean },
	"scv_of":  func(_, scv float64) float64 { return scv },
}

// Functions are the names that formulas can call.
func Functions() []string {
	return slices.Concat(slices.Sorted(maps.Keys(functions)), slices.Sorted(maps.Keys(moments)))
}

// options make an expression know the functions.
func options() []expr.Option {
	var all []expr.Option
	for name, f := range functions {
		all = append(all, expr.Function(name, func(params ...any) (any, error) { return f.call(name, params) }))
	}
	for name, f := range moments {
		all = append(all, expr.Function(name, func(params ...any) (any, error) {
			spec, ok := first(params).(string)
			if !ok || len(params) != 1 {
				return nil, fmt.Errorf("%s: want one latency model", name)
			}
			model, err := latency.Parse(spec, latency.OpenFile)
			if err != nil {
				return nil, fmt.Errorf("%s: %w", name, err)
			}
			return f(queueing.Moments(model)), nil
		}))
	}
	return all
}

func first(params []any) any {
	if len(params) == 0 {
		return nil
	}
	return params[0]
}

// call is one call from an expression. Where an argument is not known, neither is the value.
func (f function) call(name string, params []any) (any, error) {
	if len(params) != f.arguments {
		return nil, fmt.Errorf("%s: %d arguments, want %d", name, len(params), f.arguments)
	}
	x := make([]float64, len(params))
	for i, p := range params {
		var ok bool
		if x[i], ok = number(p); !ok {
			return nil, fmt.Errorf("%s: argument %d is %v, want a number", name, i+1, p)
		}
		if math.IsNaN(x[i]) || math.IsInf(x[i], 0) {
			return math.NaN(), nil
		}
		if x[i] < 0 || x[i] > mostArgument {
			return nil, fmt.Errorf("%s: argument %d is %g, want 0 to %g", name, i+1, x[i], float64(mostArgument))
		}
	}
	return f.of(x), nil
}

func number(value any) (float64, bool) {
	switch v := value.(type) {
	case float64:
		return v, true
	case int:
		return float64(v), true
	}
	return 0, false
}

// compile makes the formula ready. It must have a value with the figures of a sample: a name that does not exist is
// found here, and not after the run. A formula without a text is none.
func (f *Formula) compile(sample map[string]any) error {
	if f.Text == "" {
		return nil
	}
	program, err := expr.Compile(f.Text, append(options(), expr.Env(sample))...)
	if err != nil {
		return atLine(f.Line, "formula %q: %s", f.Text, plain(err))
	}
	f.program = program
	if _, err = f.value(sample); err != nil {
		return atLine(f.Line, "formula %q: %s", f.Text, plain(err))
	}
	return nil
}

// plain is the first line of an error of the library, which draws the place below it.
func plain(err error) string {
	text, _, _ := strings.Cut(err.Error(), "\n")
	return text
}

// value is that of the formula: a float64, a string or a bool.
func (f *Formula) value(figures map[string]any) (any, error) {
	if f.program == nil {
		return nil, errors.New("there is no formula")
	}
	value, err := expr.Run(f.program, figures)
	if err != nil {
		return nil, err
	}
	switch v := value.(type) {
	case string, bool:
		return v, nil
	}
	if x, ok := number(value); ok {
		return x, nil
	}
	return nil, errors.New("no such figure")
}
