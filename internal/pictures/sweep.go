package pictures

import (
	"fmt"

	"poolvsloop/internal/sweep"
)

// mapped are the metrics of which a sweep has a map.
var mapped = []string{"goodput", "p99"}

// OfSweep draws the pictures of a sweep: maps of its grid, and curves along its knob.
func OfSweep(s *sweep.Sweep) ([]Picture, []Left, error) {
	const title = "Maps and curves of the grid"
	if len(s.Servers) < 2 {
		return nil, []Left{{title, "nothing was measured yet"}}, nil
	}
	var all []Picture
	var left []Left
	for _, metric := range mapped {
		p, why, err := heat(s, metric)
		switch {
		case err != nil:
			return nil, nil, fmt.Errorf("draw the map of %s: %w", metric, err)
		case why != "":
			left = append(left, Left{heatTitle(metric), why})
		default:
			all = append(all, p)
		}
	}
	cuts, why, err := along(s)
	if err != nil {
		return nil, nil, fmt.Errorf("draw the curves along %s: %w", s.Along, err)
	}
	if why != "" {
		left = append(left, Left{alongTitle, why})
	}
	return append(all, cuts...), left, nil
}
