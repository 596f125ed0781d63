package sweep

import (
	"cmp"
	"maps"
	"slices"

	"poolvsloop/internal/results"
)

// line is the cells of a grid that differ in one knob alone, in the order of its values: a cut through the grid.
type line struct {
	// settings are those of the other knobs.
	settings map[string]string
	xs       []float64
	cells    []*CellResult
}

// lines cuts the grid along a knob. Only valid cells are in a line. There is none along a knob of which a value is no
// number.
func (s *Sweep) lines(knob string) []line {
	var all []line
	at := map[string]int{}
	for i := range s.Cells {
		c := &s.Cells[i]
		if _, ok := Number(c.Settings[knob]); !ok {
			return nil
		}
		if c.Status != Valid {
			continue
		}
		rest := maps.Clone(c.Settings)
		delete(rest, knob)
		key := Label(s.Knobs(), rest)
		if _, known := at[key]; !known {
			at[key] = len(all)
			all = append(all, line{settings: rest})
		}
		l := &all[at[key]]
		l.cells = append(l.cells, c)
	}
	for i := range all {
		l := &all[i]
		place := func(c *CellResult) float64 { x, _ := Number(c.Settings[knob]); return x }
		slices.SortFunc(l.cells, func(a, b *CellResult) int { return cmp.Compare(place(a), place(b)) })
		for _, c := range l.cells {
			l.xs = append(l.xs, place(c))
		}
	}
	return all
}

// axis is the grid's axis of that knob, nil when there is none.
func (s *Sweep) axis(knob string) *Axis {
	for i, axis := range s.Axes {
		if axis.Knob == knob {
			return &s.Axes[i]
		}
	}
	return nil
}

// goodputs are a server's answers 2xx a second, round by round.
func (c *CellResult) goodputs(server int) []float64 {
	rounds := c.Run.Targets[server].Rounds
	xs := make([]float64, len(rounds))
	for i, f := range rounds {
		xs[i] = f.GoodputRPS
	}
	return xs
}

// clean says that hardly a request of the server failed: its figures are those of the work that was asked for.
func (c *CellResult) clean(server int) bool {
	return c.Servers[server].Total.FailedShare() <= results.FailedTooMuch
}
