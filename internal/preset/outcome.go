package preset

import (
	"encoding/json"
	"errors"
	"fmt"
	"math"
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
	// Verdict is passed, failed, INVALID, or why there is none; Error is what ended a preset that could not be run.
	Verdict      string        `json:"verdict"`
	Error        string        `json:"error,omitempty"`
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
	// OtherLoadPercent is the most that programs which are not of the run had of the processors in a round, null where that
	// is not known. MachineBusy says that it, or what the hypervisor gave to others, was more than normal.
	OtherLoadPercent results.Number `json:"other_load_percent"`
	MachineBusy      bool           `json:"machine_busy"`
	// Figures are what formulas saw, server by server.
	Figures map[string]any `json:"figures"`
}

// judge enters the expectations and the verdict.
func (o *Outcome) judge(figures map[string]any) {
	o.figures = figures
	failed, unsound, busy := false, false, false
	for i := range o.preset.Expect {
		j := o.preset.Expect[i].judge(figures)
		o.Expectations = append(o.Expectations, j)
		failed = failed || !j.Passed
	}
	for _, s := range o.Steps {
		unsound = unsound || !s.Valid && s.Expected == ""
		busy = busy || !s.Valid && s.MachineBusy
	}
	switch {
	case busy && (unsound || failed):
		o.Verdict = Busy
	case unsound:
		o.Verdict = Invalid
	case failed:
		o.Verdict = Failed
	default:
		o.Verdict = Passed
	}
}

// broken is the outcome of a preset of which a step could not be run.
func broken(p *Preset, quick bool, started time.Time, err error) *Outcome {
	return &Outcome{
		Schema: Schema, Preset: p.Name, Started: started, Quick: quick, TookS: tookS(started), Verdict: Broken, Error: err.Error(),
		Steps: []StepOutcome{}, Expectations: []Judged{}, preset: p,
	}
}

// tookS is the time since then in seconds, to a tenth.
func tookS(started time.Time) float64 { return math.Round(time.Since(started).Seconds()*10) / 10 }

// otherLoad is the most that other programs had of the processors in a round of any step, in percent.
func (o *Outcome) otherLoad() results.Number {
	most := results.Unknown
	for _, s := range o.Steps {
		if math.IsNaN(float64(most)) || s.OtherLoadPercent > most {
			most = s.OtherLoadPercent
		}
	}
	return most
}

// met is how many expectations came as they should.
func (o *Outcome) met() int {
	n := 0
	for _, j := range o.Expectations {
		if j.Passed {
			n++
		}
	}
	return n
}

// Err is the error of a preset that did not come out as expected, or nil.
func (o *Outcome) Err() error {
	switch o.Verdict {
	case Failed:
		return fmt.Errorf("%s: not as expected", o.Preset)
	case Invalid:
		return fmt.Errorf("%s: the lab refused the figures, so nothing is known", o.Preset)
	case Busy:
		return fmt.Errorf("%s: the machine worked for others, so nothing is known: run it again on a quiet machine", o.Preset)
	case Broken:
		return errors.New(o.Error)
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
