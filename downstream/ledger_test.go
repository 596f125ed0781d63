package main

import (
	"reflect"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// requireBooks checks what holds of every report, however it came about.
func requireBooks(t *testing.T, r Report) {
	t.Helper()
	ended := r.Answered + r.Errors + r.Hung + r.Resets + r.Rejected + r.BadRequests + r.Abandoned
	require.Equal(t, r.Calls, ended+uint64(r.InFlight), "calls = outcomes + in flight: %+v", r)
	routed := uint64(0)
	for _, n := range r.Routes {
		routed += n
	}
	require.Equal(t, r.Calls, routed, "calls = sum over routes: %+v", r)
	require.GreaterOrEqual(t, r.MaxInFlight, r.InFlight+r.InFlightBefore)
	for _, s := range []Summary{r.QueueMS, r.IntendedMS, r.DeliveredMS, r.OvershootMS} {
		require.GreaterOrEqual(t, s.P99, s.P50)
		require.GreaterOrEqual(t, s.Max*1.001, s.P99)
	}
}

func TestEveryOutcomeHasItsPlace(t *testing.T) {
	for o, of := range map[Outcome]func(Report) uint64{
		Answered:   func(r Report) uint64 { return r.Answered },
		Failed:     func(r Report) uint64 { return r.Errors },
		Hung:       func(r Report) uint64 { return r.Hung },
		WasReset:   func(r Report) uint64 { return r.Resets },
		Rejected:   func(r Report) uint64 { return r.Rejected },
		BadRequest: func(r Report) uint64 { return r.BadRequests },
		Abandoned:  func(r Report) uint64 { return r.Abandoned },
	} {
		t.Run(o.String(), func(t *testing.T) {
			l := NewLedger("a")
			call := l.Begin("customers")
			requireBooks(t, l.Report())
			assert.Zero(t, of(l.Report()))
			call.End(o)
			requireBooks(t, l.Report())
			assert.Equal(t, uint64(1), of(l.Report()))
			total := l.Total()
			assert.Equal(t, uint64(1), total.outcomes[o])
		})
	}
}

func TestLedgerMeasuresDelays(t *testing.T) {
	const ms = time.Millisecond
	l := NewLedger("a")
	for _, d := range []struct{ intended, delivered time.Duration }{
		{0, 10 * time.Microsecond}, {10 * ms, 11 * ms}, {20 * ms, 20 * ms}, {50 * ms, 55 * ms}, {50 * ms, 56 * ms},
	} {
		call := l.Begin("quotes")
		call.Delayed(d.intended, d.delivered)
		call.End(Answered)
	}
	r := l.Report()
	requireBooks(t, r)
	assert.InDelta(t, 26, r.IntendedMS.Mean, 1e-9)
	assert.InDelta(t, 28.402, r.DeliveredMS.Mean, 1e-9)
	assert.InDelta(t, 3, r.OvershootMS.Mean, 1e-9, "over the 4 calls that had a delay")
	assert.InDelta(t, 6, r.OvershootMS.Max, 1e-9)
	assert.InDelta(t, 6, r.OvershootMS.P99, 0.01)
	assert.Equal(t, uint64(1), r.LateCalls, "50 ms that took 56")
	assert.True(t, r.Late, "1 of 4")
}

func TestLateIsMoreThanOneInAHundred(t *testing.T) {
	for name, tc := range map[string]struct {
		late, onTime int
		want         bool
	}{
		"nothing yet": {0, 0, false},
		"1 in 100":    {1, 99, false},
		"2 in 100":    {2, 98, true},
		"all on time": {0, 1000, false},
	} {
		t.Run(name, func(t *testing.T) {
			l := NewLedger("a")
			for range tc.late {
				l.Begin("x").Delayed(time.Millisecond, time.Millisecond+LateBound(0)+1)
			}
			for range tc.onTime {
				l.Begin("x").Delayed(time.Millisecond, time.Millisecond+LateBound(0))
			}
			assert.Equal(t, tc.want, l.Report().Late)
		})
	}
}

func TestResetTellsCallsInFlightApart(t *testing.T) {
	l := NewLedger("a")
	early, open := l.Begin("customers"), l.Begin("customers")
	l.Begin("quotes").End(Answered)

	ended := l.Reset()
	requireBooks(t, ended)
	assert.Equal(t, uint64(1), ended.Epoch)
	assert.Equal(t, uint64(3), ended.Calls)
	assert.Equal(t, 2, ended.InFlight)

	fresh := l.Report()
	requireBooks(t, fresh)
	assert.Equal(t, Report{
		Name: "a", Epoch: 2, Routes: map[string]uint64{}, InFlightBefore: 2, MaxInFlight: 2,
	}, fresh)

	early.Queued(time.Second)
	early.Stalled()
	early.Delayed(time.Second, 2*time.Second)
	early.End(Answered)
	l.Begin("quotes").End(Failed)
	r := l.Report()
	requireBooks(t, r)
	assert.Equal(t, uint64(1), r.Calls, "a call counts in the epoch in which it came")
	assert.Zero(t, r.Answered)
	assert.Equal(t, 1, r.InFlightBefore)
	assert.Equal(t, 1, r.EndedBefore)
	assert.Equal(t, 2, r.MaxInFlight, "of whatever epoch")
	assert.Equal(t, Summary{}, r.IntendedMS)

	open.End(Hung)
	assert.Zero(t, l.Report().InFlightBefore)
	total := l.Total()
	assert.Equal(t, uint64(4), total.calls, "the total goes on")
	assert.Equal(t, uint64(1), total.late)
	assert.Equal(t, uint64(1), total.queued)
	assert.Equal(t, uint64(1), total.stalled)
}

func TestLedgerIsExactUnderConcurrentCallsAndResets(t *testing.T) {
	const clients, each = 64, 500
	l := NewLedger("a")
	var all sync.WaitGroup
	for i := range clients {
		all.Go(func() {
			for n := range each {
				call := l.Begin("customers")
				call.Delayed(time.Duration(n), time.Duration(n))
				call.End(Outcome((i + n) % int(outcomes)))
			}
		})
	}
	stop := make(chan struct{})
	counted := make(chan uint64)
	go func() {
		sum := uint64(0)
		for {
			select {
			case <-stop:
				counted <- sum
				return
			default:
				sum += l.Reset().Calls
			}
		}
	}()
	all.Wait()
	close(stop)
	sum := <-counted
	last := l.Report()
	requireBooks(t, last)
	assert.Equal(t, uint64(clients*each), sum+last.Calls, "every call is in exactly one epoch")
	assert.Zero(t, last.InFlight)
	assert.Zero(t, last.InFlightBefore)
}

func TestReportHasAFieldForEveryOutcome(t *testing.T) {
	names := map[string]bool{}
	for field := range reflect.TypeFor[Report]().Fields() {
		names[field.Tag.Get("json")] = true
	}
	for o := range outcomes {
		assert.Contains(t, names, o.String())
	}
}

func TestDistributionIsExactInMeanAndMax(t *testing.T) {
	d := newDistribution()
	assert.Equal(t, Summary{}, d.summary())
	for _, v := range []time.Duration{0, 1_500_000, 2 * time.Second, 3 * time.Hour} {
		d.record(v)
	}
	s := d.summary()
	assert.InDelta(t, 10_802_001.5/4, s.Mean, 1e-6)
	assert.InDelta(t, 10_800_000, s.Max, 1e-6)
	assert.InEpsilon(t, longestRecorded.Milliseconds(), s.P99, 0.001, "clamped")
}

func BenchmarkLedgerCall(b *testing.B) {
	l := NewLedger("a")
	b.RunParallel(func(p *testing.PB) {
		for p.Next() {
			call := l.Begin("customers")
			call.Delayed(20*time.Millisecond, 21*time.Millisecond)
			call.End(Answered)
		}
	})
}
