package report

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"poolvsloop/internal/results"
)

func TestWarnings(t *testing.T) {
	target := results.Target{Total: results.Figures{Completed: 100}, LittlesLaw: results.LittlesLaw{Ratio: 1}, Fairness: results.Fairness{Connections: 10}}
	require.NotContains(t, below(target), "WARNING")
	target.LittlesLaw.Ratio = 0.8
	target.Fairness.Starved = 3
	require.Contains(t, below(target), "WARNING: X*R is 80.0 % of the clients")
	require.Contains(t, below(target), "WARNING: 3 of 10 clients got no answer")
}

func TestTableShowsWhatIsUnknown(t *testing.T) {
	rows := []results.Comparison{
		{Metric: "throughput", Unit: "req/s", ThreadPool: 985.24, EventLoop: 98765.4, Ratio: 1.0042, CILow: 0.99, CIHigh: 1.02, Verdict: "tie"},
		{Metric: "ctx_switches_per_request", ThreadPool: 0, EventLoop: 0.12345, Ratio: results.Unknown, CILow: results.Unknown,
			CIHigh: results.Unknown, Verdict: "inconclusive", Note: "needs 4 rounds"},
	}
	text := table(rows, 4)
	for line := range strings.Lines(text) {
		require.LessOrEqual(t, len([]rune(line))-1, columns, line)
	}
	require.Contains(t, text, "  throughput [req/s]                 985.2      98765   1.004  0.990 .. 1.020   tie\n")
	require.Contains(t, text, "  context switches per request       0.000      0.123       -  -                inconclusive (1)\n")
	require.Contains(t, markdownTable(rows), "| throughput [req/s] | 985.2 | 98765 | 1.004 | 0.990 .. 1.020 | tie |\n")
}

func TestQuota(t *testing.T) {
	for quotaText, want := range map[string]string{"": "", "0": "", "1": " (at most 1 for each server)", "1.5": " (at most 1.5 for each server)"} {
		require.Equal(t, want, quota(results.Settings{"limits.cgroup_quota": quotaText}))
	}
}
