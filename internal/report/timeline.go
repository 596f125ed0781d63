package report

import (
	"time"

	"poolvsloop/internal/crowd"
	"poolvsloop/internal/results"
	"poolvsloop/internal/timeline"
)

// crowds are what became of the clients beside the measured ones; "" for a run without.
func crowds(run *results.Run) string {
	var sides []crowd.Side
	for _, t := range run.Targets {
		sides = append(sides, crowd.Side{Name: t.Name, Crowds: t.Crowds})
	}
	text := crowd.Text(sides)
	if text != "" {
		text += "\n"
	}
	return text
}

// timelines are what the events did to each server; "" for a run without events.
func timelines(run *results.Run) string {
	var sides []timeline.Side
	for _, t := range run.Targets {
		sides = append(sides, timeline.Side{Name: t.Name, Series: t.Series, Rounds: t.Timeline})
	}
	text := timeline.Text(sides, time.Duration(run.Config.Duration))
	if text != "" {
		text += "\n"
	}
	return text
}
