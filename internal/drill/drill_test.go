package drill

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"go.uber.org/goleak"

	"poolvsloop/internal/timeline"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// fakeLab remembers what was set; broken settings fail.
type fakeLab struct {
	mu     sync.Mutex
	values map[string]string
	sets   []string
	broken map[string]error
}

func (l *fakeLab) Setting(_ context.Context, program, setting string) (string, error) {
	key := program + "." + setting
	return l.values[key], l.broken["read "+key]
}

func (l *fakeLab) Set(_ context.Context, program, setting, value string) error {
	l.mu.Lock()
	defer l.mu.Unlock()
	key := program + "." + setting
	if err := l.broken[key+"="+value]; err != nil {
		return err
	}
	l.values[key] = value
	l.sets = append(l.sets, key+"="+value)
	return nil
}

func (l *fakeLab) count() int {
	l.mu.Lock()
	defer l.mu.Unlock()
	return len(l.sets)
}

func newLab() *fakeLab {
	return &fakeLab{values: map[string]string{"b.latency": "30ms", "threadpool.workers": "20"}, broken: map[string]error{}}
}

func events(t *testing.T, texts ...string) []timeline.Event {
	t.Helper()
	all, err := timeline.ParseAll(texts)
	require.NoError(t, err)
	return all
}

func TestEventsAreCarriedOutAndPutBack(t *testing.T) {
	lab := newLab()
	d, err := Prepare(t.Context(), lab, events(t, "0s b.latency=500ms", "1ms threadpool.workers=5", "2ms b.latency=100ms"))
	require.NoError(t, err)
	require.Equal(t, map[string]string{"b.latency": "30ms", "threadpool.workers": "20"}, d.Before)
	origin := time.Now()
	d.Start(t.Context(), origin)
	require.Eventually(t, func() bool { return lab.count() == 3 }, 10*time.Second, time.Millisecond)
	done := d.Stop()
	require.Len(t, done, 3)
	for _, e := range done {
		require.NoError(t, e.Err)
		require.True(t, e.Begun)
		require.GreaterOrEqual(t, e.Lag, time.Duration(0), "no event comes before its time")
	}
	require.Equal(t, []string{"b.latency=500ms", "threadpool.workers=5", "b.latency=100ms"}, lab.sets)
	require.NoError(t, d.Restore(t.Context()))
	require.Equal(t, map[string]string{"b.latency": "30ms", "threadpool.workers": "20"}, lab.values)
}

func TestEventsBehindTheEndFail(t *testing.T) {
	lab := newLab()
	d, err := Prepare(t.Context(), lab, events(t, "0s b.latency=500ms", "1h b.latency=30ms", "2h b.latency=1ms"))
	require.NoError(t, err)
	d.Start(t.Context(), time.Now())
	require.Eventually(t, func() bool { return lab.count() == 1 }, 10*time.Second, time.Millisecond)
	done := d.Stop()
	require.NoError(t, done[0].Err)
	for _, e := range done[1:] {
		require.ErrorIs(t, e.Err, errEnded)
		require.False(t, e.Begun)
	}
	require.NoError(t, d.Restore(t.Context()))
	require.Equal(t, "30ms", lab.values["b.latency"])
}

func TestWhatFailsIsSaid(t *testing.T) {
	lab := newLab()
	lab.broken["b.latency=500ms"] = errors.New("answer 400")
	d, err := Prepare(t.Context(), lab, events(t, "0s b.latency=500ms", "0s threadpool.workers=1"))
	require.NoError(t, err)
	d.Start(t.Context(), time.Now())
	require.Eventually(t, func() bool { return lab.count() == 1 }, 10*time.Second, time.Millisecond)
	done := d.Stop()
	require.ErrorContains(t, done[0].Err, "answer 400")
	require.NoError(t, done[1].Err, "the others go on")

	lab.broken["b.latency=30ms"] = errors.New("gone")
	require.EqualError(t, d.Restore(t.Context()), "put b.latency back to 30ms: gone")
	require.Equal(t, "20", lab.values["threadpool.workers"], "the others are put back all the same")

	lab.broken["read b.latency"] = fmt.Errorf("no answer")
	_, err = Prepare(t.Context(), lab, events(t, "0s b.latency=500ms"))
	require.EqualError(t, err, "read b.latency, which an event changes: no answer")
}

func TestRestoreOutlivesTheRun(t *testing.T) {
	lab := newLab()
	ctx, cancel := context.WithCancel(t.Context())
	d, err := Prepare(ctx, lab, events(t, "0s b.latency=500ms"))
	require.NoError(t, err)
	d.Start(ctx, time.Now())
	require.Eventually(t, func() bool { return lab.count() == 1 }, 10*time.Second, time.Millisecond)
	cancel()
	d.Stop()
	require.NoError(t, d.Restore(ctx))
	require.Equal(t, "30ms", lab.values["b.latency"])
}

func TestAnUnstartedDrillHasNothingToStop(t *testing.T) {
	d, err := Prepare(t.Context(), newLab(), events(t, "0s b.latency=500ms"))
	require.NoError(t, err)
	require.Empty(t, d.Stop())
}
