package compare

import (
	"errors"
	"math"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"poolvsloop/internal/equality"
	"poolvsloop/internal/report"
	"poolvsloop/internal/results"
)

func failedNames(run *results.Run) []string {
	var names []string
	for _, c := range failed(run.Checks) {
		names = append(names, c.Name)
	}
	return names
}

func TestASoundRunIsValid(t *testing.T) {
	run := soundEvidence(2).Run()
	require.Empty(t, failedNames(run))
	require.True(t, run.Valid)
	require.Empty(t, run.InvalidReasons)
	names := map[string]bool{}
	for _, c := range run.Checks {
		require.NotEmpty(t, c.Detail, c.Name)
		require.False(t, names[c.Name], "two checks are called %s", c.Name)
		names[c.Name] = true
	}
}

// TestABrokenRuleMakesTheRunInvalid breaks one thing at a time, always in the third slot: event loop, round 2.
func TestABrokenRuleMakesTheRunInvalid(t *testing.T) {
	const broken = 2
	for name, c := range map[string]struct {
		ruin    func(*Evidence, *Measurement)
		check   string
		details []string
	}{
		"a request without an outcome": {
			func(_ *Evidence, m *Measurement) { m.Load.Answered-- }, "closed_books", []string{"eventloop in round 2", "199"},
		},
		"a planned request that was never sent": {
			func(_ *Evidence, m *Measurement) { m.Load.Planned++ }, "closed_books", []string{"planned 201"},
		},
		"a ledger that has lost a call": {
			func(_ *Evidence, m *Measurement) { m.A.Calls-- }, "ledger_a_calls", []string{"seen 199, wanted 200"},
		},
		"a call too many": {
			func(_ *Evidence, m *Measurement) { m.B.Calls++ }, "ledger_b_calls", []string{"seen 201, wanted 200"},
		},
		"a request that did not ask the cache": {
			func(_ *Evidence, m *Measurement) { m.Cache.Gets-- }, "ledger_cache_gets", []string{"seen 199, wanted 200"},
		},
		"a hit that was a miss": {
			func(_ *Evidence, m *Measurement) { m.Cache.Hits-- }, "ledger_cache_hits", []string{"seen 179, wanted 180"},
		},
		"a miss that was not filled": {
			func(_ *Evidence, m *Measurement) { m.Cache.Sets-- }, "ledger_cache_sets", []string{"seen 19, wanted 20"},
		},
		"an answer 500": {
			func(_ *Evidence, m *Measurement) {
				m.Load.OK2xx, m.Load.Non2xx = 199, 1
				m.Load.ByStatus = map[int]int{200: 199, 500: 1}
			}, "answers", []string{"1 of 200", "status 500: 1"},
		},
		"a rejection that no bound explains": {
			func(_ *Evidence, m *Measurement) {
				m.Load.OK2xx, m.Load.Non2xx = 199, 1
				m.Load.ByStatus = map[int]int{200: 199, 503: 1}
			}, "answers", []string{"status 503: 1"},
		},
		"a reset": {
			func(_ *Evidence, m *Measurement) {
				m.Load.OK2xx, m.Load.Answered, m.Load.Reset = 199, 199, 1
				m.Load.Failures = map[string]int{"reset while waiting for the answer": 1}
			}, "answers", []string{"reset 1", "reset while waiting for the answer: 1"},
		},
		"an answer of another server": {
			func(_ *Evidence, m *Measurement) {
				m.Load.Wrong, m.Load.WrongSample = 1, []string{`answer begins "pool"`}
			},
			"answer_content", []string{"1 answers are wrong", "pool"},
		},
		"an answer of another length": {
			func(_ *Evidence, m *Measurement) { m.Load.Different = 3 }, "answer_content", []string{"3 answers", "576"},
		},
		"an answer like the others that is not the other server's": {
			func(_ *Evidence, m *Measurement) { m.Digest++ }, "equal_work", []string{"differ in round 2"},
		},
		"a downstream that is late": {
			func(_ *Evidence, m *Measurement) { m.B.DeliveredMS.Mean = 25 },
			"downstreams_on_time", []string{"waited 40.0 ms in A and B, and 5.3 ms more (13 %)", "A busy machine"},
		},
		"a downstream with a limit of its own": {
			func(_ *Evidence, m *Measurement) { m.B.Queued, m.B.QueueMS.Mean = m.B.Calls, 30 },
			"downstreams_on_time", []string{"and 30.6 ms more (76 %)", "93 % of that was spent in front of a concurrency limit"},
		},
		"a downstream that is later for one server": {
			func(e *Evidence, m *Measurement) {
				for i := range e.Rounds {
					if e.Rounds[i].Server == m.Server {
						e.Rounds[i].A.DeliveredMS.Mean = 22
					}
				}
			}, "equal_delays", []string{"1.5 % too long for threadpool and 5.7 % for eventloop"},
		},
		"a generator at its limit": {
			func(_ *Evidence, m *Measurement) { m.Load.NeediestLoop = m.Load.Duration * 9 / 10 },
			"generator_not_the_limit", []string{"generator is the limit", "0.90"},
		},
		"a starved client": {
			func(_ *Evidence, m *Measurement) { m.Load.AnswersPerClient[3] = 0 }, "no_client_starved", []string{"1 of 10 clients"},
		},
		"more in progress than there are clients": {
			func(_ *Evidence, m *Measurement) { m.Load.Duration = m.Load.Duration * 9 / 10 }, "littles_law", []string{"1.11"},
		},
		"a dead child": {
			func(e *Evidence, _ *Measurement) {
				e.Broken = errors.New("downstream-a ended by itself (signal: killed)")
			},
			"lab_alive", []string{"downstream-a ended by itself"},
		},
		"unequal limits": {
			func(e *Evidence, _ *Measurement) {
				e.Configs[EventLoop]["limits"] = map[string]any{"backlog": 128.0, "nofile": 20000.0}
			}, "equal_limits", []string{`limits.backlog is "1024" on threadpool and "128" on eventloop`},
		},
		"a limit that one server does not tell": {
			func(e *Evidence, _ *Measurement) { delete(e.Configs[ThreadPool], "max-body") }, "equal_limits", []string{`max_body is ""`},
		},
		"answers that differ": {
			func(e *Evidence, _ *Measurement) {
				e.Equality.Differences = []equality.Difference{{Case: "bad JSON", Part: "status line", Want: "400", Got: "500"}}
			}, "equal_answers", []string{"bad JSON: status line: 400, but 500"},
		},
		"an interrupt": {
			func(e *Evidence, _ *Measurement) { e.Interrupted = true }, "all_rounds", []string{"INTERRUPTED"},
		},
		"rounds that are missing": {
			func(e *Evidence, _ *Measurement) { e.Config.Rounds = 3 }, "all_rounds", []string{"4 of 6 rounds"},
		},
		"an admin port that went away": {
			func(e *Evidence, _ *Measurement) { e.Stopped = errors.New("GET /ledger: connection refused") }, "all_rounds",
			[]string{"GET /ledger: connection refused"},
		},
	} {
		t.Run(name, func(t *testing.T) {
			e := soundEvidence(2)
			c.ruin(e, &e.Rounds[broken])
			run := e.Run()
			require.False(t, run.Valid)
			require.Contains(t, failedNames(run), c.check)
			reasons := strings.Join(run.InvalidReasons, "\n")
			for _, detail := range c.details {
				require.Contains(t, reasons, detail)
			}
			requireBounds(t, run)
			require.Contains(t, report.Invalid(run), "INVALID")
			for _, row := range run.Comparison {
				require.Equal(t, "inconclusive", row.Verdict, "an invalid run names no winner")
			}
		})
	}
}

