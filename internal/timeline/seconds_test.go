package timeline

import (
	"math"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"poolvsloop/internal/load"
)

// sample is a request that ended at a moment of the round after so many ms.
func sample(end time.Duration, ms int, status int, o load.Outcome) load.Sample {
	return load.Sample{
		Start: end.Microseconds() - int64(ms)*1000, Total: uint32(ms * 1000), Status: uint16(status), Outcome: o,
	}
}

func TestSeconds(t *testing.T) {
	all := Seconds([]load.Sample{
		sample(100*time.Millisecond, 20, 200, load.Answered),
		sample(999*time.Millisecond, 40, 200, load.Answered),
		sample(time.Second, 60, 200, load.Answered),
		sample(3500*time.Millisecond, 5, 503, load.Answered),
		sample(3500*time.Millisecond, 1000, 0, load.TimedOut),
	})
	require.Len(t, all, 4, "a second in which nothing ended is one, too")
	require.Equal(t, 2, all[0].OK2xx)
	require.EqualValues(t, 20, all[0].P50MS)
	require.EqualValues(t, 40, all[0].MaxMS)
	require.True(t, math.IsNaN(float64(all[0].P99MS)), "two answers have no p99")
	require.Equal(t, 1, all[1].Answered, "a second begins with its first moment")
	require.Zero(t, all[2].Answered)
	require.Equal(t, []int{3, 1, 0, 1}, []int{all[3].Second, all[3].Answered, all[3].OK2xx, all[3].Failed})
	require.True(t, math.IsNaN(float64(all[3].P50MS)), "a quick 503 is no short response time")
	require.Empty(t, Seconds(nil))
}

func TestP99OfASecond(t *testing.T) {
	var samples []load.Sample
	for i := range 100 {
		samples = append(samples, sample(500*time.Millisecond, i+1, 200, load.Answered))
	}
	second := Seconds(samples)[0]
	require.EqualValues(t, 50, second.P50MS)
	require.EqualValues(t, 99, second.P99MS)
	require.EqualValues(t, 100, second.MaxMS)
}
