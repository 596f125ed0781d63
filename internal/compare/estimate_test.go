package compare

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"poolvsloop/internal/predict"
	"poolvsloop/internal/results"
)

func settings() results.Config {
	return results.Config{
		Concurrency: 50, Rounds: 4, Fresh: 2, Warmup: results.Seconds(time.Second), Workers: 20, Queue: 100, QueueFull: "503", Loops: 1,
		Requests: 5000, LatencyA: "20ms", LatencyB: "30ms", Lab: Embedded,
	}
}

func TestEstimate(t *testing.T) {
	c := settings()
	// A pool of 20 workers answers 20 requests in 50 ms and a bit, 50 clients get up to 1000 a second from a loop.
	whole := Estimate(c)
	require.Greater(t, whole, 4*(12500+5000)*time.Millisecond)
	require.Less(t, whole, 4*(12500+5000)*time.Millisecond+20*time.Second)
	c.Duration = results.Seconds(time.Second)
	require.Less(t, Estimate(c), 22*time.Second)
	c.Requests = 0
	require.Greater(t, Estimate(c), 8*time.Second)
	c.LatencyA = "nonsense"
	require.Greater(t, Estimate(c), 8*time.Second)
}

func TestLimits(t *testing.T) {
	c := settings()
	c.Rate = 77
	rates, clients := Limits(c)
	const wait = 0.05
	pool, loop := predict.Costs[predict.ThreadPool].CPU.Seconds(), predict.Costs[predict.EventLoop].CPU.Seconds()
	require.InDelta(t, 20/(wait+pool), rates[0], 1, "workers / time of a request")
	require.InDelta(t, 1/loop, rates[1], 1, "one loop")
	require.InDelta(t, 20, clients[0], 0.1)
	require.InDelta(t, (wait+loop)/loop, clients[1], 2)
}
