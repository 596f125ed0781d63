package preset

import (
	"encoding/json"
	"fmt"
	"slices"
	"time"

	"poolvsloop/internal/results"
)

// Schema is the version of the document that a preset leaves behind.
const Schema = "poolvsloop/preset/1"

// Document is its name in the results folder; Report that of the text.
const (
	Document = "preset.json"
	Report   = "preset.txt"
)

// Outcome is a preset that was run: the document in its results folder.
type Outcome struct {
	Schema  string    `json:"schema"`
	Preset  string    `json:"preset"`
	Started time.Time `json:"started"`
	Quick   bool      `json:"quick"`
	TookS   float64   `json:"took_s"`
	// Verdict is passed, failed, INVALID, or not yet.
	Verdict      string        `json:"verdict"`
	Guess        *Graded       `json:"guess"`
	Steps        []StepOutcome `json:"steps"`
	Expectations []Judged      `json:"expectations"`

	preset  *Preset
	folder  string
	figures map[string]any
}

// StepOutcome is a step that was run.
type StepOutcome struct {
	Name    string   `json:"name"`
	Command string   `json:"command"`
	Folders []string `json:"folders"`
	// Valid says that the lab stands behind the figures; Reasons why not. Expected is the check that had to fail, or "".
	Valid    bool     `json:"valid"`
	Reasons  []string `json:"reasons"`
	Expected string   `json:"expected_to_fail"`
	// Figures are what formulas saw, server by server.
	Figures map[string]any `json:"figures"`
}

// sound says whether the figures can be held against what was expected: the lab stands behind them, or was to refuse them.
func (s StepOutcome) sound() bool { return s.Valid || s.Expected != "" }

// judge enters the expectations and the verdict.
func (o *Outcome) judge(figures map[string]any) {
	o.Verdict, o.figures = Passed, figures
	for i := range o.preset.Expect {
		j := o.preset.Expect[i].judge(figures)
		o.Expectations = append(o.Expectations, j)
		if !j.Passed {
			o.Verdict = Failed
		}
	}
	if slices.ContainsFunc(o.Steps, func(s StepOutcome) bool { return !s.sound() }) {
		o.Verdict = Invalid
	}
}

// Err is the error of a preset that did not come out as expected, or nil.
func (o *Outcome) Err() error {
	switch o.Verdict {
	case Failed:
		return fmt.Errorf("%s: not as expected", o.Preset)
	case Invalid:
		return fmt.Errorf("%s: the lab refused the figures, so nothing is known: run it again on a quiet machine", o.Preset)
	}
	return nil
}

// files are what is left behind beside the folders of the runs.
func (o *Outcome) files(text string) ([]results.File, error) {
	document, err := json.MarshalIndent(o, "", "  ")
	if err != nil {
		return nil, fmt.Errorf("write %s: %w", Document, err)
	}
	return []results.File{{Name: Document, Body: append(document, '\n')}, {Name: Report, Body: []byte(text)}}, nil
}
