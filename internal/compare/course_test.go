package compare

import (
	"testing"

	"github.com/stretchr/testify/require"

	"poolvsloop/internal/load"
	"poolvsloop/internal/stats"
)

// timed is a round of so many requests, one each millisecond, of which request i takes micros(i).
func timed(n int, micros func(i int) uint32) Measurement {
	r := &load.Result{}
	for i := range n {
		r.Samples = append(r.Samples, load.Sample{Start: int64(i) * 1000, Total: micros(i), Outcome: load.Answered})
	}
	return Measurement{Slot: Slot{Order: 3}, Load: r}
}

func TestCourseOfARound(t *testing.T) {
	for name, c := range map[string]struct {
		round   Measurement
		verdict string
	}{
		"nothing":      {timed(0, nil), stats.TooShort},
		"few requests": {timed(199, func(int) uint32 { return 1000 }), stats.TooShort},
		"flat":         {timed(400, func(int) uint32 { return 1000 }), stats.Flat},
		"slower":       {timed(400, func(i int) uint32 { return uint32(1000 + i) }), stats.Drifting},
		"faster":       {timed(400, func(i int) uint32 { return uint32(1400 - i) }), stats.Warming},
	} {
		t.Run(name, func(t *testing.T) {
			got := course(c.round)
			require.Equal(t, c.verdict, got.Verdict)
			require.Equal(t, 3, got.Order)
		})
	}
}

func TestMeanTimesAreOfAnsweredRequests(t *testing.T) {
	m := timed(400, func(int) uint32 { return 2000 })
	m.Load.Samples[7].Outcome, m.Load.Samples[7].Total = load.TimedOut, 30_000_000
	for _, mean := range meanTimes(m.Load) {
		require.InDelta(t, 2, mean, 1e-9)
	}
}
