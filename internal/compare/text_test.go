package compare

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"poolvsloop/internal/results"
)

func requireWidth(t *testing.T, text string) {
	t.Helper()
	for line := range strings.Lines(text) {
		require.LessOrEqual(t, len([]rune(strings.TrimRight(line, "\n"))), columns, line)
	}
}

func TestTheWholeTextIsReadable(t *testing.T) {
	e := soundEvidence(4)
	run := e.Run()
	text, err := e.print(run, "results/x")
	require.NoError(t, err)
	requireWidth(t, text)
	require.NotContains(t, text, "INVALID")
	// The parts stand in the order in which they are read.
	rest := text
	for _, part := range []string{
		"poolvsloop:", "thread pool:  workers 200 (thread), queue 100", "event loop:   loops 2", "10 clients, closed loop",
		"threadpool\n----------\n", "Server Software:", "Concurrency Level:      10\n", "Complete requests:      800\n",
		"Failed requests:        0\n", "Requests per second:", "Percentage of the requests served",
		"Server CPU per request: 100.000 [us]", "Context switches:       4.00 per request", "Threads of the OS:      12",
		"Answers per client:     80 to 80, median 80 (10 clients, 0 starved; Jain's index 1.0000)",
		"Little's law:           X*R =", "Ledger:                 A 800, B 800, cache reads 800 (720 hits), cache writes 80",
		"eventloop\n---------\n", "Comparison (medians of 4 rounds", "throughput [req/s]", "tie", "Why: 10 clients never fill",
		"Next: `loadrunner compare", "Checks: 18 of 18 passed.", "Results: results/x\n",
	} {
		_, after, found := strings.Cut(rest, part)
		require.True(t, found, "%q is missing, or before what should precede it, in:\n%s", part, text)
		rest = after
	}
}

func TestAnInvalidRunSaysSoFirst(t *testing.T) {
	e := soundEvidence(2)
	e.Rounds[0].A.Calls = 3
	e.Interrupted = true
	run := e.Run()
	for _, format := range []string{Text, Markdown} {
		e.Config.Format = format
		text, err := e.print(run, "")
		require.NoError(t, err)
		requireWidth(t, strings.Split(text, "| metric")[0])
		first, _, _ := strings.Cut(strings.TrimLeft(text, "=\n"), "\n")
		require.Equal(t, "INTERRUPTED: a partial report. INVALID: these figures decide nothing.", first)
		require.Contains(t, text, "ledger_a_calls: threadpool in round 1")
	}
	files, err := e.files(run)
	require.NoError(t, err)
	for _, f := range files {
		if strings.HasSuffix(f.Name, ".txt") && f.Name != "bench.txt" {
			require.Contains(t, string(f.Body), "INVALID", f.Name)
		}
	}
}

func TestMistakesAndStacksAreLoud(t *testing.T) {
	e := soundEvidence(2)
	e.Configs[EventLoop]["mistake"] = "block"
	e.Configs[ThreadPool]["stack"] = "fiber"
	run := e.Run()
	pool, loop, both := e.ServerReport(run.Targets[0]), e.ServerReport(run.Targets[1]), e.CompareReport(run)
	require.Contains(t, pool, "NOTE: --stack=fiber")
	require.Contains(t, loop, "MISTAKE: this eventloop runs with --mistake=block")
	require.Contains(t, both, "NOTE: --stack=fiber")
	require.Contains(t, both, "MISTAKE: this eventloop runs with --mistake=block")
	requireWidth(t, pool+loop+both)
}

func TestWarnings(t *testing.T) {
	run := soundEvidence(2).Run()
	target := run.Targets[0]
	require.NotContains(t, ServerText(target), "WARNING")
	target.LittlesLaw.Ratio = 0.8
	target.Fairness.Starved = 3
	require.Contains(t, ServerText(target), "WARNING: X*R is 80.0 % of the clients")
	require.Contains(t, ServerText(target), "WARNING: 3 of 10 clients got no answer")
}

func TestTableShowsWhatIsUnknown(t *testing.T) {
	rows := []results.Comparison{
		{Metric: "throughput", Unit: "req/s", ThreadPool: 985.24, EventLoop: 98765.4, Ratio: 1.0042, CILow: 0.99, CIHigh: 1.02, Verdict: "tie"},
		{Metric: "ctx_switches_per_request", ThreadPool: 0, EventLoop: 0.12345, Ratio: results.Unknown, CILow: results.Unknown,
			CIHigh: results.Unknown, Verdict: "inconclusive"},
	}
	text := Table(rows, 4)
	requireWidth(t, text)
	require.Contains(t, text, "  throughput [req/s]                   985.2      98765   1.004  0.990 .. 1.020    tie\n")
	require.Contains(t, text, "  context switches per request         0.000      0.123       -  -                 inconclusive\n")
	require.Contains(t, MarkdownTable(rows), "| throughput [req/s] | 985.2 | 98765 | 1.004 | 0.990 .. 1.020 | tie |\n")
}
