package timeline

import (
	"errors"
	"math"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"poolvsloop/internal/results"
)

// second is one with that p50 in ms and so many good answers.
func second(p50 float64, good int) results.Second {
	s := results.Second{OK2xx: good, Answered: good, P50MS: results.Number(p50)}
	if good == 0 {
		s.P50MS = results.Unknown
	}
	return s
}

// course repeats seconds: n times each.
func course(parts ...struct {
	n int
	s results.Second
}) (all []results.Second) {
	for _, p := range parts {
		for range p.n {
			p.s.Second = len(all)
			all = append(all, p.s)
		}
	}
	return all
}

type part = struct {
	n int
	s results.Second
}

func event(at time.Duration, key, value string) Done {
	e, err := Parse(at.String() + " " + key + "=" + value)
	if err != nil {
		panic(err)
	}
	return Done{Event: e, Begun: true, Lag: time.Millisecond, Took: 2 * time.Millisecond}
}

var usual = map[string]string{"b.latency": "30ms", "a.error-share": "0", "threadpool.workers": "20"}

// judge is a round with a fault of B from second 5 to second 10.
func judge(seconds []results.Second, length time.Duration, events ...Done) results.Timeline {
	if len(events) == 0 {
		events = []Done{event(5*time.Second, "b.latency", "500ms"), event(10*time.Second, "b.latency", "30ms")}
	}
	return Judge(seconds, length, events, usual)
}

func TestRecovery(t *testing.T) {
	good, bad := second(50, 100), second(500, 30)
	for name, c := range map[string]struct {
		seconds []results.Second
		want    string
		after   float64
	}{
		"at once":             {course(part{5, good}, part{5, bad}, part{10, good}), results.Recovered, 0},
		"after a queue":       {course(part{5, good}, part{5, bad}, part{4, second(900, 200)}, part{6, good}), results.Recovered, 4},
		"within the margin":   {course(part{5, good}, part{5, bad}, part{10, second(60, 71)}), results.Recovered, 0},
		"still slow":          {course(part{5, good}, part{5, bad}, part{10, second(61, 100)}), results.NotRecovered, 0},
		"too few":             {course(part{5, good}, part{5, bad}, part{10, second(50, 69)}), results.NotRecovered, 0},
		"nothing any more":    {course(part{5, good}, part{5, bad}, part{10, second(0, 0)}), results.NotRecovered, 0},
		"one second is none":  {course(part{5, good}, part{5, bad}, part{1, good}, part{2, bad}, part{7, good}), results.Recovered, 3},
		"the end comes first": {course(part{5, good}, part{5, bad}, part{9, bad}, part{1, good}), results.NotRecovered, 0},
		"never was a level":   {course(part{5, second(0, 0)}, part{5, bad}, part{10, good}), results.RecoveryNotKnown, 0},
	} {
		t.Run(name, func(t *testing.T) {
			e := judge(c.seconds, 20*time.Second).Events
			require.False(t, e[0].EndsFault)
			require.Empty(t, e[0].Recovery)
			require.True(t, e[1].EndsFault)
			require.Equal(t, c.want, e[1].Recovery)
			if c.want == results.Recovered {
				require.EqualValues(t, c.after, e[1].RecoveredS)
			} else {
				require.True(t, math.IsNaN(float64(e[1].RecoveredS)))
			}
		})
	}
}

func TestRecoveryCountsFromTheEvent(t *testing.T) {
	good, bad := second(50, 100), second(500, 30)
	seconds := course(part{5, good}, part{6, bad}, part{9, good})
	x := judge(seconds, 20*time.Second, event(5*time.Second, "b.latency", "500ms"), event(10250*time.Millisecond, "b.latency", "30ms"))
	require.EqualValues(t, 0.75, x.Events[1].RecoveredS, "the second in which the event came is not whole")
}

func TestRecoveryEndsWithTheNextEvent(t *testing.T) {
	good, bad := second(50, 100), second(500, 30)
	seconds := course(part{5, good}, part{6, bad}, part{9, good})
	x := judge(seconds, 20*time.Second, event(5*time.Second, "b.latency", "500ms"), event(10*time.Second, "b.latency", "30ms"),
		event(12*time.Second, "b.latency", "400ms"), event(15*time.Second, "b.latency", "0.03s"))
	require.Equal(t, results.NotRecovered, x.Events[1].Recovery)
	require.Equal(t, results.Recovered, x.Events[3].Recovery)
}

func TestLevelBefore(t *testing.T) {
	good := second(50, 100)
	for name, c := range map[string]struct {
		seconds []results.Second
		first   time.Duration
		ok      bool
	}{
		"two seconds":                {course(part{3, good}), 3 * time.Second, true},
		"the first one is left out":  {course(part{1, second(900, 3)}, part{9, good}), 5 * time.Second, true},
		"a second alone":             {course(part{9, good}), 2900 * time.Millisecond, false},
		"at once":                    {course(part{9, good}), 0, false},
		"no seconds kept":            {nil, 5 * time.Second, false},
		"a round that ended earlier": {course(part{2, good}), 5 * time.Second, false},
	} {
		t.Run(name, func(t *testing.T) {
			level, ok := LevelBefore(c.seconds, c.first)
			require.Equal(t, c.ok, ok)
			if ok {
				require.Equal(t, Level{P50MS: 50, Good: 100}, level)
			}
		})
	}
}

func TestEndsFault(t *testing.T) {
	for name, c := range map[string]struct {
		events []string
		want   []bool
	}{
		"a step and back":       {[]string{"b.latency=500ms", "b.latency=30ms"}, []bool{false, true}},
		"in other words":        {[]string{"b.latency=500ms", "b.latency=const:0.03s"}, []bool{false, true}},
		"a number":              {[]string{"a.error-share=0.5", "a.error-share=0.0"}, []bool{false, true}},
		"no way back":           {[]string{"b.latency=500ms", "b.latency=50ms"}, []bool{false, false}},
		"nothing was changed":   {[]string{"b.latency=30ms"}, []bool{false}},
		"two faults at a time":  {[]string{"b.latency=1s", "a.error-share=1", "b.latency=30ms", "a.error-share=0"}, []bool{false, false, false, true}},
		"two faults in a row":   {[]string{"b.latency=1s", "b.latency=30ms", "threadpool.workers=1", "threadpool.workers=20"}, []bool{false, true, false, true}},
		"a distribution is one": {[]string{"b.latency=exp:30ms", "b.latency=30ms"}, []bool{false, true}},
	} {
		t.Run(name, func(t *testing.T) {
			var events []Event
			for _, text := range c.events {
				e, err := Parse("1s " + text)
				require.NoError(t, err)
				events = append(events, e)
			}
			require.Equal(t, c.want, EndsFault(events, usual))
		})
	}
}

func TestJudgeWritesDownWhatFailed(t *testing.T) {
	failed, missed := event(time.Second, "b.latency", "1s"), event(2*time.Second, "b.latency", "30ms")
	failed.Err = errors.New("answer 400")
	missed.Begun, missed.Err = false, errors.New("the round ended before it")
	x := judge(course(part{5, second(50, 100)}), 5*time.Second, failed, missed)
	require.Equal(t, "answer 400", x.Events[0].Error)
	require.EqualValues(t, 1, x.Events[0].LagMS)
	require.EqualValues(t, 2, x.Events[0].TookMS)
	require.True(t, math.IsNaN(float64(x.Events[1].LagMS)))
	require.Equal(t, results.RecoveryNotKnown, x.Events[1].Recovery)
	require.Equal(t, usual, x.Before)
	require.Empty(t, Judge(nil, 0, nil, nil).Events)
}
