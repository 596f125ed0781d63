package preset

import (
	"testing"

	"github.com/stretchr/testify/require"

	"poolvsloop/internal/procstat"
	"poolvsloop/internal/results"
)

func TestOtherLoad(t *testing.T) {
	before := look{Moment: procstat.Moment{TotalS: 100, BusyS: 50}, ours: 10}
	for name, c := range map[string]struct {
		busyS, ours, stealS float64
		busy, refused       bool
	}{
		"a quiet machine":   {52, 12, 0, false, false},
		"a busy lab":        {70, 30, 0, false, false},
		"others, a little":  {54, 10, 0, false, false},
		"others, some":      {55, 10, 0, true, false},
		"others, too many":  {66, 10, 0, true, true},
		"others beside us":  {69, 13, 0, true, true},
		"we counted more":   {51, 20, 0, false, false},
		"nothing was to do": {50, 10, 0, false, false},
		"some stolen":       {50, 10, 1, true, false},
		"too much stolen":   {50, 10, 7, true, true},
	} {
		t.Run(name, func(t *testing.T) {
			after := look{Moment: procstat.Moment{TotalS: 120, BusyS: c.busyS, StealS: c.stealS}, ours: c.ours}
			shares := after.since(before)
			require.Equal(t, c.busy, shares.busy())
			require.Equal(t, c.refused, shares.fault() != "")
		})
	}
	require.Equal(t, shares{}, before.since(before), "no time has passed")
}

// TestTheWorstRoundCounts: a step knows the most that others had in any of its rounds.
func TestTheWorstRoundCounts(t *testing.T) {
	s := &loadSession{stepRun: &stepRun{otherLoad: results.Unknown}}
	for _, others := range []float64{0.5, 0.9, 0.1} {
		s.met("threadpool", 1, shares{others: others})
	}
	require.Equal(t, results.Number(90), s.otherLoad)
	require.True(t, s.busy)
	require.Len(t, s.reasons, 1)
}
