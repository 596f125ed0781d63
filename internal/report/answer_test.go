package report

import (
	"testing"

	"github.com/stretchr/testify/require"

	"poolvsloop/internal/results"
)

// answered is a valid run of that many rounds with those verdicts by metric; ratios say what the verdicts do.
func answered(rounds int, verdicts map[string]string) *results.Run {
	run := &results.Run{
		Valid: true, Config: results.Config{Concurrency: 200, Workers: 20, LatencyA: "20ms", LatencyB: "30ms"},
		Targets: []results.Target{
			{Name: "threadpool", Rounds: make([]results.Figures, rounds)}, {Name: "eventloop", Rounds: make([]results.Figures, rounds)},
		},
	}
	for _, m := range results.Metrics {
		row := results.Comparison{
			Metric: m.Name, Unit: m.Unit, Better: m.Better, Verdict: "inconclusive", ThreadPool: 100, EventLoop: 102, Ratio: 1.02, CILow: 0.9,
			CIHigh: 1.1, Note: "about 30 rounds would settle it",
		}
		if v := verdicts[m.Name]; v != "" {
			row.Verdict, row.Note = v, ""
			if (v == "eventloop") == (m.Better == results.Higher) {
				row.EventLoop, row.Ratio, row.CILow, row.CIHigh = 400, 4, 3.5, 4.5
			} else {
				row.EventLoop, row.Ratio, row.CILow, row.CIHigh = 25, 0.25, 0.2, 0.5
			}
		}
		run.Comparison = append(run.Comparison, row)
	}
	return run
}

func TestTheAnswer(t *testing.T) {
	loop, pool := "eventloop", "threadpool"
	for name, c := range map[string]struct {
		rounds   int
		verdicts map[string]string
		winner   string
		verdict  string
		gains    []string
		sure     string
	}{
		"faster and cheaper": {
			10, map[string]string{"goodput": loop, "mean": loop, "server_cpu_per_request": loop, "rss": loop}, loop,
			"The event loop is faster, and cheaper.", []string{
				"Event loop: 4.0 times as many answers a second, 400.0 against 100.0",
				"Event loop: 75 % less time to answer on average, 25.00 against 100.0 ms",
				"Event loop: 75 % less CPU per request, 25.00 against 100.0 µs",
			}, "95 % interval of the first figure: a factor of 3.50 to 4.50.",
		},
		"the pool is faster, the loop cheaper": {
			4, map[string]string{"mean": pool, "rss": loop}, pool, "The thread pool is faster, the event loop is cheaper.", []string{
				"Thread pool: 75 % less time to answer on average, 100.0 against 400.0 ms", "Event loop: 75 % less memory, 25.00 against 100.0 MiB",
			}, "95 % interval of the first figure: a factor of 3.50 to 4.50. 4 rounds each are an indication; for a claim take --rounds 10.",
		},
		"each is faster in something": {10, map[string]string{"goodput": loop, "p99": pool}, "", "Each is faster in something.", []string{
			"Event loop: 4.0 times as many answers a second, 400.0 against 100.0", "Thread pool: 75 % less p99, 100.0 against 400.0 ms",
		}, "95 % interval of the first figure: a factor of 3.50 to 4.50."},
		"faster at the slow end alone": {
			10, map[string]string{"goodput": "tie", "mean": "tie", "p99": loop}, loop, "The event loop is faster in the slowest 1 % of requests.",
			[]string{"Event loop: 75 % less p99, 25.00 against 100.0 ms"}, "95 % interval of the first figure: a factor of 2.00 to 5.00.",
		},
		"only cheaper": {4, map[string]string{"server_cpu_per_request": loop}, loop, "No difference in speed was shown. The event loop is cheaper.", []string{
			"Event loop: 75 % less CPU per request, 25.00 against 100.0 µs",
		}, "95 % interval of the first figure: a factor of 2.00 to 5.00. Throughput is inconclusive: about 30 rounds would settle it. " +
			"4 rounds each are an indication; for a claim take --rounds 10."},
		"nothing": {2, nil, "", "Not decided: 2 rounds each cannot name a winner.", nil,
			"Throughput is inconclusive: about 30 rounds would settle it. An interval takes 4 rounds or more: take --rounds 10."},
		"a tie": {10, map[string]string{"goodput": "tie", "mean": "tie"}, "", "A tie: both are equally fast.", nil, ""},
	} {
		t.Run(name, func(t *testing.T) {
			a := AnswerOf(answered(c.rounds, c.verdicts))
			require.Equal(t, c.winner, a.Winner)
			require.Equal(t, c.verdict, a.Verdict)
			require.Equal(t, c.gains, a.Gains)
			require.Equal(t, c.sure, a.Sure)
			require.Equal(t, "What serves 200 clients better: a pool of 20 blocking workers, or an event loop?", a.Question)
		})
	}
}

