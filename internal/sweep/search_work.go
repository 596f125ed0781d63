package sweep

import (
	"context"
	"maps"
	"path/filepath"
	"slices"
	"strconv"
	"time"

	"poolvsloop/internal/expr"
	"poolvsloop/internal/results"
)

// search measures, in each cell, one step of the search after another until it is over. Where a step goes is a function
// of the steps before it, which are in the journal: so a search goes on, too.
func (w *Work) search(ctx context.Context) error {
	plan := w.Journal.Plan
	bounds, err := ParseBounds(plan.Search.Conditions)
	if err != nil {
		return err
	}
	cells := plan.Cells()
	for place, number := range plan.Order {
		for {
			steps, err := w.steps(number, bounds)
			if err != nil {
				return err
			}
			load, more := plan.Search.Next(steps)
			if !more {
				break
			}
			c := Cell{Number: number, Step: len(steps) + 1, Settings: maps.Clone(cells[number-1].Settings)}
			c.Settings[plan.Search.Over] = strconv.FormatFloat(load, 'f', -1, 64)
			left := time.Duration(w.scale() * float64(w.Estimate(c)) * float64((len(plan.Order)-place)*plan.Search.Steps-len(steps)))
			w.announce(c, place+1, left)
			entry, err := w.attempt(ctx, c)
			if err == nil && entry.Failure != "" {
				err = w.Journal.Commit(entry, nil)
			}
			if err != nil {
				return err
			}
		}
	}
	return nil
}

// steps are those that were made in a cell.
func (w *Work) steps(number int, bounds []expr.Condition) ([]Step, error) {
	var steps []Step
	for _, e := range w.Journal.entries {
		if e.Cell != number {
			continue
		}
		var run *results.Run
		if e.Failure == "" {
			var err error
			if run, err = results.Load(filepath.Join(w.Journal.Dir, e.Name())); err != nil {
				return nil, err
			}
		}
		step, _ := stepOf(e, w.Journal.Plan.Search, run, bounds)
		steps = append(steps, step)
	}
	return steps, nil
}

// stepOf judges a step by its run, nil for one that failed; why has a reason for each server that did not keep the bounds.
func stepOf(e Entry, search *Search, run *results.Run, bounds []expr.Condition) (step Step, why [2]string) {
	step.Load, _ = Number(e.Settings[search.Over])
	for server := range step.Outcomes {
		if run == nil {
			step.Outcomes[server], why[server] = Unknown, e.Failure
			continue
		}
		step.Outcomes[server], why[server] = judge(run, server, bounds)
	}
	return step, why
}

// over says whether the searches of all cells are over.
func (p *Plan) over(steps map[int][]Step) bool {
	return !slices.ContainsFunc(p.Order, func(number int) bool { _, more := p.Search.Next(steps[number]); return more })
}
