package compare

import (
	"errors"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"poolvsloop/internal/load"
	"poolvsloop/internal/report"
	"poolvsloop/internal/results"
	"poolvsloop/internal/timeline"
)

func TestEventsOfTheCommandLine(t *testing.T) {
	c, err := parse(t, "-t", "5", "--at", "2s b.latency=1s", "--at", "1s=a.error-share=0.5; 3s b.latency=30ms")
	require.NoError(t, err)
	require.Equal(t, []string{"1s a.error-share=0.5", "2s b.latency=1s", "3s b.latency=30ms"}, c.At, "in the order of their times")

	for name, args := range map[string][]string{
		"no event":                 {"-t", "5", "--at", "2s"},
		"no time":                  {"-t", "5", "--at", "b.latency=1s"},
		"behind the round's end":   {"-t", "2", "--at", "2s b.latency=1s"},
		"a round without a time":   {"-n", "100", "--at", "2s b.latency=1s"},
		"a cache that is not ours": {"-t", "5", "--at", "2s redis.stopped=true", "--lab", "attach"},
	} {
		t.Run(name, func(t *testing.T) {
			_, err := parse(t, args...)
			require.ErrorContains(t, err, "--at")
		})
	}
}

func TestEventsFor(t *testing.T) {
	all, err := timeline.ParseAll([]string{"1s b.latency=1s", "1s threadpool.workers=2", "1s eventloop.max-inflight=3"})
	require.NoError(t, err)
	keys := func(s Server) (keys []string) {
		for _, e := range eventsFor(s, all) {
			keys = append(keys, e.Key())
		}
		return keys
	}
	require.Equal(t, []string{"b.latency", "threadpool.workers"}, keys(ThreadPool))
	require.Equal(t, []string{"b.latency", "eventloop.max-inflight"}, keys(EventLoop))
	require.Equal(t, []string{"b.latency", "threadpool2.workers"}, keys("threadpool2"), "each of two processes has its own")
}

// eventfulEvidence is a sound run of rounds with one event each, at 20 ms.
func eventfulEvidence(t *testing.T) *Evidence {
	t.Helper()
	e := soundEvidence(2)
	e.Config.At, e.Config.Duration = []string{"20ms b.latency=30ms"}, results.Seconds(time.Second)
	events, err := timeline.ParseAll(e.Config.At)
	require.NoError(t, err)
	for i := range e.Rounds {
		e.Rounds[i].Events = []timeline.Done{{Event: events[0], Begun: true, Lag: time.Millisecond}}
		e.Rounds[i].Before = map[string]string{"b.latency": "20ms"}
	}
	return e
}

func TestARunWithEventsIsUnsteadyOnPurpose(t *testing.T) {
	e := eventfulEvidence(t)
	run := e.Run()
	require.Empty(t, failedNames(run))
	require.Equal(t, e.Config.At, run.Config.At)
	require.Empty(t, run.Predictions)
	require.Empty(t, run.Explanations)
	for _, target := range run.Targets {
		require.Empty(t, target.Steady)
		require.Len(t, target.Timeline, 2)
		require.Len(t, target.Series, 2)
		require.Equal(t, target.Rounds[0].Order, target.Timeline[0].Order)
	}
	for _, text := range []string{report.Text(run), report.Markdown(run)} {
		require.Contains(t, text, "Timeline (second by second")
		require.Contains(t, text, "20ms b.latency=30ms; put back")
	}
	require.Contains(t, report.Text(run), "Steady state: not judged")

	plain := soundEvidence(2).Run()
	require.Equal(t, []string{}, plain.Config.At)
	require.Equal(t, []results.Timeline{}, plain.Targets[0].Timeline)
	require.Len(t, plain.Targets[0].Steady, 2)
	require.NotContains(t, report.Text(plain), "Timeline")
}

func TestAnEventThatFailedMakesTheRunInvalid(t *testing.T) {
	e := eventfulEvidence(t)
	e.Rounds[2].Events[0].Err = errors.New("answer 400")
	run := e.Run()
	require.Equal(t, []string{"events"}, failedNames(run))
	require.Contains(t, checkOf(t, run, "events").Detail, `eventloop in round 2: "20ms b.latency=30ms" failed: answer 400`)
	require.EqualValues(t, 1, checkOf(t, run, "events").Figure)

	e = eventfulEvidence(t)
	e.Rounds[1].Events[0].Lag = 150 * time.Millisecond
	require.Equal(t, results.Warning, checkOf(t, e.Run(), "events_on_time").Status)
	e.Rounds[1].Events[0].Lag = 1100 * time.Millisecond
	require.Equal(t, []string{"events_on_time"}, failedNames(e.Run()))
}

// TestWhatFailsBehindAnEventIsExpected: a request that ends without a 2xx before the first event has no excuse.
func TestWhatFailsBehindAnEventIsExpected(t *testing.T) {
	fail := func(m *Measurement, start int64) {
		m.Load.Samples[0].Start, m.Load.Samples[0].Status = start, 504
		m.Load.OK2xx, m.Load.Non2xx = m.Load.OK2xx-1, 1
		m.Load.ByStatus = map[int]int{200: m.Load.OK2xx, 504: 1}
	}
	e := eventfulEvidence(t)
	fail(&e.Rounds[2], (20 * time.Millisecond).Microseconds())
	run := e.Run()
	require.Empty(t, failedNames(run))
	require.Contains(t, checkOf(t, run, "answers").Detail, "1 requests without one")

	e = eventfulEvidence(t)
	for i := range e.Rounds {
		e.Rounds[i].Events[0].At = time.Second
	}
	fail(&e.Rounds[2], 0)
	run = e.Run()
	require.Equal(t, []string{"answers"}, failedNames(run))
	require.Contains(t, checkOf(t, run, "answers").Detail, "eventloop in round 2: 1 requests not answered with 2xx before the first event or crowd; status 504: 1")

	e = eventfulEvidence(t)
	e.Rounds[2].Load.Samples = nil
	require.Equal(t, results.NotChecked, checkOf(t, e.Run(), "answers").Status)
}

func TestRejectionsBeforeAnEvent(t *testing.T) {
	m := sound(Slot{Server: EventLoop}, 10, 1000)
	m.Load.Samples[0].Status, m.Load.Samples[1].Outcome = 503, load.Aborted
	never := disturbed(m, results.Config{})
	require.Equal(t, 2, failedBefore(m, never, Rejection{}), "a round without events has no excuse at all")
	require.Equal(t, 1, failedBefore(m, never, Rejection{Unavailable: true}))
	require.Equal(t, 1, failedBefore(m, never, Rejection{Close: true}))
}

func TestAStoppedCacheIsNotHeldAgainstThePlan(t *testing.T) {
	e := eventfulEvidence(t)
	for i := range e.Rounds {
		m := &e.Rounds[i]
		m.CacheStopped, m.Cache.Hits, m.Cache.Gets, m.Digest = true, m.Cache.Hits-3, m.Cache.Gets-2, uint64(i)
	}
	run := e.Run()
	require.Empty(t, failedNames(run))
	require.Equal(t, results.NotChecked, checkOf(t, run, "ledger_cache_hits").Status)
	require.Equal(t, results.Passed, checkOf(t, run, "ledger_a_calls").Status)
	require.Contains(t, checkOf(t, run, "equal_work").Detail, "not checked")
}
