package compare

import (
	"strconv"
	"testing"

	"github.com/stretchr/testify/require"

	"poolvsloop/internal/load"
	"poolvsloop/internal/report"
	"poolvsloop/internal/results"
)

// openEvidence is that of a sound run of an open loop.
func openEvidence() *Evidence {
	e := soundEvidence(2)
	e.Config.Rate, e.Config.InFlight = 200, 300
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
		require.NotContains(t, []string{"littles_law", "no_client_starved", "generator_lag"}, c.Name, "there are no clients")
	}
	target := run.Targets[0]
	require.Zero(t, target.LittlesLaw.Concurrency)
	require.Positive(t, target.LittlesLaw.XTimesR)
	require.InDelta(t, 2, target.Total.SendLagP99MS, 0.01)
	for _, row := range run.Comparison[:2] {
		require.Equal(t, "inconclusive", row.Verdict)
		require.Equal(t, "given by --rate", row.Note, row.Metric)
	}
	require.Equal(t, []string{"rate", "rate"}, []string{run.Explanations[0].Bottleneck, run.Explanations[1].Bottleneck})
	require.Contains(t, run.Why, "Thread pool: the 200 requests/s that were offered: 249.7 answered; first to be full: the ")
	require.Contains(t, run.Next, "`loadrunner compare --rate ")
	require.Contains(t, report.Banner(run), "200 requests/s, Poisson arrivals, open loop, at most 300 in flight")
	for _, text := range []string{report.Text(run), report.Markdown(run), report.Server(run, target)} {
		require.Contains(t, text, "Offered rate:           200.00 [#/sec] (open loop)\nRequests in flight:     10.0")
		require.NotContains(t, text, "Concurrency Level")
	}
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

func TestTheRequestsInFlightAreBounded(t *testing.T) {
	most, err := load.MostConnections()
	require.NoError(t, err)
	for name, c := range map[string]struct {
		args []string
		want int
		says string
	}{
		"closed loop":     {nil, 0, ""},
		"by default":      {[]string{"--rate", "5"}, min(12_000, most), ""},
		"as asked for":    {[]string{"--rate", "5", "--in-flight", "7"}, 7, ""},
		"a closed loop's": {[]string{"--in-flight", "7"}, 7, "--in-flight needs --rate"},
		"none":            {[]string{"--rate", "5", "--in-flight", "-1"}, -1, "--in-flight -1: want 1 to "},
		"more than descriptors": {[]string{"--rate", "5", "--in-flight", strconv.Itoa(most + 1)}, most + 1,
			"which the limit of descriptors allows; raise that with ulimit -n"},
	} {
		t.Run(name, func(t *testing.T) {
			got, err := parse(t, c.args...)
			require.Equal(t, c.want, got.InFlight)
			if c.says == "" {
				require.NoError(t, err)
				return
			}
			require.ErrorContains(t, err, c.says)
		})
	}
}

func TestDroppedArrivals(t *testing.T) {
	for dropped, status := range map[int]string{0: results.Passed, 2: results.Warning, 3: results.Failed} {
		e := openEvidence()
		r := e.Rounds[0].Load
		r.Planned, r.Dropped = r.Sent+dropped, dropped
		require.Equal(t, status, checkOf(t, e.Run(), "dropped").Status, dropped)
	}
	e := openEvidence() // -t ended it before -n
	r := e.Rounds[0].Load
	r.Planned, r.Dropped, r.Undue = r.Sent+1000, 1000, 1000
	require.Equal(t, results.Passed, checkOf(t, e.Run(), "dropped").Status)
}
