package compare

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"poolvsloop/internal/load"
	"poolvsloop/internal/procstat"
	"poolvsloop/internal/report"
	"poolvsloop/internal/results"
	"poolvsloop/internal/timeline"
)

func TestCrowdsOfTheCommandLine(t *testing.T) {
	c, err := parse(t, "-t", "5", "--with", "slow-send=5", "--with", "idle=10;storm=3,at=2s")
	require.NoError(t, err)
	require.Equal(t, []string{"slow-send=5,rate=10B/s,part=head", "idle=10", "storm=3,at=2s,within=100ms"}, c.With, "completed")
	for _, args := range [][]string{{"--with", "crowd"}, {"--with", "idle=x"}, {"-t", "2", "--with", "storm=5,at=2s"}} {
		_, err := parse(t, args...)
		require.ErrorContains(t, err, "--with")
	}
	_, err = parse(t, "-n", "100", "--with", "storm=5,at=2s")
	require.NoError(t, err, "how long a round of so many requests lasts nobody knows")
}

// crowdedEvidence is a sound run beside idle clients and a storm at 20 ms.
func crowdedEvidence(with ...string) *Evidence {
	e := soundEvidence(2)
	e.Config.With = with
	for i := range e.Rounds {
		for range with {
			books := load.NewCrowdResult()
			books.Started, books.Opened, books.Answered, books.StillOpen, books.ByStatus = 5, 5, 3, 2, map[int]int{200: 3}
			e.Rounds[i].Load.Crowds = append(e.Rounds[i].Load.Crowds, books)
		}
	}
	return e
}

func TestCrowdsAreWrittenDown(t *testing.T) {
	e := crowdedEvidence("idle=5", "storm=5,at=20ms,within=0s")
	run := e.Run()
	require.Empty(t, failedNames(run))
	require.Equal(t, e.Config.With, run.Config.With)
	require.Empty(t, run.Predictions)
	for _, target := range run.Targets {
		require.Len(t, target.Crowds, 2)
		require.Equal(t, "storm", target.Crowds[1].Kind)
		require.Equal(t, 2, target.Crowds[1].Rounds)
		require.Equal(t, 10, target.Crowds[1].Started)
		require.Equal(t, map[int]int{200: 6}, target.Crowds[1].ByStatus)
	}
	for _, text := range []string{report.Text(run), report.Markdown(run)} {
		require.Contains(t, text, "Crowds (clients beside those that are measured")
		require.Contains(t, text, "beside:")
	}
	require.Equal(t, []results.Crowd{}, soundEvidence(1).Run().Targets[0].Crowds)
}

func TestACrowdExcusesWhatItMayDo(t *testing.T) {
	spoil := func(e *Evidence) {
		m := &e.Rounds[2]
		m.Load.Samples[0].Status, m.Load.Samples[0].Start = 503, 0
		m.Load.OK2xx, m.Load.Non2xx = m.Load.OK2xx-1, 1
		m.Load.ByStatus = map[int]int{200: m.Load.OK2xx, 503: 1}
		m.Load.AnswersPerClient[0] = 0
		m.Host.Listen = procstat.ListenDrops{Overflows: 100, Drops: 100}
		m.Own.Answered += 50
	}
	e := soundEvidence(2)
	spoil(e)
	require.ElementsMatch(t, []string{"answers", "no_client_starved", "no_listen_overflows", "flow_balance"}, failedNames(e.Run()))

	e = crowdedEvidence("idle=5")
	spoil(e)
	run := e.Run()
	require.Empty(t, failedNames(run))
	require.Equal(t, results.Warning, checkOf(t, run, "no_client_starved").Status)
	require.Equal(t, results.Warning, checkOf(t, run, "no_listen_overflows").Status)

	e = crowdedEvidence("storm=5,at=1h,within=0s")
	spoil(e)
	require.Equal(t, []string{"answers"}, failedNames(e.Run()), "a crowd that comes later excuses nothing before")

	e = crowdedEvidence("idle=5")
	m := &e.Rounds[1]
	m.Load.OK2xx, m.Load.Answered, m.Load.TimedOut, m.Load.ByStatus = 0, 0, m.Load.Sent, nil
	for i := range m.Load.Samples {
		m.Load.Samples[i].Outcome = load.TimedOut
	}
	require.Equal(t, results.Passed, checkOf(t, e.Run(), "answers").Status, "a server may stop answering: that is what the run shows")
}

func TestACrowdsBooksMustClose(t *testing.T) {
	e := crowdedEvidence("idle=5")
	e.Rounds[2].Load.Crowds[0].Started++
	run := e.Run()
	require.Equal(t, []string{"crowd_books"}, failedNames(run))
	require.Contains(t, checkOf(t, run, "crowd_books").Detail, "eventloop in round 2: books of a crowd do not close: 6 connections started, 5 accounted for")
}

func TestDisturbed(t *testing.T) {
	m := Measurement{Events: []timeline.Done{{Event: timeline.Event{At: 3 * time.Second}}}}
	for want, with := range map[time.Duration][]string{
		3 * time.Second: nil, 2 * time.Second: {"storm=1,at=2s", "idle=1,at=9s"}, 0: {"storm=1,at=2s", "idle=1"},
	} {
		require.Equal(t, want, disturbed(m, results.Config{With: with}))
	}
	require.Greater(t, disturbed(Measurement{}, results.Config{}), 1000*time.Hour)
}
