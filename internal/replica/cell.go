package replica

import (
	"strconv"
	"strings"
	"time"

	"poolvsloop/internal/abreport"
	"poolvsloop/internal/results"
	"poolvsloop/internal/sweep"
)

// notYet stands for the figures of a test that the lab cannot do.
const notYet = "not yet"

// figures are those of one server in one cell.
type figures struct {
	results.Figures
	ab *abreport.Summary
	// settings are those of the cell, config all of them.
	settings map[string]string
	config   results.Config
	// bad says why there are no figures, as they are printed in place of each; "" when there are.
	bad string
}

// cells are those of the sweep for one server, in the order of the grid.
func cells(s *sweep.Sweep, server int) []figures {
	var all []figures
	for _, c := range s.Cells {
		f := figures{settings: c.Settings}
		if c.Status != sweep.Valid {
			f.bad = strings.ToUpper(c.Status)
		}
		if c.Run != nil {
			f.Figures, f.ab, f.config = c.Run.Targets[server].Total, c.Run.Targets[server].AB, c.Run.Config
		}
		if f.ab == nil {
			f.ab = &abreport.Summary{}
		}
		all = append(all, f)
	}
	return all
}

// none stands in the columns of what a test was for what it had not, or for what is not known of one that did not run.
const none = "N/A"

// users are the clients of the test, of which an open loop has none: of any sweep, also of one whose grid names other knobs.
func (f figures) users() string { return f.setting(users, f.config.Concurrency, f.config.Open()) }

// size are the bytes of a request body.
func (f figures) size() string { return f.setting(size, f.config.BodySize, false) }

// setting is the knob's value in the grid, else what the run had.
func (f figures) setting(knob string, had int, without bool) string {
	if value, found := f.settings[knob]; found && !without {
		return value
	}
	if had == 0 || without {
		return none
	}
	return whole(had)
}

// delay is the delay of the back ends in milliseconds; of delays that are drawn, and of two that differ, it is both as
// their flags have them.
func (f figures) delay() string {
	a, err1 := time.ParseDuration(f.config.LatencyA)
	b, err2 := time.ParseDuration(f.config.LatencyB)
	switch {
	case f.config.LatencyA == "" || f.config.LatencyB == "":
		return none
	case err1 == nil && err2 == nil && a == b:
		return strconv.FormatFloat(a.Seconds()*1e3, 'f', -1, 64)
	}
	return f.config.LatencyA + " and " + f.config.LatencyB
}

// row is a row of a table: the keys as they are, and behind them the figures, or what is the matter with all of them.
func (f figures) row(keys []string, values ...string) []string {
	row := append([]string{}, keys...)
	for _, value := range values {
		if f.bad != "" {
			value = f.bad
		}
		row = append(row, value)
	}
	return row
}

// gapRow is the row of a test that the lab cannot do: its name, and "not yet" everywhere else.
func gapRow(g gap, columns int) []string {
	row := []string{g.test}
	for range columns - 1 {
		row = append(row, notYet)
	}
	return row
}

// rate is of all requests of the test in a second, as JMeter counts them: also of those that failed.
func (f figures) rate() float64 {
	if f.DurationS <= 0 {
		return 0
	}
	return float64(f.Sent) / f.DurationS
}

// inFlight is throughput × mean response time, by Little's law the requests in progress.
func (f figures) inFlight() float64 { return f.rate() * f.MeanMS / 1e3 }

// errorPercent is the share of the requests that failed.
func (f figures) errorPercent() float64 {
	if f.Sent == 0 {
		return 0
	}
	return 100 * float64(f.Failed) / float64(f.Sent)
}

// perSecond is bytes of the test in KB a second, of 1024 bytes as JMeter has them.
func (f figures) perSecond(bytes int64) float64 {
	if f.DurationS <= 0 {
		return 0
	}
	return float64(bytes) / 1024 / f.DurationS
}

// two prints a figure with two decimals.
func two(x float64) string { return strconv.FormatFloat(x, 'f', 2, 64) }

func whole(n int) string { return strconv.Itoa(n) }
