package compare

import (
	"testing"

	"github.com/stretchr/testify/require"

	"poolvsloop/internal/report"
	"poolvsloop/internal/results"
)

// openEvidence is that of a sound run of an open loop.
func openEvidence() *Evidence {
	e := soundEvidence(2)
	e.Config.Rate = 200
	for i := range e.Rounds {
		m := &e.Rounds[i]
		m.Open, m.Load.SendLag = true, distributionOf(1000, 2000)
		m.Load.AnswersPerClient = append(m.Load.AnswersPerClient, 0) // a connection that came to nothing starves nobody
	}
	return e
}

func TestArrivalsAreAlikeForBothServersAndOtherwiseDiffer(t *testing.T) {
	c := results.Config{Rate: 200, Arrivals: "poisson", Seed: 1}
	require.Equal(t, arrivals(c, 3), arrivals(c, 3))
	require.NotEqual(t, arrivals(c, 3).Seed, arrivals(c, 4).Seed)
	require.True(t, arrivals(c, 1).Poisson)
	c.Arrivals = "constant"
	require.False(t, arrivals(c, 1).Poisson)
	c.Rate = 0
	require.Nil(t, arrivals(c, 1))
}

func TestAnOpenLoop(t *testing.T) {
	run := openEvidence().Run()
	require.Empty(t, failedNames(run))
	require.True(t, checkOf(t, run, "sent_on_time").OK)
	for _, c := range run.Checks {
		require.NotContains(t, []string{"littles_law", "no_client_starved"}, c.Name, "there are no clients")
	}
	target := run.Targets[0]
	require.Zero(t, target.LittlesLaw.Concurrency)
	require.Positive(t, target.LittlesLaw.XTimesR)
	require.InDelta(t, 2, target.Total.SendLagP99MS, 0.01)
	for _, row := range run.Comparison[:2] {
		require.Equal(t, "inconclusive", row.Verdict)
		require.Equal(t, "given by --rate", row.Note, row.Metric)
	}
	require.Contains(t, report.Banner(run), "200 requests/s, Poisson arrivals, open loop")
}

func TestLateSendsMakeARunInvalid(t *testing.T) {
	e := openEvidence()
	e.Rounds[0].Load.Late = 2
	require.Empty(t, failedNames(e.Run()), "1 % may be late")
	e.Rounds[0].Load.Late = 3
	require.Equal(t, []string{"sent_on_time"}, failedNames(e.Run()))
}

func TestOnlyAnOverloadThatWasAskedForExcusesRejections(t *testing.T) {
	servers := map[Server]results.Settings{
		ThreadPool: {"workers": "20", "queue": "10", "queue_full": "503"},
		EventLoop:  {"max_inflight": "40"},
	}
	for name, c := range map[string]struct {
		rate       float64
		pool, loop bool
	}{
		"below both":          {390, false, false},
		"above the pool":      {410, true, false},
		"above both":          {810, true, true},
		"exactly at capacity": {400, false, false},
	} {
		t.Run(name, func(t *testing.T) {
			config := results.Config{Rate: c.rate, LatencyA: "20ms", LatencyB: "30ms"}
			allowed := overloads(config, Sides{ThreadPool, EventLoop}, servers)
			require.Equal(t, Rejection{Unavailable: c.pool}, allowed[ThreadPool])
			require.Equal(t, Rejection{Unavailable: c.loop}, allowed[EventLoop])
		})
	}
	unread := results.Config{Rate: 1e6, LatencyA: "no model", LatencyB: "30ms"}
	require.Equal(t, Rejection{}, overloads(unread, Sides{ThreadPool, EventLoop}, servers)[ThreadPool], "what is not known excuses nothing")
}
