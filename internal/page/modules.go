package page

import (
	"maps"
	"slices"

	"poolvsloop/internal/report"
	"poolvsloop/internal/results"
)

// modules are the versions in the programs, in the order of their names.
func modules(run *results.Run) []report.Named {
	var all []report.Named
	for _, name := range slices.Sorted(maps.Keys(run.Environment.Versions)) {
		all = append(all, report.Named{Name: name, Text: run.Environment.Versions[name]})
	}
	return all
}