func TestAnInvalidRunHasNoAnswer(t *testing.T) {
	run := answered(10, map[string]string{"goodput": "eventloop"})
	run.Valid = false
	a := AnswerOf(run)
	require.Equal(t, "No winner is named.", a.Verdict)
	require.Empty(t, a.Winner)
	require.Empty(t, a.Gains)
	require.Contains(t, a.Sure, "not valid")
	require.Equal(t, "Nothing was compared.", AnswerOf(&results.Run{Valid: true}).Verdict)
}

func TestAServerAgainstItself(t *testing.T) {
	for name, c := range map[string]struct {
		handicap int
		verdicts map[string]string
		verdict  string
	}{
		"nothing found":      {0, nil, "No difference was named, as it should be."},
		"an accident":        {0, map[string]string{"p50": "threadpool2"}, "1 of 9 metrics name a winner by accident."},
		"handicap found":     {5, map[string]string{"p50": "threadpool"}, "The handicap was found."},
		"handicap not found": {5, nil, "The handicap was not found."},
	} {
		t.Run(name, func(t *testing.T) {
			run := answered(10, c.verdicts)
			run.Config.Same, run.Config.Handicap = "threadpool", c.handicap
			a := AnswerOf(run)
			require.Equal(t, c.verdict, a.Verdict)
			require.Empty(t, a.Winner)
			require.Contains(t, a.Question, "two processes of the same server")
		})
	}
}

func TestWhyInPlainWords(t *testing.T) {
	run := &results.Run{Valid: true, Explanations: []results.Explanation{
		{Server: "threadpool", Bottleneck: "workers", Change: "raise --workers to 200", PredictedRPS: 2108, Resources: []results.Resource{
			{Name: "workers", Used: 19.94, Of: 20, Unit: "workers", Share: 0.997},
		}},
		{Server: "eventloop", Bottleneck: "clients", Change: "send more at once: -c 400", PredictedRPS: results.Unknown},
	}}
	require.Equal(t, []Named{
		{"threadpool", "All its workers are taken: other requests queue for one. In use: 19.94 of 20 workers. To go faster: raise --workers to " +
			"200 (predicted: 2108 answers a second)."},
		{"eventloop", "The clients are the limit: each waits for its answer, and nothing in the server is full. To go faster: send more at " +
			"once: -c 400."},
	}, AnswerOf(run).Why)

	run.Explanations[0] = results.Explanation{Server: "threadpool", Bottleneck: "clients", Change: "send more at once: -c 400", PredictedRPS: 7}
	run.Explanations[1].PredictedRPS = 8
	require.Equal(t, []Named{{"", "The clients are the limit: each waits for its answer, and nothing in the server is full. To go faster: " +
		"send more at once: -c 400 (predicted: 7 and 8 answers a second)."}}, AnswerOf(run).Why, "said once for both")

	run.Explanations, run.Why = nil, "Why: an open loop."
	require.Equal(t, []Named{{"", "an open loop."}}, AnswerOf(run).Why)
}

func TestPartsSayWhatTheTextSays(t *testing.T) {
	run, err := results.Load("../../results/example")
	require.NoError(t, err)
	text, p := oneLine(Text(run)), PartsOf(run)
	require.Len(t, p.Rows, len(run.Comparison))
	for _, r := range p.Rows {
		require.Contains(t, text, oneLine(r.Label+" "+r.ThreadPool+" "+r.EventLoop+" "+r.Ratio+" "+r.Interval+" "+r.Verdict))
	}
	for _, n := range p.Notes {
		require.Contains(t, text, n)
	}
	for _, s := range p.Settings {
		require.Contains(t, text, s.Name+": "+s.Text)
	}
	for _, s := range p.Resources {
		for _, r := range s.Rows {
			require.Contains(t, text, oneLine(r.Name+" "+r.Used+" of "+r.Of+" "+r.Unit+" "+r.Share))
		}
	}
	for _, s := range p.Predictions {
		for _, r := range s.Rows {
			require.Contains(t, text, oneLine(r.Label+" "+r.Predicted+" "+r.Measured+" "+r.Error+" "+r.Note))
		}
	}
	for _, c := range p.Checks {
		require.Contains(t, text, oneLine(c.Name+" "+c.Status+" "+c.Figure+" "+c.Bound+" "+c.Unit))
	}
	require.NotEmpty(t, p.Sections)
	for _, section := range p.Sections {
		require.Contains(t, text, oneLine(section))
	}
	require.Contains(t, text, p.Summary)
	require.Contains(t, text, p.Steady)
	require.Len(t, p.Settings, 5)
}
