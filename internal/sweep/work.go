package sweep

import (
	"context"
	"errors"
	"fmt"
	"time"

	"poolvsloop/internal/results"
)

// ErrInterrupted ends a sweep that was told to stop. What is committed stays.
var ErrInterrupted = errors.New("interrupted")

// mostFailures is how many cells in a row may fail before the fault is taken for one of the machine and not of the cells.
const mostFailures = 3

// Outcome is what measuring a cell gave.
type Outcome struct {
	// Files are those of the run's folder, run.json among them.
	Files []results.File
	// Says is a line about it for those who wait.
	Says string
}

// Work measures the cells of a journal that are not done.
type Work struct {
	Journal *Journal
	// Measure measures a cell. An error says that there is nothing to save; it is taken for an interruption when the
	// context has ended.
	Measure func(context.Context, Cell) (Outcome, error)
	// Estimate is about how long a cell takes.
	Estimate func(Cell) time.Duration
	// Say is told in a line how the sweep comes along.
	Say func(string)
	// Now is the clock.
	Now func() time.Time

	failures int // in a row
}

// Run measures all cells that are not in the journal, in the order of the plan, and commits each. A cell that fails is
// tried once more behind the others, and then committed with its failure. It returns [ErrInterrupted] when ctx ends, and
// the failure of the third cell in a row that fails: that one and those before it are left for another time.
func (w *Work) Run(ctx context.Context) error {
	left := w.left()
	again, err := w.pass(ctx, left, false)
	if err == nil {
		_, err = w.pass(ctx, again, true)
	}
	return err
}

// left are the cells that are not done.
func (w *Work) left() []Cell {
	cells, done := w.Journal.Plan.Cells(), map[int]bool{}
	for _, e := range w.Journal.entries {
		done[e.Cell] = true
	}
	var left []Cell
	for _, number := range w.Journal.Plan.Order {
		if !done[number] {
			left = append(left, cells[number-1])
		}
	}
	return left
}

// pass measures cells and returns those that failed, or in the last pass commits their failures.
func (w *Work) pass(ctx context.Context, cells []Cell, last bool) (failed []Cell, err error) {
	for i, c := range cells {
		if ctx.Err() != nil {
			return nil, ErrInterrupted
		}
		w.announce(c, cells[i:])
		entry := w.entry(c)
		outcome, err := w.Measure(ctx, c)
		if ctx.Err() != nil && err != nil {
			return nil, ErrInterrupted
		}
		entry.DurationS = w.Now().Sub(entry.Started).Seconds()
		if err == nil {
			w.failures = 0
			w.Say("  " + outcome.Says)
			if err := w.Journal.Commit(entry, outcome.Files); err != nil {
				return nil, err
			}
			continue
		}
		if w.failures++; w.failures == mostFailures {
			return nil, fmt.Errorf("%d cells in a row failed, the last one: %w", w.failures, err)
		}
		w.Say("  failed: " + err.Error())
		if !last {
			failed = append(failed, c)
			continue
		}
		entry.Failure = err.Error()
		if err := w.Journal.Commit(entry, nil); err != nil {
			return nil, err
		}
	}
	return failed, nil
}

// entry begins the entry of a cell.
func (w *Work) entry(c Cell) Entry {
	position := 0
	for i, number := range w.Journal.Plan.Order {
		if number == c.Number {
			position = i + 1
		}
	}
	return Entry{Cell: c.Number, Settings: c.Settings, Position: position, Started: w.Now().UTC().Truncate(time.Millisecond)}
}

func (w *Work) announce(c Cell, left []Cell) {
	plan := w.Journal.Plan
	w.Say(fmt.Sprintf("cell %d of %d: %s (about %s left)", len(w.Journal.entries)+1, len(plan.Order), Label(plan.Axes, c.Settings),
		Roughly(w.remaining(left))))
}

// remaining is about how long the cells take: the estimates, times what those that are done took of theirs.
func (w *Work) remaining(left []Cell) time.Duration {
	cells, took, estimated := w.Journal.Plan.Cells(), 0.0, 0.0
	for _, e := range w.Journal.entries {
		if e.Failure != "" {
			continue
		}
		took += e.DurationS
		estimated += w.Estimate(cells[e.Cell-1]).Seconds()
	}
	scale := 1.0
	if took > 0 && estimated > 0 {
		scale = took / estimated
	}
	return time.Duration(scale * float64(w.Total(left)))
}

// Total is about how long the cells take before any is done.
func (w *Work) Total(cells []Cell) (total time.Duration) {
	for _, c := range cells {
		total += w.Estimate(c)
	}
	return total
}

// Left is about how long all that is not done takes.
func (w *Work) Left() time.Duration { return w.remaining(w.left()) }

// Roughly writes a duration as people say it: to the second below two minutes, to the minute above.
func Roughly(d time.Duration) string {
	if d < 2*time.Minute {
		return fmt.Sprintf("%d s", int(d.Round(time.Second).Seconds()))
	}
	minutes := int(d.Round(time.Minute).Minutes())
	if minutes < 120 {
		return fmt.Sprintf("%d min", minutes)
	}
	return fmt.Sprintf("%d h %02d min", minutes/60, minutes%60)
}
