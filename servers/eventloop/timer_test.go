package main

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"
)

// The heap and a plain map side by side: the same timers are due at every step, none twice.
func TestTimersAgainstModel(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var ts timers
		all := make([]timer, 8)
		model := map[*timer]time.Duration{}
		now := time.Duration(1)
		t.Repeat(map[string]func(*rapid.T){
			"start": func(t *rapid.T) {
				tm := &all[rapid.IntRange(0, len(all)-1).Draw(t, "timer")]
				deadline := now + time.Duration(rapid.IntRange(0, 50).Draw(t, "in"))
				ts.start(tm, deadline)
				model[tm] = deadline
			},
			"stop": func(t *rapid.T) {
				tm := &all[rapid.IntRange(0, len(all)-1).Draw(t, "timer")]
				ts.stop(tm)
				delete(model, tm)
			},
			"remove": func(t *rapid.T) {
				tm := &all[rapid.IntRange(0, len(all)-1).Draw(t, "timer")]
				ts.remove(tm)
				delete(model, tm)
				require.NotContains(t, ts.heap, tm)
			},
			"pass": func(t *rapid.T) {
				now += time.Duration(rapid.IntRange(0, 40).Draw(t, "by"))
				for tm := ts.next(now); tm != nil; tm = ts.next(now) {
					deadline, known := model[tm]
					require.True(t, known, "fired twice, or after stop")
					require.LessOrEqual(t, deadline, now)
					delete(model, tm)
				}
				for _, deadline := range model {
					require.Greater(t, deadline, now, "not fired")
				}
			},
			"": func(t *rapid.T) { checkHeap(t, &ts, model) },
		})
	})
}

func checkHeap(t *rapid.T, ts *timers, model map[*timer]time.Duration) {
	require.Equal(t, len(model), ts.set)
	for i, tm := range ts.heap {
		require.Equal(t, i+1, tm.slot)
		require.LessOrEqual(t, ts.heap[max(i-1, 0)/2].at, tm.at, "heap order at %d", i)
	}
	at, ok := ts.wake()
	for _, deadline := range model {
		require.True(t, ok)
		require.LessOrEqual(t, at, deadline, "would sleep past a deadline")
	}
}

// A keep-alive connection moves its deadline later with every request; the heap must not be touched by that.
func TestTimerMovesLaterInPlace(t *testing.T) {
	var ts timers
	var tm timer
	ts.start(&tm, 10)
	for later := time.Duration(20); later < 100; later++ {
		ts.stop(&tm)
		ts.start(&tm, later)
	}
	require.Len(t, ts.heap, 1)
	require.Equal(t, time.Duration(10), tm.at)
	require.Nil(t, ts.next(98))
	require.Same(t, &tm, ts.next(99))
	require.Nil(t, ts.next(1000))
}

func BenchmarkTimerPerRequest(b *testing.B) {
	var ts timers
	all := make([]timer, 1000)
	now := time.Duration(0)
	for i := 0; b.Loop(); i++ {
		now += time.Microsecond
		ts.stop(&all[i%len(all)])
		ts.start(&all[i%len(all)], now+time.Second)
		for ts.next(now) != nil {
		}
	}
}
