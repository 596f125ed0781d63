package compare

import (
	"math"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"poolvsloop/internal/results"
)

func checkOf(t *testing.T, run *results.Run, name string) results.Check {
	t.Helper()
	for _, c := range run.Checks {
		if c.Name == name {
			return c
		}
	}
	require.Fail(t, "no check is called "+name)
	return results.Check{}
}

// TestOtherLoad: what others had of the machine is told apart from other faults.
func TestOtherLoad(t *testing.T) {
	for name, c := range map[string]struct {
		ruin    func(*Host)
		percent float64
		busy    bool
	}{
		"a quiet machine":      {func(*Host) {}, 5, false},
		"a program beside it":  {func(h *Host) { h.OthersS = 0.3 * h.TotalS }, 30, true},
		"too many of them":     {func(h *Host) { h.OthersS = 0.9 * h.TotalS }, 90, true},
		"a busy host":          {func(h *Host) { h.StealS = 0.1 * h.TotalS }, 5, true},
		"a fault of our own":   {func(h *Host) { h.Listen.Overflows = 1000 }, 5, false},
		"nobody knows of them": {func(h *Host) { h.OthersS = math.NaN() }, math.NaN(), false},
	} {
		t.Run(name, func(t *testing.T) {
			e := soundEvidence(1)
			for i := range e.Rounds {
				e.Rounds[i].Host.OthersS = 0.05 * e.Rounds[i].Host.TotalS
				c.ruin(e.Rounds[i].Host)
			}
			percent, busy := OtherLoad(e.Run().Checks)
			require.InDelta(t, c.percent, float64(percent), 1e-9)
			require.Equal(t, c.busy, busy)
			e.Rounds[0].Load.Wrong = 1
			_, busy = OtherLoad(e.Run().Checks)
			require.False(t, busy, "no busy machine makes an answer wrong")
		})
	}
}

// TestAFigureBeyondItsBounds breaks one figure at a time in one round: a little above normal it is a warning or still
// passes, above the bound the run is invalid.
func TestAFigureBeyondItsBounds(t *testing.T) {
	for name, c := range map[string]struct {
		check  string
		ruin   func(*Measurement)
		status string
		figure float64
	}{
		"an answer that the server never gave": {
			"flow_balance", func(m *Measurement) { m.Own.Answered-- }, results.Failed, 1,
		},
		"an answer that no client saw": {
			"flow_balance", func(m *Measurement) { m.Own.Answered++ }, results.Failed, 1,
		},
		"a server that holds requests longer than clients wait": {
			"littles_law_server", func(m *Measurement) { m.Own.ServiceS *= 1.1 }, results.Failed, 108.9,
		},
		"a server that is quicker than its own calls": {
			"littles_law_calls", func(m *Measurement) { m.Own.ServiceS = 7.25 }, results.Failed, 112,
		},
		"a server whose clock runs a little fast": {
			"littles_law_calls", func(m *Measurement) { m.Own.ServiceS = 7.8 }, results.Passed, 104.102564,
		},
		"a server without descriptors": {
			"descriptors", func(m *Measurement) { m.Own.DescriptorsFull = 2 }, results.Failed, 2,
		},
		"clients that wait for the generator": {
			"generator_lag", func(m *Measurement) { m.Load.Turnaround = 2 * m.Load.Duration }, results.Failed, 20,
		},
		"clients that wait for the generator a little": {
			"generator_lag", func(m *Measurement) { m.Load.Turnaround = m.Load.Duration / 2 }, results.Warning, 5,
		},
		"a quota that ran out": {"no_throttling", func(m *Measurement) { m.Host.Throttled = 5 }, results.Failed, 10},
		"a quota that ran out once in a long time": {
			"no_throttling", func(m *Measurement) { m.Host.Periods, m.Host.Throttled = 1000, 1 }, results.Warning, 0.1,
		},
		"swapping":   {"no_swapping", func(m *Measurement) { m.Host.SwappedPages = 1000 }, results.Failed, 1000},
		"some pages": {"no_swapping", func(m *Measurement) { m.Host.SwappedPages = 10 }, results.Warning, 10},
		"steal":      {"no_steal", func(m *Measurement) { m.Host.StealS = 40 }, results.Failed, 40},
		"some steal": {"no_steal", func(m *Measurement) { m.Host.StealS = 5 }, results.Warning, 5},
		"other load": {"no_other_load", func(m *Measurement) { m.Host.OthersS = 80 }, results.Failed, 80},
		"some load":  {"no_other_load", func(m *Measurement) { m.Host.OthersS = 30 }, results.Warning, 30},
		"an accept queue that ran over": {
			"no_listen_overflows", func(m *Measurement) { m.Host.Listen.Overflows = 1 }, results.Failed, 0.5,
		},
		"a clock set back": {
			"steady_clock", func(m *Measurement) { m.Host.ClockJump = -2 * time.Second }, results.Failed, 2000,
		},
		"a clock that was corrected": {
			"steady_clock", func(m *Measurement) { m.Host.ClockJump = 100 * time.Millisecond }, results.Warning, 100,
		},
		"a machine nobody looked at": {"no_steal", func(m *Measurement) { m.Host = nil }, results.Passed, 1},
	} {
		t.Run(name, func(t *testing.T) {
			e := soundEvidence(2)
			c.ruin(&e.Rounds[2])
			run := e.Run()
			check := checkOf(t, run, c.check)
			require.Equal(t, c.status, check.Status, check.Detail)
			require.InDelta(t, c.figure, float64(check.Figure), 1e-6)
			require.Equal(t, c.status != results.Failed, run.Valid)
			require.Contains(t, check.Detail, "bound ")
		})
	}
}

