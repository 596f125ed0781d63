package report

import (
	"math"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"poolvsloop/internal/results"
)

func TestWarnings(t *testing.T) {
	target := results.Target{Total: results.Figures{Completed: 400}, LittlesLaw: results.LittlesLaw{Concurrency: 10, Ratio: 1}, Fairness: results.Fairness{Connections: 10}}
	require.NotContains(t, below(target), "WARNING")
	target.LittlesLaw.Ratio = 0.8
	target.Fairness.Starved = 3
	require.Contains(t, below(target), "WARNING: X*R is 80.0 % of the clients")
	require.Contains(t, below(target), "WARNING: 3 of 10 clients got no answer")
}

func TestAnOpenLoopHasNoClients(t *testing.T) {
	text := below(results.Target{
		Total:      results.Figures{Completed: 400, Requests: 407, Dropped: 5, Late: 3, SendLagP99MS: 1.25},
		LittlesLaw: results.LittlesLaw{XTimesR: 9.5},
	})
	require.Contains(t, text, "407 planned, 5 dropped, 3 sent more than 10 ms late; send lag p99 1.250 [ms]")
	require.NotContains(t, text, "clients")
	require.NotContains(t, text, "WARNING")
}

func TestTableShowsWhatIsUnknown(t *testing.T) {
	rows := []results.Comparison{
		{Metric: "throughput", Unit: "req/s", ThreadPool: 985.24, EventLoop: 98765.4, Ratio: 1.0042, CILow: 0.99, CIHigh: 1.02, Verdict: "tie"},
		{Metric: "ctx_switches_per_request", ThreadPool: 0, EventLoop: 0.12345, Ratio: results.Unknown, CILow: results.Unknown,
			CIHigh: results.Unknown, Verdict: "inconclusive", Note: "needs 4 rounds"},
	}
	run := &results.Run{Comparison: rows, Targets: []results.Target{
		{Name: "threadpool", Rounds: make([]results.Figures, 4)}, {Name: "eventloop", Rounds: make([]results.Figures, 4)},
	}}
	text := table(run)
	for line := range strings.Lines(text) {
		require.LessOrEqual(t, len([]rune(line))-1, columns, line)
	}
	require.Contains(t, text, "  throughput [req/s]                 985.2       98765   1.004  0.990 .. 1.020   tie\n")
	require.Contains(t, text, "  context switches per request       0.000       0.123       -  -                inconclusive (1)\n")
	require.Contains(t, markdownTable(run), "| throughput [req/s] | 985.2 | 98765 | 1.004 | 0.990 .. 1.020 | tie |\n")
}

func TestTieOfADifferenceIsExplained(t *testing.T) {
	for name, c := range map[string]struct {
		low, high results.Number
		said      bool
	}{"leaves 1 out": {1.006, 1.02, true}, "below 1": {0.98, 0.99, true}, "holds 1": {0.99, 1.02, false}} {
		t.Run(name, func(t *testing.T) {
			run := answered(10, map[string]string{"goodput": "tie"})
			run.Config.Margin = 0.03
			for i := range run.Comparison {
				run.Comparison[i].CILow, run.Comparison[i].CIHigh = c.low, c.high
			}
			require.Equal(t, c.said, strings.Contains(table(run), "tie: the whole interval is within ±3 % of 1"))
			require.Contains(t, oneLine(comparison(run)), "In short: ")
		})
	}
}

func TestQuota(t *testing.T) {
	for quotaText, want := range map[string]string{"": "", "0": "", "1": " (at most 1 for each server)", "1.5": " (at most 1.5 for each server)"} {
		require.Equal(t, want, quota(results.Settings{"limits.cgroup_quota": quotaText}))
	}
}

func TestNumberKeepsItsColumn(t *testing.T) {
	for v, want := range map[float64]string{
		0: "0.000", 1e-300: "1e-300", 0.0004: "4e-04", 0.0005: "0.001", 1: "1.000", 99.9996: "100.0", 123.46: "123.5", 1234.5: "1234",
		99999: "99999", 1214233: "1e+06", math.Inf(1): "-",
	} {
		require.Equal(t, want, number(results.Number(v)))
	}
	row := results.Comparison{CILow: 0.0001, CIHigh: 1214233}
	require.LessOrEqual(t, len(interval(row)), 16)
}

func TestMarkdownIsComplete(t *testing.T) {
	run := &results.Run{
		ID: "20260102T030405.000Z-test", InvalidReasons: []string{"books: 1 | 2\nlost"}, Why: "Why: w.", Next: "Next: n.",
		Targets:    []results.Target{{Name: "threadpool"}, {Name: "eventloop", ServerConfig: map[string]any{"mistake": "block"}}},
		Comparison: []results.Comparison{{Metric: "p99", Unit: "ms", Verdict: "tie"}},
		Checks: []results.Check{
			{Name: "books", Status: results.Failed, Figure: 1, Unit: "requests", Detail: "1 | 2\nlost"},
			{Name: "answers", OK: true, Status: results.Passed, Figure: results.Unknown, Bound: results.Unknown, Detail: "all"},
		},
	}
	text := Markdown(run)
	for _, part := range []string{
		"### poolvsloop: 20260102T030405.000Z-test\n", "**INVALID: these figures decide nothing.**\n\n- books: 1 | 2 lost\n", "threadpool:",
		"| p99 [ms] |", "MISTAKE:", "Why: w.\n\nNext: n.\n", "Checks: 1 passed, 1 failed.", `| books | **failed** | 1 | 0 | requests | 1 \| 2 lost |`,
		"| answers | passed | - | - |  | all |",
		"<details><summary>threadpool</summary>\n\n```\nthreadpool\n", "<summary>eventloop</summary>",
	} {
		require.Contains(t, text, part)
	}
	require.Zero(t, strings.Count(text, "```")%2, "every block is closed")
}

func TestMarkdownSaysWhatTheTextSays(t *testing.T) {
	run, err := results.Load("../../results/example")
	require.NoError(t, err)
	text, markdown := oneLine(Text(run)), oneLine(Markdown(run))
	for _, section := range []string{
		"Predicted vs measured: threadpool", "Resources of eventloop", "Anatomy of a request", "Steady state: ", "In short: ", "Why: ", "Next: ",
		"Checks: ",
	} {
		require.Contains(t, text, section)
		require.Contains(t, markdown, section)
	}
}

func TestChecksAreATable(t *testing.T) {
	run := &results.Run{Checks: []results.Check{
		{Name: "closed_books", OK: true, Status: results.Passed, Figure: 0, Bound: 0, Unit: "requests", Detail: "all are booked"},
		{Name: "no_steal", Status: results.Failed, Figure: 12.345678, Bound: 10, Unit: "% of CPU", Detail: "12 %, bound 10 %"},
		{Name: "warm_up", OK: true, Status: results.Warning, Figure: results.Unknown, Bound: results.Unknown, Detail: "none"},
	}}
	text := checks(run)
	require.Equal(t, "Checks: 1 passed, 1 failed, 1 warning.\n", summary(run))
	require.Contains(t, text, "no_steal                 failed            12.35         10  % of CPU\n")
	require.Contains(t, text, "warm_up                  warning               -          -\n")
	require.Contains(t, text, "FAILED: no_steal: 12 %, bound 10 %")
	require.NotContains(t, text, "all are booked")
}