// requireBounds looks for the bound in the text of each check that failed.
func requireBounds(t *testing.T, run *results.Run) {
	t.Helper()
	for _, c := range run.Checks {
		if c.Status == results.Failed && !math.IsNaN(float64(c.Bound)) {
			require.Regexp(t, `bound [0-9]`, c.Detail, c.Name)
		}
	}
}

func TestNothingMeasuredIsInvalid(t *testing.T) {
	e := soundEvidence(2)
	e.Rounds, e.Interrupted = nil, true
	run := e.Run()
	require.False(t, run.Valid)
	require.Contains(t, failedNames(run), "all_rounds")
	require.Empty(t, run.Comparison)
	for _, target := range run.Targets {
		require.Contains(t, report.Server(run, target), "not measured")
	}
}

// TestRejectionsThatABoundExplains: a pool of 4 with a queue of 4 has to reject some of 10 clients, and that is a
// result.
func TestRejectionsThatABoundExplains(t *testing.T) {
	for name, c := range map[string]struct {
		pool  map[string]any
		ruin  func(*Measurement)
		valid bool
	}{
		"503 of a full queue": {
			map[string]any{"workers": 4.0, "queue": 4.0, "queue-full": "503"},
			func(m *Measurement) {
				m.Load.OK2xx, m.Load.Non2xx, m.Load.ByStatus = 20, 180, map[int]int{200: 20, 503: 180}
			}, true,
		},
		"503 where there is room": {
			map[string]any{"workers": 4.0, "queue": 10.0, "queue-full": "503"},
			func(m *Measurement) {
				m.Load.OK2xx, m.Load.Non2xx, m.Load.ByStatus = 20, 180, map[int]int{200: 20, 503: 180}
			}, false,
		},
		"503 where there are workers for all": {
			map[string]any{"workers": 16.0, "queue": 4.0, "queue-full": "503"},
			func(m *Measurement) {
				m.Load.OK2xx, m.Load.Non2xx, m.Load.ByStatus = 20, 180, map[int]int{200: 20, 503: 180}
			}, false,
		},
		"503 of a queue without limit": {
			map[string]any{"workers": 4.0, "queue": -1.0, "queue-full": "503"},
			func(m *Measurement) {
				m.Load.OK2xx, m.Load.Non2xx, m.Load.ByStatus = 20, 180, map[int]int{200: 20, 503: 180}
			}, false,
		},
		"500 among the 503": {
			map[string]any{"workers": 4.0, "queue": 4.0, "queue-full": "503"},
			func(m *Measurement) {
				m.Load.OK2xx, m.Load.Non2xx, m.Load.ByStatus = 20, 180, map[int]int{200: 20, 503: 179, 500: 1}
			}, false,
		},
		"closed by a full queue": {
			map[string]any{"workers": 4.0, "queue": 4.0, "queue-full": "close"},
			func(m *Measurement) {
				m.Load.OK2xx, m.Load.Answered, m.Load.Aborted, m.Load.AnswersPerClient[3] = 20, 20, 180, 0
				m.Load.Seconds[0].Answered, m.Own.Answered = 20, 20
			}, true,
		},
		"closed, but told to answer": {
			map[string]any{"workers": 4.0, "queue": 4.0, "queue-full": "503"},
			func(m *Measurement) { m.Load.OK2xx, m.Load.Answered, m.Load.Aborted = 20, 20, 180 }, false,
		},
		"nothing but rejections": {
			map[string]any{"workers": 4.0, "queue": 4.0, "queue-full": "503"},
			func(m *Measurement) { m.Load.OK2xx, m.Load.Non2xx, m.Load.ByStatus = 0, 200, map[int]int{503: 200} }, false,
		},
	} {
		t.Run(name, func(t *testing.T) {
			e := soundEvidence(4)
			for key, value := range c.pool {
				e.Configs[ThreadPool][key] = value
			}
			for i := range e.Rounds {
				if m := &e.Rounds[i]; m.Server == ThreadPool {
					c.ruin(m)
					m.A.Calls, m.B.Calls = int64(m.Load.OK2xx), int64(m.Load.OK2xx)
					m.Cache.Gets, m.Cache.Hits, m.Cache.Sets = int64(m.Load.OK2xx), int64(m.Load.OK2xx), 0
				}
			}
			run := e.Run()
			require.Equal(t, c.valid, run.Valid, "%v", run.InvalidReasons)
			for _, row := range run.Comparison {
				if row.Metric != "goodput" && row.Metric != "rss" {
					require.Equal(t, "inconclusive", row.Verdict, "%s of servers that did different work", row.Metric)
				}
			}
			if c.valid {
				require.Equal(t, "eventloop", run.Comparison[1].Verdict, "%+v", run.Comparison[1])
			}
		})
	}
}

