package compare

import (
	"testing"

	"github.com/stretchr/testify/require"

	"poolvsloop/internal/results"
	"poolvsloop/internal/stats"
)

// A verdict that is withheld says why, and what the rounds do not carry names no winner however clear it looks.
func TestVerdictsAreWithheld(t *testing.T) {
	faster := func(rounds, requests int) *Evidence {
		e := soundEvidence(rounds)
		e.Config.Requests = requests
		took := map[Server]int64{ThreadPool: 40_000, EventLoop: 20_000}
		for i := range e.Rounds {
			m := &e.Rounds[i]
			*m = sound(m.Slot, requests, took[m.Server]+int64(i)*7)
		}
		return e
	}
	for name, c := range map[string]struct {
		rounds, requests int
		metric           string
		verdict, note    string
	}{
		"enough":                        {4, 500, "mean", "eventloop", ""},
		"enough for p99":                {4, 500, "p99", "eventloop", ""},
		"too few rounds":                {3, 500, "mean", stats.Inconclusive, "needs 4 rounds"},
		"too few requests":              {4, 90, "mean", stats.Inconclusive, "a round needs 100 requests"},
		"too few answers for p99":       {4, 200, "p99", stats.Inconclusive, "a round needs 441 answers"},
		"too few answers for p99.9":     {4, 500, "p99_9", stats.Inconclusive, "a round needs 4394 answers"},
		"enough rounds for Holm's test": {6, 500, "mean", "eventloop", ""},
	} {
		t.Run(name, func(t *testing.T) {
			run := faster(c.rounds, c.requests).Run()
			require.True(t, run.Valid, "%v", run.InvalidReasons)
			row := find(t, run, c.metric)
			require.Equal(t, c.verdict, row.Verdict)
			require.Equal(t, c.note, row.Note)
		})
	}
}

func TestAnInconclusiveMetricSaysHowManyRoundsItNeeds(t *testing.T) {
	e := soundEvidence(4)
	for i, us := range []int64{40_000, 34_000, 37_000, 38_000, 43_000, 33_000, 35_000, 36_000} {
		e.Rounds[i] = sound(e.Rounds[i].Slot, e.Config.Requests, us)
	}
	row := find(t, e.Run(), "mean")
	require.Equal(t, stats.Inconclusive, row.Verdict)
	require.Greater(t, row.RoundsToSettle, 4)
	require.Regexp(t, `^about \d+ rounds would settle it$`, row.Note)
}

func find(t *testing.T, run *results.Run, metric string) results.Comparison {
	t.Helper()
	for _, row := range run.Comparison {
		if row.Metric == metric {
			return row
		}
	}
	t.Fatalf("no row %s", metric)
	return results.Comparison{}
}
