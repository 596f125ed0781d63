package report

import (
	"testing"

	"github.com/stretchr/testify/require"

	"poolvsloop/internal/diff"
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
