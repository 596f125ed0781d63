// Package single measures one target with one run of the load engine: it makes the requests, judges what came, and
// writes the report.
package single

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"strings"
	"time"

	"poolvsloop/internal/load"
	"poolvsloop/internal/results"
)

// Run makes the run, saves it when the options say so, and prints the report on out: what was measured is kept even if
// nobody takes what is printed. The error says that it could not
// be made, that it is not valid, or which condition fails it.
func Run(ctx context.Context, p *Plan, out, progress io.Writer) error {
	if !p.Options.Quiet {
		p.Load.Progress = lines(progress)
	}
	if p.Options.Results != "" {
		if err := results.CheckFolder(p.Options.Results); err != nil {
			return err
		}
	}
	x, err := Measure(ctx, p)
	if err != nil {
		return err
	}
	var unsaved error
	if p.Options.Results != "" {
		unsaved = x.save(p)
	}
	text, err := x.render(p, p.Options.Format)
	if err == nil {
		_, err = io.WriteString(out, text)
	}
	if err != nil {
		err = fmt.Errorf("print the report: %w", err)
	}
	return errors.Join(unsaved, err, x.validError(), x.gateError())
}

// Measure makes the run and judges it.
func Measure(ctx context.Context, p *Plan) (*Report, error) {
	r, seen, err := p.load(ctx)
	if err != nil {
		return nil, err
	}
	x := NewReport(p, r)
	x.addTimeline(seen, r)
	x.addCrowds(p, r)
	return x, nil
}

// validError is the error of a run that is not valid.
func (x *Report) validError() error {
	if x.Valid {
		return nil
	}
	return fmt.Errorf("the run is not valid: %s", strings.Join(x.InvalidReasons, "; "))
}

// lines tells progress, a line every few seconds.
func lines(w io.Writer) func(done int) {
	const every = 5 * time.Second
	next := time.Now().Add(every)
	return func(done int) {
		if now := time.Now(); now.After(next) {
			next = now.Add(every)
			// Progress that can't be shown is no reason to fail.
			_, _ = fmt.Fprintf(w, "%d requests ended\n", done)
		}
	}
}

// save writes the folder of the run.
func (x *Report) save(p *Plan) error {
	var files []results.File
	for name, format := range map[string]string{"report.txt": Text, "run.json": JSON, "seconds.csv": CSV} {
		text, err := x.render(p, format)
		if err != nil {
			return fmt.Errorf("write %s: %w", name, err)
		}
		files = append(files, results.File{Name: name, Body: []byte(text)})
	}
	end := x.Started.Add(x.result.Duration)
	for name, t := range map[string]load.Times{"response": x.result.Response, "service": x.result.Service, "send_lag": x.result.SendLag} {
		var b bytes.Buffer
		interval := results.Interval{Tag: name, Start: x.Started, End: end, Times: t.Histogram}
		if err := results.WriteHistogramLog(&b, []results.Interval{interval}); err != nil {
			return fmt.Errorf("write %s.hlog: %w", name, err)
		}
		files = append(files, results.File{Name: name + ".hlog", Body: b.Bytes()})
	}
	_, err := results.Save(p.Options.Results, results.ID(x.Started, p.Options.Name), files)
	return err
}
