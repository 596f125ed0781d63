package main

import (
	"context"
	"fmt"
	"io"
	"os"
	"slices"
	"time"

	"github.com/spf13/pflag"

	"poolvsloop/internal/compare"
	"poolvsloop/internal/config"
	"poolvsloop/internal/results"
	"poolvsloop/internal/sweep"
)

// worker measures the cells of a journal by comparisons.
func (o *sweepOptions) worker(journal *sweep.Journal, stderr io.Writer) *sweep.Work {
	say := stderr
	if o.base.Quiet {
		say = io.Discard
	}
	return &sweep.Work{
		Journal: journal, Now: time.Now,
		Say: func(line string) { _, _ = fmt.Fprintln(say, line) }, // progress is no result
		Estimate: func(c sweep.Cell) time.Duration {
			return estimate(journal.Plan, c)
		},
		Measure: func(ctx context.Context, c sweep.Cell) (sweep.Outcome, error) {
			return measureCell(ctx, journal, c)
		},
	}
}

// estimate is about how long a cell takes; a cell whose settings are wrong takes none.
func estimate(p sweep.Plan, c sweep.Cell) time.Duration {
	settings, err := cellConfig(p, c)
	if err != nil {
		return 0
	}
	return compare.Estimate(settings)
}

// measureCell runs the comparison of a cell.
func measureCell(ctx context.Context, journal *sweep.Journal, c sweep.Cell) (sweep.Outcome, error) {
	settings, err := cellConfig(journal.Plan, c)
	if err != nil {
		return sweep.Outcome{}, err
	}
	settings.Results = journal.Dir
	run, files, err := compare.Measure(ctx, settings, cellCommand(journal.Plan, c), compare.Lines{Out: io.Discard})
	if err != nil {
		return sweep.Outcome{}, err
	}
	if run.Interrupted {
		return sweep.Outcome{}, sweep.ErrInterrupted
	}
	return sweep.Outcome{Files: files, Says: cellWords(run)}, nil
}

// cellCommand is the comparison of a cell as it can be called by hand.
func cellCommand(p sweep.Plan, c sweep.Cell) []string {
	return slices.Concat(called(os.Args[0]), []string{"compare"}, flagsOf(p, c))
}

// cellWords say in a line how a cell came out.
func cellWords(run *results.Run) string {
	if !run.Valid {
		return fmt.Sprintf("INVALID: %s", run.InvalidReasons[0])
	}
	words := ""
	for _, row := range run.Comparison {
		if row.Metric == "throughput" || row.Metric == "p99" {
			words += fmt.Sprintf("%s %.1f and %.1f %s: %s  ", row.Metric, row.ThreadPool, row.EventLoop, row.Unit, row.Verdict)
		}
	}
	return words
}

// baseFlags are the flags of compare that were set, but for those of the sweep itself.
func baseFlags(fs *pflag.FlagSet) []string {
	base := []string{}
	known := compareFlags()
	fs.Visit(func(f *pflag.Flag) {
		if known.Lookup(f.Name) == nil || slices.Contains(ofSweep, f.Name) {
			return
		}
		values := []string{f.Value.String()}
		if list, ok := f.Value.(pflag.SliceValue); ok {
			values = list.GetSlice()
		}
		for _, value := range values {
			base = append(base, "--"+f.Name+"="+value)
		}
	})
	return base
}

// ofSweep are the flags of compare that say something of the sweep and nothing of a cell.
var ofSweep = []string{"results", "name", "format", "quiet"}

// ofLab are those that say which lab there is and what happens to it: one for all cells.
var ofLab = []string{
	"lab", "at", "same", "threadpool", "eventloop", "threadpool-admin", "eventloop-admin", "downstream-a-admin", "downstream-b-admin",
}

// knobs are the flags of compare that may be in a grid, by every name that they have.
func knobs() map[string]string {
	all := map[string]string{}
	compareFlags().VisitAll(func(f *pflag.Flag) {
		if slices.Contains(ofSweep, f.Name) || slices.Contains(ofLab, f.Name) {
			return
		}
		all[f.Name] = f.Name
		if f.Shorthand != "" {
			all[f.Shorthand] = f.Name
		}
	})
	return all
}

func compareFlags() *pflag.FlagSet {
	fs := pflag.NewFlagSet("compare", pflag.ContinueOnError)
	compare.Bind(fs, &results.Config{})
	return fs
}

// flagsOf are those of a cell: of all cells, then its own.
func flagsOf(p sweep.Plan, c sweep.Cell) []string {
	all := slices.Clone(p.Base)
	for _, knob := range p.Knobs() {
		if value, set := c.Settings[knob]; set {
			all = append(all, "--"+knob+"="+value)
		}
	}
	return all
}

// cellConfig is what a cell is measured with.
func cellConfig(p sweep.Plan, c sweep.Cell) (results.Config, error) {
	var resolved results.Config
	fs := pflag.NewFlagSet(c.Name(), pflag.ContinueOnError)
	compare.Bind(fs, &resolved)
	if err := fs.Parse(flagsOf(p, c)); err != nil {
		return resolved, config.ValueProblem(err)
	}
	resolved.Name = c.Name()
	return resolved, compare.Resolve(fs, &resolved)
}
