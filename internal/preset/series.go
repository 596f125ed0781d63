package preset

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"time"

	"poolvsloop/internal/results"
)

// Series runs presets one after the other into one folder. Use it from one goroutine.
type Series struct {
	options  Options
	folder   string
	started  time.Time
	outcomes []*Outcome
}

// NewSeries makes the folder of a series in that of the options.
func NewSeries(o Options) (*Series, error) {
	s := &Series{options: o, started: time.Now().UTC().Truncate(time.Millisecond)}
	if err := results.CheckFolder(o.Results); err != nil {
		return nil, err
	}
	s.folder = filepath.Join(o.Results, results.ID(s.started, "presets"))
	if err := os.Mkdir(s.folder, 0o755); err != nil {
		return nil, fmt.Errorf("make the folder of the presets: %w", err)
	}
	return s, nil
}

// Run runs the next preset, with a guess or nil for none. One that cannot be run is noted and ends nothing; an error is an
// interruption, after which [Series.Close] still saves what there is.
func (s *Series) Run(ctx context.Context, p *Preset, guessed *float64) error {
	if len(s.outcomes) > 0 {
		if _, err := io.WriteString(s.options.Out, "\n"+strings.Repeat("-", 100)+"\n\n"); err != nil {
			return fmt.Errorf("print: %w", err)
		}
	}
	o, started := s.options, time.Now().UTC().Truncate(time.Millisecond)
	o.Results, o.Folder, o.Guessed = s.folder, p.Name, guessed
	outcome, err := Run(ctx, p, o)
	switch {
	case ctx.Err() != nil && err != nil:
		return err
	case err != nil:
		_, _ = fmt.Fprintf(o.Progress, "%s could not be run: %v\n", p.Name, err)
		outcome = broken(p, o.Quick, started, err)
	}
	s.outcomes = append(s.outcomes, outcome)
	return nil
}

// Close saves the summary and prints its table. Its error names the presets that did not pass. Of a series without a preset
// nothing is left behind.
func (s *Series) Close() error {
	if len(s.outcomes) == 0 {
		_ = os.Remove(s.folder) // it stays when something was measured
		return nil
	}
	all := s.summary()
	files, err := all.files()
	if err != nil {
		return err
	}
	if err := results.Replace(s.folder, files); err != nil {
		return fmt.Errorf("save the summary: %w", err)
	}
	if _, err := io.WriteString(s.options.Out, "\n"+all.Text()+"\nResults: "+s.folder+"\n"); err != nil {
		return fmt.Errorf("print the summary: %w", err)
	}
	return all.err()
}

// summary is what there is to say of the presets that were run.
func (s *Series) summary() *Summary {
	all := &Summary{Schema: SummarySchema, Started: s.started, Quick: s.options.Quick, TookS: tookS(s.started), Presets: []Line{}}
	for _, o := range s.outcomes {
		all.Presets = append(all.Presets, Line{
			Preset: o.Preset, Title: o.preset.Title, Verdict: o.Verdict, Error: o.Error, TookS: o.TookS,
			OtherLoadPercent: o.otherLoad(), Expectations: o.Expectations,
		})
	}
	return all
}

// err names the presets that did not pass, by what became of them, or is nil.
func (s *Summary) err() error {
	var all []string
	for _, verdict := range []string{Failed, Invalid, Busy, Broken} {
		var names []string
		for _, l := range s.Presets {
			if l.Verdict == verdict {
				names = append(names, l.Preset)
			}
		}
		if len(names) > 0 {
			all = append(all, verdict+": "+strings.Join(names, ", "))
		}
	}
	if len(all) == 0 {
		return nil
	}
	return errors.New(strings.Join(all, "; "))
}