func TestWhatIsNotKnownIsNotChecked(t *testing.T) {
	e := soundEvidence(2)
	for i := range e.Rounds {
		e.Rounds[i].Host, e.Rounds[i].Own.ServiceS = nil, 0
	}
	run := e.Run()
	require.True(t, run.Valid)
	for _, name := range []string{"no_steal", "no_other_load", "littles_law_server", "littles_law_calls"} {
		check := checkOf(t, run, name)
		require.Equal(t, results.NotChecked, check.Status)
		require.True(t, math.IsNaN(float64(check.Figure)))
	}
}

// TestStatusAndOKAgree: only what failed makes a run invalid.
func TestStatusAndOKAgree(t *testing.T) {
	e := soundEvidence(2)
	e.Rounds[1].Host.StealS, e.Rounds[1].A.Calls, e.Config.Warmup = 50, 0, 0
	for _, c := range e.Run().Checks {
		require.Equal(t, c.Status != results.Failed, c.OK, c.Name)
		require.Equal(t, c.Unit == "", math.IsNaN(float64(c.Bound)), c.Name)
	}
}

func TestWarmUpAndSeries(t *testing.T) {
	for name, c := range map[string]struct {
		ruin          func(*Evidence)
		check, status string
	}{
		"no warm-up wanted":         {func(e *Evidence) { e.Config.Warmup = 0 }, "warm_up", results.Warning},
		"a warm-up without answers": {func(e *Evidence) { e.Rounds[0].WarmUp.OK2xx = 0 }, "warm_up", results.Failed},
		"a warm-up in the measurement": {
			func(e *Evidence) { e.Rounds[0].WarmUp.Ended = e.Rounds[0].Load.Started.Add(time.Second) }, "warm_up", results.Failed,
		},
		"a second that lost an answer": {func(e *Evidence) { e.Rounds[3].Load.Seconds[0].Answered-- }, "series", results.Failed},
		"seconds after the end": {
			func(e *Evidence) {
				r := e.Rounds[3].Load
				r.Seconds = append(r.Seconds, r.Seconds[0], r.Seconds[0])
				r.Seconds[1].Answered, r.Seconds[2].Answered = 0, 0
			}, "series", results.Failed,
		},
	} {
		t.Run(name, func(t *testing.T) {
			e := soundEvidence(2)
			c.ruin(e)
			require.Equal(t, c.status, checkOf(t, e.Run(), c.check).Status)
		})
	}
}

// TestLittleNeedsRequests: with few requests per client the end of a round explains what is missing.
func TestLittleNeedsRequests(t *testing.T) {
	for name, c := range map[string]struct {
		requests int
		status   string
	}{"few": {200, results.Passed}, "enough": {400, results.Warning}} {
		t.Run(name, func(t *testing.T) {
			m := sound(Slot{Order: 1, Round: 1, Server: ThreadPool}, c.requests, 40_000)
			m.Load.Duration = m.Load.Duration * 11 / 10
			require.Equal(t, c.status, finished(checkLittle([]Measurement{m})).Status)
		})
	}
}

// Health checks reach an attached server, too: what it counts beyond the load runner's requests is no fault there, what
// it did not count is.
func TestFlowBalanceOfAnAttachedServer(t *testing.T) {
	for name, c := range map[string]struct {
		attached bool
		more     int
		ok       bool
	}{
		"alike": {true, 0, true}, "health checks": {true, 6, true}, "uncounted": {true, -1, false},
		"alone, and more": {false, 6, false}, "alone, and less": {false, -1, false},
	} {
		t.Run(name, func(t *testing.T) {
			e := soundEvidence(2)
			m := &e.Rounds[1]
			m.Own.Answered = uint64(int64(m.Own.Answered) + int64(c.more))
			m.Attached = c.attached
			require.Equal(t, c.ok, checkOf(t, e.Run(), "flow_balance").OK)
		})
	}
}
