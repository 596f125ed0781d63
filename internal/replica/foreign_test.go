package replica

import (
	"testing"

	"github.com/stretchr/testify/require"

	"poolvsloop/internal/results"
)

// TestKeysAreWhatTheTestHad prints sweeps that are like no report: the columns that say what a test was must say it, though
// their grids name other knobs.
func TestKeysAreWhatTheTestHad(t *testing.T) {
	base := results.Config{Concurrency: 50, BodySize: 256, LatencyA: "20ms", LatencyB: "30ms"}
	for name, c := range map[string]struct {
		grid   map[string]string
		change func(*results.Config)
		keys   []string // users, bytes, delay
	}{
		"other knobs":  {map[string]string{"workers": "10"}, func(*results.Config) {}, []string{"50", "256", "20ms and 30ms"}},
		"its knobs":    {map[string]string{users: "7", size: "500"}, func(c *results.Config) { c.Concurrency, c.BodySize = 7, 500 }, []string{"7", "500", "20ms and 30ms"}},
		"no delay":     {nil, func(c *results.Config) { c.LatencyA, c.LatencyB = "0s", "0s" }, []string{"50", "256", "0"}},
		"one delay":    {nil, func(c *results.Config) { c.LatencyA, c.LatencyB = "1.5s", "1500ms" }, []string{"50", "256", "1500"}},
		"drawn delays": {nil, func(c *results.Config) { c.LatencyB = "exp:20ms" }, []string{"50", "256", "20ms and exp:20ms"}},
		"open loop":    {map[string]string{"rate": "100"}, func(c *results.Config) { c.Rate = 100 }, []string{none, "256", "20ms and 30ms"}},
		"did not run":  {nil, func(c *results.Config) { *c = results.Config{} }, []string{none, none, none}},
	} {
		t.Run(name, func(t *testing.T) {
			s, files := measured(t, ballerina, 0)
			s.Cells = s.Cells[:1]
			s.Cells[0].Settings = c.grid
			s.Cells[0].Run.Config = base
			c.change(&s.Cells[0].Run.Config)
			tables, err := ballerina.Tables(s, files)
			require.NoError(t, err)
			require.Equal(t, c.keys, tables[0].Rows[0][2:5])
		})
	}
}
