package config

import (
	"errors"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/spf13/pflag"
)

// kinds says, for the type of a flag's value, what it takes.
var kinds = map[string]string{
	"int": "a whole number", "uint64": "a whole number, 0 or more", "float64": "a number", "bool": "true or false",
}

// ValueProblem puts the error of setting a flag to a bad value into plain words: what is wanted, not which function of
// which library refused it. Any other error is returned as it is.
func ValueProblem(err error) error {
	var invalid *pflag.InvalidValueError
	if !errors.As(err, &invalid) {
		return err
	}
	flag, value := invalid.GetFlag(), invalid.GetValue()
	return fmt.Errorf("--%s %q: %w", flag.Name, value, wanted(flag.Value.Type(), value, invalid.Unwrap()))
}

// wanted says what a flag of that kind takes in place of value.
func wanted(kind, value string, cause error) error {
	if kind == "duration" {
		return errors.New("want a time with its unit, such as " + example(value))
	}
	want, known := kinds[kind]
	switch {
	case !known:
		return cause
	case errors.Is(cause, strconv.ErrRange):
		return errors.New("out of range")
	}
	return errors.New("want " + want)
}

// Assign sets the flags of fs that are named in values. An error names the flag; those before it, in the order of their
// names, are set by then.
func Assign(fs *pflag.FlagSet, values map[string]string) error {
	for _, name := range slices.Sorted(maps.Keys(values)) {
		if fs.Lookup(name) == nil {
			return fmt.Errorf("unknown setting %q: want %s", name, strings.Join(names(fs), ", "))
		}
		if err := fs.Set(name, values[name]); err != nil {
			return ValueProblem(err)
		}
	}
	return Finite(fs)
}

// names are those of all flags of fs.
func names(fs *pflag.FlagSet) (all []string) {
	fs.VisitAll(func(f *pflag.Flag) { all = append(all, f.Name) })
	return all
}
