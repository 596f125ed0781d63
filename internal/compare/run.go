package compare

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os/exec"
	"strings"
	"time"

	"poolvsloop/internal/cost"
	"poolvsloop/internal/page"
	"poolvsloop/internal/program"
	"poolvsloop/internal/results"
)

// stopPatience bounds how long the lab may take to end once the run is over.
const stopPatience = 30 * time.Second

// ErrInvalid is the error of a run that was written and printed, and is not valid.
var ErrInvalid = errors.New("the result is not valid")

// Run compares the servers: it starts the lab or attaches to it, measures, saves the results folder and prints. It
// returns an error that wraps [ErrInvalid] when a check failed or ctx ended early; what was measured by then is saved
// and printed all the same. Any other error means that there was nothing to measure.
func Run(ctx context.Context, c results.Config, argv []string, out io.Writer, p Progress) error {
	if err := results.CheckFolder(c.Results); err != nil {
		return err
	}
	run, files, err := Measure(ctx, c, argv, p)
	if err != nil {
		return err
	}
	shown, drawing := page.Files(run, among(files))
	path, saving := results.Save(c.Results, run.ID, append(files, shown...))
	text, err := Print(run, c.Format)
	if path != "" && c.Format == Text {
		text += where(path, shown)
	}
	if err != nil {
		return errors.Join(saving, err)
	}
	if _, err := io.WriteString(out, text); err != nil {
		return errors.Join(saving, fmt.Errorf("print the result: %w", err))
	}
	if err := errors.Join(saving, drawing); err != nil {
		return err
	}
	return validity(run)
}

// Measure does what [Run] does, and leaves it to the caller to save the files of the run's folder and to look at what is
// not valid. An error means that there was nothing to measure; it ends p all the same.
func Measure(ctx context.Context, c results.Config, argv []string, p Progress) (*results.Run, []results.File, error) {
	e := &Evidence{Started: time.Now(), Argv: argv, Config: c}
	defer p.Close()
	var err error
	if e.Environment, err = environment(); err != nil {
		return nil, nil, fmt.Errorf("look at this machine: %w", err)
	}
	if err := e.gather(ctx, p); err != nil {
		return nil, nil, err
	}
	run := e.Run()
	files, err := e.files(run)
	return run, files, err
}

// validity is the error of a run that is not valid; it names the checks, of which the details were printed.
func validity(run *results.Run) error {
	if run.Valid {
		return nil
	}
	var names []string
	if run.Interrupted {
		names = append(names, "interrupted")
	}
	for _, c := range failed(run.Checks) {
		names = append(names, c.Name)
	}
	return fmt.Errorf("%w: %s", ErrInvalid, strings.Join(names, ", "))
}

// usage marks the error of a program that did not like its flags: the runner's own flags are what it got.
func usage(err error) error {
	var exit *exec.ExitError
	if errors.As(err, &exit) && exit.ExitCode() == program.ExitUsage {
		return program.Usage(err)
	}
	return err
}

// gather brings the lab up, measures, and ends the lab again, whatever happens in between. An error is a lab that did
// not come up.
func (e *Evidence) gather(ctx context.Context, p Progress) error {
	l, err := start(ctx, e.Config, p)
	if err != nil {
		return usage(fmt.Errorf("bring up the lab: %w", err))
	}
	watched, cancel := l.Watch(ctx)
	s := &session{config: e.Config, lab: l, progress: p, evidence: e, plan: cost.Full}
	stopped := s.run(watched)
	cancel()

	e.Broken = l.Err()
	e.Interrupted = ctx.Err() != nil && stopped != nil
	if e.Broken == nil && !e.Interrupted {
		e.Stopped = stopped
	}
	ending, cancel := context.WithTimeout(context.WithoutCancel(ctx), stopPatience)
	defer cancel()
	if err := l.Stop(ending); err != nil && e.Broken == nil {
		e.Broken = err
	}
	return nil
}
