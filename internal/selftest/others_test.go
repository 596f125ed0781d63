package selftest

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

func TestOthers(t *testing.T) {
	start := time.Unix(0, 0)
	before := spent{at: start, all: 100, own: 10}
	for name, c := range map[string]struct {
		after spent
		want  float64
	}{
		"alone":              {spent{start.Add(time.Second), 101, 11}, 0},
		"half of a machine":  {spent{start.Add(time.Second), 101.5, 10.5}, 0.5},
		"rounding":           {spent{start.Add(time.Second), 100.9, 11}, 0},
		"more than there is": {spent{start.Add(time.Second), 109, 10}, 1},
		"no time":            {spent{start, 109, 10}, 0},
		"no counters":        {spent{}, 0},
	} {
		t.Run(name, func(t *testing.T) {
			require.InDelta(t, c.want, others(before, c.after, 2), 1e-9)
		})
	}
	require.Empty(t, excuse(spent{}, spent{}))
	later := spent{at: start.Add(time.Second), all: 1e6, own: 10}
	require.Contains(t, excuse(before, later), "too busy to tell: other programs used 100 %")
}

// The counters of this machine go forward.
func TestSpentNow(t *testing.T) {
	a := spentNow()
	require.Positive(t, a.all)
	b := spentNow()
	require.GreaterOrEqual(t, b.all, a.all)
	require.GreaterOrEqual(t, b.own, a.own)
}
