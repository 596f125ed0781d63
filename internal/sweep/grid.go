package sweep

import (
	"encoding/csv"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
)

// MostCells bounds a grid.
const MostCells = 1000

// Axis is a knob and the values that it takes, as they are written on a command line.
type Axis struct {
	// Knob is the flag's long name.
	Knob   string   `json:"knob"`
	Values []string `json:"values"`
}

// UnknownKnobError is that of a grid with a knob that is none.
type UnknownKnobError struct {
	Knob string
	// Known are those that there are, in order.
	Known []string
}

// Error implements error.
func (e *UnknownKnobError) Error() string { return fmt.Sprintf("unknown knob %q", e.Knob) }

// ParseGrid reads a grid such as "workers=10,50,200;c=50..400*2": knobs between semicolons, the values of each between
// commas. A value with a comma is put in double quotes: latency-b=5ms,"lognormal:p50=20ms,p99=200ms". For ranges see
// [expand]. knobs has the long name for every name that may be written. The error is an [*UnknownKnobError] for one that is
// not in it.
func ParseGrid(text string, knobs map[string]string) ([]Axis, error) {
	var axes []Axis
	cells := 1
	for part := range strings.SplitSeq(text, ";") {
		if strings.TrimSpace(part) == "" {
			continue
		}
		axis, err := parseAxis(part, knobs)
		if err != nil {
			return nil, err
		}
		if slices.ContainsFunc(axes, func(a Axis) bool { return a.Knob == axis.Knob }) {
			return nil, fmt.Errorf("%s is in the grid twice", axis.Knob)
		}
		if cells *= len(axis.Values); cells > MostCells {
			return nil, fmt.Errorf("more than %d cells", MostCells)
		}
		axes = append(axes, axis)
	}
	if len(axes) == 0 {
		return nil, errors.New("want knobs and their values, such as workers=10,50;c=50,200")
	}
	return axes, nil
}

func parseAxis(text string, knobs map[string]string) (Axis, error) {
	name, list, found := strings.Cut(text, "=")
	name = strings.TrimLeft(strings.TrimSpace(name), "-")
	if !found || name == "" {
		return Axis{}, fmt.Errorf("%q: want a knob and its values, such as workers=10,50", strings.TrimSpace(text))
	}
	knob, known := knobs[name]
	if !known {
		return Axis{}, &UnknownKnobError{Knob: name, Known: slices.Compact(slices.Sorted(maps.Values(knobs)))}
	}
	values, err := parseValues(list)
	if err != nil {
		return Axis{}, fmt.Errorf("%s: %w", name, err)
	}
	return Axis{Knob: knob, Values: values}, nil
}

func parseValues(list string) ([]string, error) {
	reader := csv.NewReader(strings.NewReader(strings.TrimSpace(list)))
	reader.TrimLeadingSpace = true
	fields, err := reader.ReadAll()
	if err != nil || len(fields) != 1 {
		return nil, fmt.Errorf("%q: want values between commas, one with a comma in double quotes", list)
	}
	var values []string
	for _, field := range fields[0] {
		expanded, err := expand(strings.TrimSpace(field))
		if err != nil {
			return nil, err
		}
		values = append(values, expanded...)
	}
	for i, value := range values {
		switch {
		case value == "":
			return nil, errors.New("a value is empty")
		case slices.Contains(values[:i], value):
			return nil, fmt.Errorf("value %s is there twice", value)
		}
	}
	return values, nil
}
