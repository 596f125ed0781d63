// Package config holds the flags that every program of the lab shares: one name, one unit, one default each, and an
// environment variable for every flag (LAB_MAX_CONNS for --max-conns).
package config

import (
	"errors"
	"fmt"
	"math"
	"os"
	"strconv"
	"strings"

	"github.com/spf13/pflag"
)

// prefix begins the names of all variables.
const prefix = "LAB_"

// Variable is the environment variable of a flag: LAB_MAX_CONNS for max-conns.
func Variable(flag string) string {
	return prefix + strings.ToUpper(strings.ReplaceAll(flag, "-", "_"))
}

// unbound are flags that act at once and have no variable.
var unbound = map[string]bool{"help": true, "version": true}

// Env sets every flag of fs that the command line did not set from its variable, when that is in the environment and
// not empty. Call it after parsing. A bad value is an error that names the variable; all of them are reported.
func Env(fs *pflag.FlagSet) error {
	var errs []error
	fs.VisitAll(func(f *pflag.Flag) {
		value := os.Getenv(Variable(f.Name))
		if f.Changed || unbound[f.Name] || value == "" {
			return
		}
		if err := fs.Set(f.Name, value); err != nil {
			errs = append(errs, fmt.Errorf("environment variable %s: %w", Variable(f.Name), ValueProblem(err)))
		}
	})
	return errors.Join(errs...)
}

// Finite says which numbers of fs are none, such as NaN and Inf, which pflag takes: no comparison with a bound refuses NaN.
// It returns nil when each is a number.
func Finite(fs *pflag.FlagSet) error {
	var errs []error
	fs.VisitAll(func(f *pflag.Flag) {
		if f.Value.Type() != "float64" {
			return
		}
		x, err := strconv.ParseFloat(f.Value.String(), 64)
		if err != nil || math.IsNaN(x) || math.IsInf(x, 0) {
			errs = append(errs, fmt.Errorf("--%s %s: want a number", f.Name, f.Value))
		}
	})
	return errors.Join(errs...)
}

// VariableHelp says once for all flags of fs that each has a variable, with its first one as the example; "" when none has.
func VariableHelp(fs *pflag.FlagSet) string {
	text := ""
	fs.VisitAll(func(f *pflag.Flag) {
		if text == "" && !unbound[f.Name] {
			text = fmt.Sprintf("\nEach flag has an environment variable, %s for --%s; the flag wins.\n", Variable(f.Name), f.Name)
		}
	})
	return text
}

// Values returns every resolved flag of fs by name, as /config and run.json show it. Durations and sizes are written as
// their flag is.
func Values(fs *pflag.FlagSet) map[string]string {
	values := map[string]string{}
	fs.VisitAll(func(f *pflag.Flag) {
		if !unbound[f.Name] {
			values[f.Name] = f.Value.String()
		}
	})
	return values
}
