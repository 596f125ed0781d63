package sweep

import (
	"context"
	"errors"
	"fmt"
	"slices"
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
	if w.Journal.Plan.Search != nil {
		return w.search(ctx)
	}
	again, err := w.pass(ctx, w.left(), false)
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
		w.announce(c, len(w.Journal.entries)+1, w.remaining(cells[i:]))
		entry, err := w.attempt(ctx, c)
		if err != nil {
			return nil, err
		}
		if entry.Failure == "" {
			continue
		}
		if !last {
			failed = append(failed, c)
			continue
		}
		if err := w.Journal.Commit(entry, nil); err != nil {
			return nil, err
		}
	}
	return failed, nil
}

// attempt measures a cell and commits it, but for one that fails: its entry says so. An error ends the sweep.
func (w *Work) attempt(ctx context.Context, c Cell) (entry Entry, err error) {
	if ctx.Err() != nil {
		return entry, ErrInterrupted
	}
	entry = w.entry(c)
	outcome, failure := w.Measure(ctx, c)
	if ctx.Err() != nil && failure != nil {
		return entry, ErrInterrupted
	}
	entry.DurationS = w.Now().Sub(entry.Started).Seconds()
	if failure == nil {
		w.failures = 0
		w.Say("  " + outcome.Says)
		return entry, w.Journal.Commit(entry, outcome.Files)
	}
	if w.failures++; w.failures == mostFailures {
		return entry, fmt.Errorf("%d cells in a row failed, the last one: %w", w.failures, failure)
	}
	w.Say("  failed: " + failure.Error())
	entry.Failure = failure.Error()
	return entry, nil
}

// entry begins the entry of a cell.
func (w *Work) entry(c Cell) Entry {
	position := slices.Index(w.Journal.Plan.Order, c.Number) + 1
	return Entry{Cell: c.Number, Step: c.Step, Settings: c.Settings, Position: position, Started: w.Now().UTC().Truncate(time.Millisecond)}
}

func (w *Work) announce(c Cell, n int, left time.Duration) {
	plan := w.Journal.Plan
	step := ""
	if c.Step > 0 {
		step = fmt.Sprintf(", step %d", c.Step)
	}
	w.Say(fmt.Sprintf("cell %d of %d%s: %s (about %s left)", n, len(plan.Order), step, Label(plan.Knobs(), c.Settings), Roughly(left)))
}

// remaining is about how long the cells take.
func (w *Work) remaining(left []Cell) time.Duration {
	return time.Duration(w.scale() * float64(w.Total(left)))
}

// scale is how much longer the cells that are done took than was expected.
func (w *Work) scale() float64 {
	cells, took, estimated := w.Journal.Plan.Cells(), 0.0, 0.0
	for _, e := range w.Journal.entries {
		if e.Failure != "" {
			continue
		}
		took += e.DurationS
		estimated += w.Estimate(cells[e.Cell-1]).Seconds()
	}
	if took > 0 && estimated > 0 {
		return took / estimated
	}
	return 1
}

// Total is about how long the cells take before any is done.
func (w *Work) Total(cells []Cell) (total time.Duration) {
	for _, c := range cells {
		total += w.Estimate(c)
	}
	return total
}

// Left is about how long all that is not done takes, of a search at the most.
func (w *Work) Left() time.Duration {
	if search := w.Journal.Plan.Search; search != nil {
		return time.Duration(w.scale() * float64(w.Total(w.Journal.Plan.Cells())) * float64(search.Steps))
	}
	return w.remaining(w.left())
}

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
