package preset

import (
	"fmt"
	"math"

	"poolvsloop/internal/results"
)

// Verdicts of an expectation and of a preset.
const (
	// Passed: everything came as expected.
	Passed = "passed"
	// Failed: the measurement is valid, and something came otherwise.
	Failed = "failed"
	// Invalid: the lab refused the figures, which was not expected, so nothing is known.
	Invalid = "INVALID"
	// Busy: it refused them because the machine worked for others meanwhile, so nothing is known, and nobody is to blame.
	Busy = "INVALID, machine busy"
	// Broken: a step could not be run.
	Broken = "could not be run"
)

// Judged is what became of an expectation. Figures that are texts or truths are in Found and Wanted alone.
type Judged struct {
	Says string `json:"says"`
	// Found is what was measured, Wanted what it had to be, as they are printed.
	Found  string `json:"found"`
	Wanted string `json:"wanted"`
	// Value was measured, Is what theory says; DeviationPercent is (value − is) / is. Null where there is no number.
	Value            results.Number `json:"value"`
	Is               results.Number `json:"is"`
	WithinPercent    float64        `json:"within_percent"`
	DeviationPercent results.Number `json:"deviation_percent"`
	Passed           bool           `json:"passed"`
}

// judge holds the figures against an expectation. What is not known fails it.
func (e *Expectation) judge(figures map[string]any) Judged {
	j := Judged{
		Says: e.Says.Text, WithinPercent: e.Within, Value: results.Unknown, Is: results.Unknown, DeviationPercent: results.Unknown,
	}
	value, err := e.Value.value(figures)
	if err != nil {
		j.Found = "not known: " + plain(err)
		return j
	}
	j.Found = show(value)
	if x, ok := value.(float64); ok {
		j.Value = results.Number(x)
	}
	if e.Is.Text != "" {
		e.judgeEqual(&j, value, figures)
		return j
	}
	j.Passed = true
	for _, bound := range []struct {
		formula *Formula
		word    string
		holds   func(x, bound float64) bool
	}{
		{&e.Above, "above", func(x, b float64) bool { return x > b }}, {&e.Below, "below", func(x, b float64) bool { return x < b }},
	} {
		if bound.formula.Text == "" {
			continue
		}
		limit, err := bound.formula.value(figures)
		x, isNumber := value.(float64)
		b, isBound := limit.(float64)
		j.Passed = j.Passed && err == nil && isNumber && isBound && bound.holds(x, b)
		if j.Wanted != "" {
			j.Wanted += ", "
		}
		j.Wanted += bound.word + " " + show(limit)
	}
	return j
}

// judgeEqual judges an expectation of a value.
func (e *Expectation) judgeEqual(j *Judged, value any, figures map[string]any) {
	is, err := e.Is.value(figures)
	if err != nil {
		j.Wanted = "not known: " + plain(err)
		return
	}
	j.Wanted = show(is)
	x, isNumber := value.(float64)
	want, wantNumber := is.(float64)
	if !isNumber || !wantNumber {
		j.Passed = value == is
		return
	}
	j.Is = results.Number(want)
	if want != 0 {
		j.DeviationPercent = results.Number(100 * (x - want) / want)
	}
	if e.Within > 0 {
		j.Wanted += fmt.Sprintf(" ± %g %%", e.Within)
	}
	j.Passed = math.Abs(x-want) <= e.Within/100*math.Abs(want)
}

// show prints a figure in four digits.
func show(value any) string {
	x, ok := value.(float64)
	switch {
	case !ok:
		return fmt.Sprint(value)
	case math.IsNaN(x):
		return "not known"
	case math.Abs(x) < 1e-9:
		return "0"
	case math.Abs(x) >= 1000 && math.Abs(x) < 1e7:
		return fmt.Sprintf("%.0f", x)
	}
	return fmt.Sprintf("%.4g", x)
}
