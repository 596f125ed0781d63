package report

import (
	"testing"

	"github.com/stretchr/testify/require"

	"poolvsloop/internal/diff"
	"poolvsloop/internal/results"
)

func TestDiff(t *testing.T) {
	d := &diff.Diff{
		First: "one", Second: "two", Differences: []diff.Difference{{Key: "config.workers", First: "20", Second: "40"}},
		Servers: []diff.Server{{Name: "threadpool", FirstRounds: 4, SecondRounds: 1, Metrics: []diff.Row{
			{Metric: "p99", Unit: "ms", First: 51.5, Second: 103, Ratio: 2, CILow: 1.9, CIHigh: 2.1, Verdict: "inconclusive", Note: "needs 4 rounds"},
		}}},
	}
	text := Diff(d)
	require.Contains(t, text, "first:   one\nsecond:  two\n\nTHE RUNS DIFFER.")
	require.Contains(t, text, "  config.workers: 20 in the first, 40 in the second\n")
	require.Contains(t, text, "threadpool (4 rounds, 1 round)\n")
	require.Contains(t, text, "2.000  1.900 .. 2.100   inconclusive: needs 4 rounds\n")
	require.Contains(t, DiffMarkdown(d), "| p99 [ms] | 51.50 | 103.0 | 2.000 | 1.900 .. 2.100 | inconclusive: needs 4 rounds |\n")
	d.Differences = nil
	require.Contains(t, Diff(d), "No difference in configuration")
}

func TestDiffOfCosts(t *testing.T) {
	four := results.Slope{KiB: 4, CILow: 3.9, CIHigh: 4.1}
	d := &diff.Diff{First: "one", Second: "two", Servers: []diff.Server{{Name: "threadpool", Cost: &diff.Cost{
		RateRPS:     400,
		Requests:    []diff.Row{{Metric: "server_cpu_per_request", Unit: "µs", First: 200, Second: 300, Ratio: 1.5, CILow: 1.4, CIHigh: 1.6, Verdict: "first"}},
		Idle:        []diff.Idle{{Metric: "rss", Unit: "KiB", First: four, Second: four, Difference: results.Slope{CILow: -0.1, CIHigh: 0.1}, Verdict: "tie"}},
		NotMeasured: []results.NotMeasured{{What: "system calls per request", Why: "not permitted"}},
	}}}}
	text := Diff(d)
	require.Contains(t, text, "\nCost of a request at 400 requests/s (")
	require.Contains(t, text, "  server CPU per request [µs]        200.0      300.0   1.500  1.400 .. 1.600   first\n")
	require.Contains(t, text, "  memory (RSS) [KiB] 4.00 (3.90..4.10)     4.00 (3.90..4.10)     0.00 (-0.10..0.10)    tie\n")
	require.Contains(t, text, "\nNot measured: system calls per request: not permitted.\n")
	markdown := DiffMarkdown(d)
	require.Contains(t, markdown, "\n\n| cost of a request | first | second | ratio |")
	require.Contains(t, markdown, "\n\n| cost of an idle connection | first | second | difference |")
	require.Contains(t, markdown, "| 0.00 (-0.10..0.10) | tie |\n\nNot measured: system calls")
}
