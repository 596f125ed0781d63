package pictures

import "fmt"

// All draws every picture of a run for which it has the figures, and says why it leaves out the others.
func All(d Data) ([]Picture, []Left, error) {
	var all []Picture
	var left []Left
	for _, one := range []struct {
		title string
		draw  func(Data) (Picture, string, error)
	}{
		{ratiosTitle, ratios},
		{stagesTitle, stages},
		{percentilesTitle, percentiles},
		{concurrencyTitle, concurrency},
		{ccdfTitle, ccdf},
		{courseTitle, course},
		{memoryTitle, memory},
	} {
		p, why, err := one.draw(d)
		switch {
		case err != nil:
			return nil, nil, fmt.Errorf("draw %q: %w", one.title, err)
		case why != "":
			left = append(left, Left{one.title, why})
		default:
			all = append(all, p)
		}
	}
	return all, left, nil
}
