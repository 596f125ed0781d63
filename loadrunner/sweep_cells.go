package main

import (
	"context"
	"fmt"
	"io"
	"maps"
	"os"
	"slices"
	"time"

	"poolvsloop/internal/compare"
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
	argv := append(called(os.Args[0]), "compare")
	flags := flagsOf(p, c)
	for _, name := range slices.Sorted(maps.Keys(flags)) {
		argv = append(argv, "--"+name+"="+flags[name])
	}
	return argv
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
