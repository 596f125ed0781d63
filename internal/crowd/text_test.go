package crowd

import (
	"math"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"poolvsloop/internal/load"
	"poolvsloop/internal/results"
)

func TestTotalAndText(t *testing.T) {
	spec, err := Parse("storm=5,at=2s,within=100ms")
	require.NoError(t, err)
	books := func(connectUS ...int64) load.CrowdResult {
		r := load.NewCrowdResult()
		r.Started, r.Opened, r.Span = len(connectUS)+1, len(connectUS), time.Duration(len(connectUS))*time.Millisecond
		for _, us := range connectUS {
			require.NoError(t, r.Connect.Histogram.RecordValue(us))
			r.Connect.Max = max(r.Connect.Max, us)
		}
		r.Answered, r.StillConnecting, r.ByStatus, r.Retried, r.BySeconds = len(connectUS), 1, map[int]int{200: len(connectUS)}, 1, map[int]int{1: 1}
		return r
	}
	x := Total(spec, []load.CrowdResult{books(100, 1_024_000), books(100, 100, 1_024_000)})
	require.Equal(t, 7, x.Started)
	require.Equal(t, 5, x.Answered)
	require.Equal(t, 2, x.Rounds)
	require.InDelta(t, 0.1, float64(x.ConnectP50MS), 0.001)
	require.EqualValues(t, 1024, x.ConnectMaxMS)
	require.True(t, math.IsNaN(float64(x.ResponseP50MS)), "nothing was recorded")
	require.Equal(t, map[int]int{1: 2}, x.ConnectsBySecond)
	require.InDelta(t, 0.003, x.SpanS, 1e-9)

	empty := Total(spec, nil)
	empty.NotStarted = 5
	text := Text([]Side{{"threadpool", []results.Crowd{x}}, {"eventloop", []results.Crowd{empty}}})
	for line := range strings.Lines(text) {
		require.LessOrEqual(t, len([]rune(line))-1, 100, line)
	}
	for _, want := range []string{
		"  storm=5,at=2s,within=100ms\n", "  threadpool         7        5         5        0       0        0          0       0           2\n",
		"connect p50 0.10, p90 1024, p99 1024, max 1024 ms\n", "threadpool    2 SYNs sent again; connects of 1 s: 2", "answers by status 200: 5; response p50 -",
		"2 of those still open had not been connected", "threadpool    all started within 0.003 s", "eventloop     5 did not start",
	} {
		require.Contains(t, text, want)
	}
	require.Empty(t, Text([]Side{{Name: "threadpool"}}))
}
