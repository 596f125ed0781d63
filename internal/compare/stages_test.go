package compare

import (
	"bytes"
	"math"
	"net/http"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"poolvsloop/internal/anatomy"
	"poolvsloop/internal/flow"
	"poolvsloop/internal/load"
	"poolvsloop/internal/results"
)

// TestTimedOrdersAreTheSameOnBothServers: an order asks for its stages on both servers or on neither, whatever else it is.
func TestTimedOrdersAreTheSameOnBothServers(t *testing.T) {
	const n = 20_000
	b := Batch{Seed: 3, Round: 2, Keys: 100, HitRatio: 0.5, BodySize: 256}
	pool, loop := newSource(b, ThreadPool, "a:1", true), newSource(b, EventLoop, "b:2", false)
	ask := []byte("\r\nX-Lab-Timing: 1\r\n")
	timed, hits := 0, 0
	var byClient [50]int
	for i := range n {
		for _, s := range []*source{pool, loop} {
			head, _, whole := bytes.Cut(s.Append(nil, i), []byte("\r\n\r\n"))
			require.True(t, whole)
			if bytes.Contains(append(head, "\r\n"...), ask) != b.Timed(i) {
				t.Fatalf("order %d asks as it should not: %s", i, head)
			}
		}
		if b.Timed(i) {
			timed++
			byClient[i%len(byClient)]++
			if b.Hit(i) {
				hits++
			}
		}
	}
	deviation := func(n, p float64) float64 { return 5 * math.Sqrt(n*p*(1-p)) }
	require.InDelta(t, n/timedEvery, timed, deviation(n, 1./timedEvery))
	require.InDelta(t, float64(timed)/2, hits, deviation(float64(timed), 0.5), "hits and misses alike")
	for client, n := range byClient {
		require.NotZero(t, n, "client %d of 50 that take turns is never asked", client)
	}
	require.NotEqual(t, timedAmong(b, n), timedAmong(Batch{Seed: 3, Round: 3}, n), "other orders in another round")
}

func timedAmong(b Batch, n int) (all []int) {
	for i := range n {
		if b.Timed(i) {
			all = append(all, i)
		}
	}
	return all
}

// Each loop of the load engine has its own collector; what was not asked is passed over.
func TestStagesAreMergedOnce(t *testing.T) {
	b := Batch{Seed: 1, Round: 1}
	c := load.Config{Threads: 2}
	s := watchStages(&c, b)
	require.Equal(t, "server-timing", c.Header)
	timing := flow.Timing{flow.StageTotal: time.Millisecond}
	const n = 400
	for i := range n {
		c.OnAnswer(load.Answer{Loop: i % 2, Number: i, Status: http.StatusOK, Header: timing.AppendServerTiming(nil), Response: time.Second})
	}
	c.OnAnswer(load.Answer{Number: timedAmong(b, n)[0], Status: http.StatusOK})
	all := s.all()
	require.Equal(t, len(timedAmong(b, n)), all.Told)
	require.Len(t, all.Samples, all.Told)
	require.Equal(t, 1, all.Untold)
}

// TestStagesThatCannotBe breaks what one request told, in one round.
func TestStagesThatCannotBe(t *testing.T) {
	const us = time.Microsecond
	for name, c := range map[string]struct {
		check  string
		ruin   func(c *anatomy.Collector, s *anatomy.Sample)
		status string
		figure float64
	}{
		"sound":               {"stages_add_up", func(*anatomy.Collector, *anatomy.Sample) {}, results.Passed, -7200},
		"an answer without":   {"stages_told", func(c *anatomy.Collector, _ *anatomy.Sample) { c.Untold++ }, results.Failed, 1},
		"a stage twice":       {"stages_add_up", func(_ *anatomy.Collector, s *anatomy.Sample) { s.Timing[flow.StageA] *= 2 }, results.Failed, 8800},
		"as much as rounding": {"stages_add_up", func(_ *anatomy.Collector, s *anatomy.Sample) { s.Timing[flow.StageB] += s.Rest() + 3*us }, results.Passed, 3},
		"more than rounding":  {"stages_add_up", func(_ *anatomy.Collector, s *anatomy.Sample) { s.Timing[flow.StageB] += s.Rest() + 4*us }, results.Failed, 4},
		"longer than the client waited": {"stages_in_response", func(_ *anatomy.Collector, s *anatomy.Sample) {
			s.Timing[flow.StageTotal] = 41 * time.Millisecond
		}, results.Failed, 102.4974},
		"as long as the client waited": {"stages_in_response", func(_ *anatomy.Collector, s *anatomy.Sample) {
			s.Timing[flow.StageTotal] = s.Response
		}, results.Passed, 99.9975},
	} {
		t.Run(name, func(t *testing.T) {
			e := soundEvidence(2)
			for i := range e.Rounds {
				e.Rounds[i] = sound(e.Rounds[i].Slot, e.Config.Requests, 40_000)
			}
			told := e.Rounds[2].Stages
			c.ruin(told, &told.Samples[4])
			run := e.Run()
			check := checkOf(t, run, c.check)
			require.Equal(t, c.status, check.Status, check.Detail)
			require.InDelta(t, c.figure, float64(check.Figure), 1e-3)
			require.Equal(t, c.status != results.Failed, run.Valid)
		})
	}
}

func TestStagesOfNobodyAreNotChecked(t *testing.T) {
	e := soundEvidence(2)
	for i := range e.Rounds {
		e.Rounds[i].Stages = &anatomy.Collector{}
	}
	e.Rounds[1].Stages = nil
	run := e.Run()
	require.True(t, run.Valid)
	for _, rule := range stageRules {
		require.Equal(t, results.NotChecked, checkOf(t, run, rule.name).Status)
	}
	for _, target := range run.Targets {
		require.Nil(t, target.Stages)
	}
}

// The samples of all rounds are one sample, whether the target was measured against another server or against itself.
func TestStagesOfAllRounds(t *testing.T) {
	run := soundEvidence(4).Run()
	for _, target := range run.Targets {
		require.Equal(t, 4*200/timedEvery, target.Stages.Samples)
		require.Zero(t, target.Stages.SlowestSamples)
		require.InDelta(t, target.Total.MeanMS, target.Stages.Response.MeanMS, 0.1)
	}
}
