package sweep

import (
	"time"

	"poolvsloop/internal/results"
)

// Schema is the version of sweep.json; results/sweep-schema.json describes it.
const Schema = "poolvsloop/sweep/1"

// Document is the name of sweep.json in a sweep's folder.
const Document = "sweep.json"

// Status of a cell.
const (
	// Valid: every check of its run passed.
	Valid = "valid"
	// Invalid: one did not. The cell is in the set, and in no fit.
	Invalid = "invalid"
	// Failed: nothing could be measured.
	Failed = "failed"
)

// Sweep is sweep.json. Units are in the names of the keys.
type Sweep struct {
	Schema  string    `json:"schema"`
	ID      string    `json:"id"`
	Started time.Time `json:"started"`
	Argv    []string  `json:"argv"`
	// Planned is how many cells the grid has; Complete says that all of them are in Cells.
	Planned  int  `json:"planned_cells"`
	Complete bool `json:"complete"`
	// Discarded is how many runs were not valid and were made anew; their folders are kept.
	Discarded int `json:"discarded"`
	// Base are the flags that were set for all cells, as --name=value, Axes the knobs that differ.
	Base []string `json:"base"`
	Axes []Axis   `json:"axes"`
	// Order has the numbers of the cells as they are measured, drawn by Seed.
	Order []int  `json:"order"`
	Seed  uint64 `json:"seed"`
	// Like is the published report whose grid this is, "" for none; Scale what its times and numbers of requests were
	// multiplied by.
	Like  string  `json:"like"`
	Scale float64 `json:"scale"`
	// Servers are the names of the two sides, the first one that of every "threadpool" in a comparison.
	Servers []string `json:"servers"`
	// Environment is that of the first cell that was measured.
	Environment results.Environment `json:"environment"`
	// Margin is the relative difference that is taken for none.
	Margin float64      `json:"margin"`
	Cells  []CellResult `json:"cells"`
	// Scaling is how each server scales along the number of clients, when that is in the grid.
	Scaling []Scaling `json:"scaling"`
	// Along is the knob along which the crossings are looked for, "" for none.
	Along     string     `json:"along"`
	Crossings []Crossing `json:"crossings"`
	// Search is what was looked for in each cell, nil for nothing; Capacities are what was found.
	Search     *Search    `json:"search"`
	Capacities []Capacity `json:"capacities"`
	// Remarks say what the whole of it must be read with.
	Remarks []string `json:"remarks"`
}

// CellResult is a cell of the grid and what was measured in it.
type CellResult struct {
	Entry
	// Folder is that of its run, in the sweep's.
	Folder string `json:"folder"`
	// Status is [Valid], [Invalid] or [Failed]; Reasons say why it is not the first.
	Status  string   `json:"status"`
	Reasons []string `json:"reasons"`
	// Concurrency is the number of clients, 0 in an open loop; Rate that of an open loop's arrivals, 0 in a closed one.
	Concurrency int     `json:"concurrency"`
	Rate        float64 `json:"rate_rps"`
	// LateTail says that the slowest requests are a downstream's in part.
	LateTail bool     `json:"late_tail"`
	Servers  []Server `json:"servers"`
	// Comparison has every metric of both servers, as in the cell's run.json.
	Comparison []results.Comparison `json:"comparison"`
	// Run is what the cell's run.json holds, nil for a cell that failed.
	Run *results.Run `json:"-"`
}

// Server is one server in a cell.
type Server struct {
	Name string `json:"name"`
	// Limit is what held it back, as far as that is known.
	Limit string          `json:"limit"`
	Total results.Figures `json:"total"`
}

// Row is the comparison of the cell by that metric, and false when there is none.
func (c *CellResult) Row(metric string) (results.Comparison, bool) {
	for _, row := range c.Comparison {
		if row.Metric == metric {
			return row, true
		}
	}
	return results.Comparison{}, false
}