func TestLedgerLawsAreBoundsWhenRequestsFailed(t *testing.T) {
	for name, c := range map[string]struct {
		seen int64
		ok   bool
	}{
		"one too few": {179, false}, "all that succeeded": {180, true}, "all that were sent": {200, true}, "one too many": {201, false},
	} {
		t.Run(name, func(t *testing.T) {
			m := sound(Slot{Order: 1, Round: 1, Server: ThreadPool}, 200, 1000)
			m.Load.OK2xx, m.Load.Answered, m.Load.TimedOut = 180, 180, 20
			m.A.Calls = c.seen
			check := checkLedgers([]Measurement{m})[0]
			require.Equal(t, c.ok, check.OK, check.Detail)
			if c.ok {
				require.Contains(t, check.Detail, "as far as can be said with 20 requests that failed")
			} else {
				require.Contains(t, check.Detail, "wanted 180 to 200")
			}
		})
	}
}

// TestALateTailNamesNoWinnerByTheTail: means may still be compared.
func TestALateTailNamesNoWinnerByTheTail(t *testing.T) {
	e := soundEvidence(4)
	e.Config.Requests = 500
	took := map[Server]int64{ThreadPool: 40_000, EventLoop: 30_000}
	for i := range e.Rounds {
		m := &e.Rounds[i]
		*m = sound(m.Slot, e.Config.Requests, took[m.Server]+int64(i%3)*50)
	}
	verdicts := func() map[string]string {
		run, all := e.Run(), map[string]string{}
		require.True(t, run.Valid, "%v", run.InvalidReasons)
		for _, row := range run.Comparison {
			all[row.Metric] = row.Verdict
		}
		return all
	}
	require.Equal(t, "eventloop", verdicts()["p99"])
	e.Rounds[5].B.Late = true
	require.Equal(t, "inconclusive", verdicts()["p99"])
	require.Equal(t, "eventloop", verdicts()["mean"])
	require.Contains(t, report.Comparison(e.Run()), "no winner is named by p99")
}

