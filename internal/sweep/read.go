package sweep

import (
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"slices"

	"poolvsloop/internal/results"
)

// Load reads the folder of a sweep, whole or not, and says what can be said of it. Nothing is written.
func Load(dir string) (*Sweep, error) {
	plan, entries, err := read(dir)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, fmt.Errorf("read the sweep in %s: %w: want the folder of one sweep of loadrunner sweep", dir, err)
	}
	if err != nil {
		return nil, fmt.Errorf("read the sweep in %s: %w", dir, err)
	}
	discarded, err := filepath.Glob(filepath.Join(dir, discardedPrefix+"*"))
	if err != nil {
		return nil, fmt.Errorf("read the sweep in %s: %w", dir, err)
	}
	s, err := assemble(plan, entries, func(e Entry) (*results.Run, error) { return results.Load(filepath.Join(dir, e.Name())) })
	if err != nil {
		return nil, err
	}
	if s.Discarded = len(discarded); s.Discarded > 0 {
		s.Remarks = append(s.Remarks, fmt.Sprintf("%d runs that were not valid were made anew; they are kept as %s…", s.Discarded, discardedPrefix))
	}
	return s, nil
}

// assemble makes a sweep of the cells that are done; load reads what was measured in one.
func assemble(plan Plan, entries []Entry, load func(Entry) (*results.Run, error)) (*Sweep, error) {
	s := &Sweep{
		Schema: Schema, ID: plan.ID, Started: plan.Started, Argv: plan.Argv, Planned: len(plan.Order), Base: plan.Base,
		Axes: plan.Axes, Order: plan.Order, Seed: plan.Seed, Search: plan.Search, Like: plan.Like, Scale: plan.Scale, Servers: []string{},
		Cells: []CellResult{}, Remarks: []string{}, Scaling: []Scaling{}, Crossings: []Crossing{}, Capacities: []Capacity{},
	}
	var environments []results.Environment
	for _, e := range entries {
		cell := CellResult{
			Entry: e, Folder: e.Name(), Status: Failed, Reasons: []string{e.Failure}, Servers: []Server{}, Comparison: []results.Comparison{},
		}
		if e.Failure == "" {
			run, err := load(e)
			if err != nil {
				return nil, err
			}
			cell.take(run)
			environments, s.Margin = append(environments, run.Environment), run.Config.Margin
			s.Servers = []string{run.Targets[0].Name, run.Targets[1].Name}
		}
		s.Cells = append(s.Cells, cell)
	}
	if len(environments) > 0 {
		s.Environment = environments[0]
	}
	slices.SortFunc(s.Cells, func(a, b CellResult) int { return cmp.Or(a.Cell-b.Cell, a.Step-b.Step) })
	err := s.analyse(plan)
	s.remark(environments)
	return s, err
}

// Knobs are those that differ from cell to cell, in the order of the grid, that of a search last.
func (s *Sweep) Knobs() []string { return knobsOf(s.Axes, s.Search) }

// analyse says what the whole of the cells shows.
func (s *Sweep) analyse(plan Plan) (err error) {
	s.Complete = len(s.Cells) == s.Planned
	if s.Search != nil {
		if s.Capacities, err = s.capacities(); err != nil {
			return err
		}
		steps := map[int][]Step{}
		for _, c := range s.Capacities {
			steps[c.Cell] = c.steps()
		}
		s.Complete = plan.over(steps)
		return nil
	}
	if s.axis(concurrency) != nil {
		s.Scaling = s.scaling()
	}
	if s.open() {
		return nil
	}
	if s.Along = plan.Direction(); s.Along != "" {
		s.Crossings = s.crossings(s.Along)
	}
	return nil
}

// open says that there is a cell with an open loop.
func (s *Sweep) open() bool {
	return slices.ContainsFunc(s.Cells, func(c CellResult) bool { return c.Rate > 0 })
}

// take enters what a cell's run says.
func (c *CellResult) take(run *results.Run) {
	c.Run, c.Status, c.Reasons = run, Valid, run.InvalidReasons
	if !run.Valid {
		c.Status = Invalid
	}
	c.Concurrency, c.Rate, c.LateTail, c.Comparison = run.Config.Concurrency, run.Config.Rate, run.LateTail, run.Comparison
	if run.Config.Open() {
		c.Concurrency = 0
	}
	limits := map[string]string{}
	for _, e := range run.Explanations {
		limits[e.Server] = e.Bottleneck
	}
	for _, t := range run.Targets {
		c.Servers = append(c.Servers, Server{Name: t.Name, Limit: limits[t.Name], Total: t.Total})
	}
}

// Count is the number of cells of that status.
func (s *Sweep) Count(status string) (n int) {
	for _, c := range s.Cells {
		if c.Status == status {
			n++
		}
	}
	return n
}

// remark says what the whole must be read with.
func (s *Sweep) remark(environments []results.Environment) {
	switch missing := s.Planned - len(s.Cells); {
	case s.Search != nil && !s.Complete:
		s.Remarks = append(s.Remarks, "the search is not over yet")
	case s.Search == nil && missing > 0:
		s.Remarks = append(s.Remarks, fmt.Sprintf("%d of %d cells are not measured yet", missing, s.Planned))
	case s.Search == nil && s.open():
		s.Remarks = append(s.Remarks, "in an open loop the rate gives the throughput: no crossing of it is looked for")
	}
	if n := s.Count(Invalid) + s.Count(Failed); n > 0 {
		s.Remarks = append(s.Remarks, fmt.Sprintf("%d of %d cells are not valid: they are marked, and nothing is concluded from them", n, len(s.Cells)))
	}
	if n := s.Count(Valid); n > 1 {
		s.Remarks = append(s.Remarks, fmt.Sprintf("each cell is judged by itself: among %d cells a server may be named by accident in "+
			"about %.1f, for each metric, when there is no difference at all", n, float64(n)/accidents))
	}
	if odd := strangers(environments); odd != "" {
		s.Remarks = append(s.Remarks, "the cells were not measured in one environment: "+odd)
	}
}

// accidents is once in how many comparisons of four rounds a server is named without a difference; of more rounds, less
// often.
const accidents = 35

// strangers says in which respect environments differ, or "".
func strangers(all []results.Environment) string {
	for _, e := range all {
		first := all[0]
		for _, part := range []struct{ name, a, b string }{
			{"host", first.Host, e.Host}, {"kernel", first.Kernel, e.Kernel}, {"Go", first.Go, e.Go},
			{"processors", fmt.Sprint(first.Cores()), fmt.Sprint(e.Cores())},
			{"cache", first.Redis.Kind + " " + first.Redis.Version, e.Redis.Kind + " " + e.Redis.Version},
			{"versions", fmt.Sprint(first.Versions), fmt.Sprint(e.Versions)},
		} {
			if part.a != part.b {
				return fmt.Sprintf("%s %s and %s", part.name, part.a, part.b)
			}
		}
	}
	return ""
}
