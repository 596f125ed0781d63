package sweep

import (
	"fmt"

	"poolvsloop/internal/results"
)

// Capacity is the most load under which each server keeps its bounds, in one cell of the grid.
type Capacity struct {
	Cell int `json:"cell"`
	// Settings are those of the cell.
	Settings map[string]string `json:"settings"`
	Steps    []CapacityStep    `json:"steps"`
	Servers  []ServerCapacity  `json:"servers"`
	// Ahead is the server that keeps more, "" when the brackets do not tell; then by AtLeast to AtMost times as much.
	Ahead   string         `json:"ahead"`
	AtLeast results.Number `json:"at_least"`
	AtMost  results.Number `json:"at_most"`
}

// CapacityStep is one load that was tried.
type CapacityStep struct {
	Folder string  `json:"folder"`
	Load   float64 `json:"load"`
	// Outcomes are [Kept], [Broken] or [Unknown] for each server, Why the reasons, "" for what was kept.
	Outcomes []string `json:"outcomes"`
	Why      []string `json:"why"`
}

// ServerCapacity is what the steps say of one server.
type ServerCapacity struct {
	Name string `json:"name"`
	// Broken is the lowest load that was not kept, Kept the highest one below that was, Unknown the lowest one between the
	// two of which two measurements say nothing. A number that is not known is that of a load that was not met.
	Kept    results.Number `json:"kept"`
	Broken  results.Number `json:"broken"`
	Unknown results.Number `json:"unknown"`
	// Note says what the bracket must be read with, or "".
	Note string `json:"note"`
}

// capacities sum up the searches.
func (s *Sweep) capacities() ([]Capacity, error) {
	bounds, err := ParseBounds(s.Search.Conditions)
	if err != nil {
		return nil, err
	}
	all := []Capacity{}
	for i := range s.Cells {
		c := &s.Cells[i]
		if len(all) == 0 || all[len(all)-1].Cell != c.Cell {
			settings := map[string]string{}
			for _, axis := range s.Axes {
				settings[axis.Knob] = c.Settings[axis.Knob]
			}
			all = append(all, Capacity{Cell: c.Cell, Settings: settings, Steps: []CapacityStep{}, Servers: []ServerCapacity{}})
		}
		step, why := stepOf(c.Entry, s.Search, c.Run, bounds)
		last := &all[len(all)-1]
		last.Steps = append(last.Steps, CapacityStep{c.Folder, step.Load, step.Outcomes[:], why[:]})
	}
	for i := range all {
		all[i].sumUp(s.Search, s.Servers)
	}
	return all, nil
}

// Known says that every bracket is closed by loads of which the measurements say something.
func (c *Capacity) Known() bool {
	for server := range c.Servers {
		if BracketOf(c.steps(), server).Unknown > 0 {
			return false
		}
	}
	return true
}

// steps are those of the capacity as the search sees them.
func (c *Capacity) steps() []Step {
	var steps []Step
	for _, s := range c.Steps {
		steps = append(steps, Step{s.Load, [2]string(s.Outcomes)})
	}
	return steps
}

func (c *Capacity) sumUp(search *Search, names []string) {
	var brackets [2]Bracket
	for server, name := range names {
		b := BracketOf(c.steps(), server)
		brackets[server] = b
		c.Servers = append(c.Servers, ServerCapacity{
			Name: name, Kept: orUnknown(b.Kept), Broken: orUnknown(b.Broken), Unknown: orUnknown(b.Unknown), Note: c.note(search, server, b),
		})
	}
	c.AtLeast, c.AtMost = results.Unknown, results.Unknown
	for server, name := range names {
		more, less := brackets[server], brackets[1-server]
		if less.Broken > 0 && more.Kept >= less.Broken {
			c.Ahead, c.AtLeast = name, results.Number(more.Kept/less.Broken)
			if less.Kept > 0 && more.Broken > 0 {
				c.AtMost = results.Number(more.Broken / less.Kept)
			}
		}
	}
}

// note says what a bracket must be read with.
func (c *Capacity) note(search *Search, server int, b Bracket) string {
	highest := 0.0
	for _, step := range c.Steps {
		if step.Outcomes[server] == Kept {
			highest = max(highest, step.Load)
		}
	}
	switch {
	case b.Broken > 0 && highest > b.Broken:
		return fmt.Sprintf("at %g they were kept again: near the bound it is a matter of chance", highest)
	case b.Unknown > 0:
		return "from there on the measurements say nothing"
	case b.above() == 0 && b.Kept >= search.To:
		return "all that was tried was kept"
	case b.Kept == 0 && b.Broken > 0:
		return "nothing that was tried was kept"
	case b.above() > precise*b.Kept && len(c.Steps) >= search.Steps:
		return fmt.Sprintf("the search ended after %d steps", search.Steps)
	}
	return ""
}

// orUnknown is a load, unknown when it is 0.
func orUnknown(load float64) results.Number {
	if load == 0 {
		return results.Unknown
	}
	return results.Number(load)
}