func TestFaultsAreShortened(t *testing.T) {
	e := soundEvidence(4)
	for i := range e.Rounds {
		e.Rounds[i].A.Calls = 0
	}
	detail := checkLedgers(e.Rounds)[0].Detail
	require.Equal(t, 3, strings.Count(detail, "seen 0"))
	require.Contains(t, detail, "and 5 more")
}

func TestAFewFailuresOfATimedRun(t *testing.T) {
	m := sound(Slot{Order: 1, Round: 1, Server: EventLoop}, 200, 1000)
	m.Load.Duration = 0
	require.Zero(t, generatorShare(m), "a round without a duration divides by nothing")
	require.Zero(t, figures(m).ThroughputRPS)
	m.Load.Duration = time.Second
	require.InDelta(t, 200, figures(m).ThroughputRPS, 1e-9)
}

func TestCasesThatWereAskedAgainAreShown(t *testing.T) {
	e := soundEvidence(2)
	e.Equality.Again = []string{"hold, threadpool: 2 tries"}
	run := e.Run()
	check := checkOf(t, run, "equal_answers")
	require.True(t, run.Valid)
	require.Equal(t, results.Warning, check.Status)
	require.Contains(t, check.Detail, "hold, threadpool: 2 tries")
	e.Equality.Differences = []equality.Difference{{Case: "hold"}}
	require.Equal(t, results.Failed, checkOf(t, e.Run(), "equal_answers").Status)
}
