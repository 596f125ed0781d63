package sweep

// Cut is the valid cells of a grid that differ in one knob alone.
type Cut struct {
	// Settings are those of the other knobs.
	Settings map[string]string
	// At are the values of the knob, a time in seconds, in rising order, Cells the cells there.
	At    []float64
	Cells []*CellResult
}

// Cuts are those along a knob; none along one of which a value is no number.
func (s *Sweep) Cuts(knob string) []Cut {
	var all []Cut
	for _, l := range s.lines(knob) {
		all = append(all, Cut{l.settings, l.xs, l.cells})
	}
	return all
}

// Axis is the grid's axis of that knob, nil when there is none.
func (s *Sweep) Axis(knob string) *Axis { return s.axis(knob) }
