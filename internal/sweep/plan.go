package sweep

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"time"
)

// PlanSchema is the version of plan.json.
const PlanSchema = "poolvsloop/sweep-plan/1"

// Plan is what is measured, fixed before the first cell. It is all that is needed to go on.
type Plan struct {
	Schema  string    `json:"schema"`
	ID      string    `json:"id"`
	Started time.Time `json:"started"`
	Argv    []string  `json:"argv"`
	// Base are the flags that were set for all cells, as --name=value.
	Base []string `json:"base"`
	Axes []Axis   `json:"axes"`
	// Along is the knob along which crossings are looked for, "" for the first that [Plan.Direction] finds.
	Along string `json:"along"`
	// Order has the numbers of the cells as they are measured, drawn by Seed: a drift of the machine then looks like no
	// knob.
	Order []int  `json:"order"`
	Seed  uint64 `json:"seed"`
	// Search is what is looked for in each cell; nil for a sweep that measures each cell once.
	Search *Search `json:"search"`
	// Like is the published report whose grid this is, "" for none; Scale what its times were multiplied by.
	Like  string  `json:"like"`
	Scale float64 `json:"scale"`
}

// Draw fixes the order of the cells.
func (p *Plan) Draw(seed uint64) {
	p.Seed = seed
	p.Order = rand.New(rand.NewPCG(seed, orderStream)).Perm(len(p.Cells()))
	for i := range p.Order {
		p.Order[i]++
	}
}

// orderStream sets the draws of the order apart from others with the same seed.
const orderStream = 0x5157

// Cell is one combination of the values of a grid, or a step of the search in it.
type Cell struct {
	// Number counts from 1, the last axis fastest; Step too, 0 where there is no search.
	Number, Step int
	// Settings are the values by knob.
	Settings map[string]string
}

// Name is that of the cell's folder.
func (c Cell) Name() string {
	name := fmt.Sprintf("%s%04d", cellPrefix, c.Number)
	if c.Step > 0 {
		name += fmt.Sprintf("-step-%02d", c.Step)
	}
	return name
}

const cellPrefix = "cell-"

// Direction is the knob along which crossings are looked for: Along, or else the number of clients, or else the first knob
// with several values that are numbers; "" when there is none.
func (p *Plan) Direction() string {
	if p.Along != "" {
		return p.Along
	}
	direction := ""
	for _, axis := range p.Axes {
		switch {
		case !axis.Numeric() || len(axis.Values) < 2:
		case axis.Knob == concurrency:
			return concurrency
		case direction == "":
			direction = axis.Knob
		}
	}
	return direction
}

// Numeric says that all values of the axis are numbers, or times.
func (a Axis) Numeric() bool {
	return !slices.ContainsFunc(a.Values, func(value string) bool { _, ok := Number(value); return !ok })
}

// Times says that all values of the axis are times, with a unit.
func (a Axis) Times() bool {
	return !slices.ContainsFunc(a.Values, func(value string) bool { _, err := time.ParseDuration(value); return err != nil || value == "0" })
}

// Cells are all cells, in the order of their numbers.
func (p *Plan) Cells() []Cell {
	cells := []Cell{{Settings: map[string]string{}}}
	for _, axis := range p.Axes {
		var finer []Cell
		for _, c := range cells {
			for _, value := range axis.Values {
				settings := map[string]string{axis.Knob: value}
				for knob, v := range c.Settings {
					settings[knob] = v
				}
				finer = append(finer, Cell{Settings: settings})
			}
		}
		cells = finer
	}
	for i := range cells {
		cells[i].Number = i + 1
	}
	return cells
}

// Knobs are those that differ from cell to cell, in the order of the grid, that of a search last.
func (p *Plan) Knobs() []string { return knobsOf(p.Axes, p.Search) }

func knobsOf(axes []Axis, search *Search) []string {
	var all []string
	for _, axis := range axes {
		all = append(all, axis.Knob)
	}
	if search != nil {
		all = append(all, search.Over)
	}
	return all
}

// Label names a cell by its settings, in the order of the knobs: "workers=10 concurrency=50".
func Label(knobs []string, settings map[string]string) string {
	var parts []string
	for _, knob := range knobs {
		if value, ok := settings[knob]; ok {
			parts = append(parts, knob+"="+value)
		}
	}
	return strings.Join(parts, " ")
}

// mostSteps bounds the steps of a search.
const mostSteps = 50

// check says what is wrong with a plan that was read.
func (p *Plan) check() error {
	if p.Schema != PlanSchema {
		return fmt.Errorf("its schema is %q, want %q: only sweeps of this version can go on", p.Schema, PlanSchema)
	}
	if s := p.Search; s != nil && (s.From < 1 || s.To < s.From || s.Steps < 1 || s.Steps > mostSteps) {
		return fmt.Errorf("a search from %g to %g in %d steps: want 1 or more, rising, and %d steps at most", s.From, s.To, s.Steps, mostSteps)
	}
	cells := 1
	for _, axis := range p.Axes {
		if cells *= len(axis.Values); cells > MostCells {
			return fmt.Errorf("more than %d cells", MostCells)
		}
	}
	want := make([]int, cells)
	for i := range want {
		want[i] = i + 1
	}
	if !slices.Equal(slices.Sorted(slices.Values(p.Order)), want) {
		return errors.New("its order is not one of its cells")
	}
	return nil
}
