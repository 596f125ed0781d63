package compare

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"poolvsloop/internal/report"
)

func requireWidth(t *testing.T, text string) {
	t.Helper()
	for line := range strings.Lines(text) {
		require.LessOrEqual(t, len([]rune(strings.TrimRight(line, "\n"))), 100, line)
	}
}

func TestTheWholeTextIsReadable(t *testing.T) {
	e := soundEvidence(4)
	run := e.Run()
	text, err := Print(run, Text)
	require.NoError(t, err)
	requireWidth(t, text)
	require.NotContains(t, text, "INVALID")
	// The parts stand in the order in which they are read.
	rest := text
	for _, part := range []string{
		"poolvsloop:", "threadpool:   200 workers (thread), queue 100", "eventloop:    loops 2", "10 clients, closed loop",
		"threadpool\n----------\n", "Server Software:", "Concurrency Level:      10\n", "Complete requests:      800\n",
		"Failed requests:        0\n", "Requests per second:", "Percentage of the requests served",
		"Server CPU per request: 100.000 [us]", "Context switches:       4.00 per request", "Threads of the OS:      12",
		"Answers per client:     80 to 80, median 80 (10 clients, 0 starved; Jain's index 1.0000)",
		"Little's law:           X*R =", "Ledger:                 A 800, B 800, cache reads 800 (720 hits), cache writes 80",
		"eventloop\n---------\n", "Resources of threadpool (means; limit: ", "Resources of eventloop", "Anatomy of a request", "Steady state:",
		"closed_books             passed", "Comparison (medians of 4 rounds", "throughput [req/s]", "tie", "Why: Thread pool: ",
		"Next: `loadrunner compare --workers 4 -c 40`", "Checks: 34 passed, 0 failed.",
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
		text, err := Print(run, format)
		require.NoError(t, err)
		first := strings.Join(strings.Split(text, "\n")[:3], "\n")
		require.Contains(t, first, "INTERRUPTED: a partial report. INVALID: these figures decide nothing.")
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
	pool, loop, both := report.Server(run, run.Targets[0]), report.Server(run, run.Targets[1]), report.Comparison(run)
	require.Contains(t, pool, "NOTE: --stack=fiber")
	require.Contains(t, loop, "MISTAKE: this eventloop runs with --mistake=block")
	require.Contains(t, both, "NOTE: --stack=fiber")
	require.Contains(t, both, "MISTAKE: this eventloop runs with --mistake=block")
	requireWidth(t, pool+loop+both)
}
