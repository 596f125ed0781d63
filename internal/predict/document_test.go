package predict

import (
	"math"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"poolvsloop/internal/queueing"
	"poolvsloop/internal/results"
)

// config is 200 clients on 20 workers.
func config() results.Config {
	return results.Config{
		Concurrency: 200, Workers: 20, Queue: 200, QueueFull: "503", LatencyA: "20ms", LatencyB: "30ms", HitRatio: 0.9, Seed: 1,
		Dispatch: "request", Mistake: "none",
	}
}

func TestInputs(t *testing.T) {
	for name, c := range map[string]struct {
		server string
		change func(*results.Config)
		look   func(*testing.T, queueing.Inputs)
	}{
		"pool": {ThreadPool, func(*results.Config) {}, func(t *testing.T, in queueing.Inputs) {
			require.Equal(t, []int{200, 20, 200, 0}, []int{in.Clients, in.Workers, in.Queue, in.Loops})
			require.True(t, in.Rejects)
		}},
		"pool that lets wait": {ThreadPool, func(c *results.Config) { c.QueueFull = "wait" }, func(t *testing.T, in queueing.Inputs) {
			require.False(t, in.Rejects)
		}},
		"queue without limit": {ThreadPool, func(c *results.Config) { c.Queue = -1 }, func(t *testing.T, in queueing.Inputs) {
			require.False(t, in.Rejects)
		}},
		"workers that keep connections": {ThreadPool, func(c *results.Config) { c.Dispatch, c.KeepAlive = "connection", true },
			func(t *testing.T, in queueing.Inputs) { require.True(t, in.KeepsConnection) }},
		"connections of one request": {ThreadPool, func(c *results.Config) { c.Dispatch = "connection" },
			func(t *testing.T, in queueing.Inputs) { require.False(t, in.KeepsConnection) }},
		"loop": {EventLoop, func(*results.Config) {}, func(t *testing.T, in queueing.Inputs) {
			require.Equal(t, []int{queueing.Unlimited, 2}, []int{in.Workers, in.Loops})
			require.False(t, in.Blocking || in.Rejects)
		}},
		"limits of the downstreams": {EventLoop, func(c *results.Config) { c.ConcurrencyLimitB, c.RateLimitA = 8, 250.5 },
			func(t *testing.T, in queueing.Inputs) {
				require.Equal(t, "--concurrency-limit-b 8, --rate-limit-a 250.5", in.Unseen)
				require.Contains(t, queueing.Predict(in).Weak, "not seen: "+in.Unseen)
			}},
		"no limits of theirs": {ThreadPool, func(*results.Config) {}, func(t *testing.T, in queueing.Inputs) {
			require.Empty(t, in.Unseen)
		}},
		"bounded loop that blocks": {EventLoop, func(c *results.Config) { c.MaxInflight, c.Loops, c.Mistake = 7, 1, "block" },
			func(t *testing.T, in queueing.Inputs) {
				require.Equal(t, []int{7, 1}, []int{in.Workers, in.Loops})
				require.True(t, in.Blocking && in.Rejects)
			}},
	} {
		t.Run(name, func(t *testing.T) {
			settings := config()
			c.change(&settings)
			in, err := Inputs(c.server, settings, Load{}, Cost{}, 2)
			require.NoError(t, err)
			c.look(t, in)
		})
	}
	bad := config()
	bad.LatencyB = "soon"
	_, err := Inputs(EventLoop, bad, Load{}, Cost{}, 2)
	require.ErrorContains(t, err, `--latency-b: latency "soon"`)
	in, err := Inputs(EventLoop, config(), Load{Rate: 100}, Cost{}, 2)
	require.NoError(t, err)
	require.Zero(t, in.Clients, "arrivals have no clients")
}

func TestCostOf(t *testing.T) {
	known := results.Calibration{MeanMS: 51, WaitMS: 50, ServerCPUUS: 400, OtherCPUUS: 350}
	require.Equal(t, Cost{CPU: 400 * time.Microsecond, OtherCPU: 350 * time.Microsecond, Overhead: 250 * time.Microsecond}, CostOf(known))
	known.OtherCPUUS = results.Unknown
	require.Equal(t, 600*time.Microsecond, CostOf(known).Overhead, "whose it is is not known")
	known.MeanMS = 50
	require.Zero(t, CostOf(known).Overhead)
}

func TestMeasure(t *testing.T) {
	in, err := Inputs(ThreadPool, config(), Load{}, Cost{CPU: 400 * time.Microsecond}, 2)
	require.NoError(t, err)
	d := Document(ThreadPool, in, queueing.Predict(in))
	require.InDelta(t, 396.8, float64(d.Predicted.ThroughputRPS), 0.1)
	require.Equal(t, "N/(S+D)", d.Bounds[0].Name)
	require.True(t, math.IsNaN(float64(d.Measured.MeanMS)))

	measured := results.Figures{Sent: 1000, GoodputRPS: 390, MeanMS: 510, P50MS: 505, P90MS: 700, P99MS: 800}
	Measure(&d, measured)
	require.InDelta(t, 1.75, float64(d.ErrorPercent.ThroughputRPS), 0.1)
	require.Equal(t, []string{"p90", "p99"}, d.ModelOff)

	d = Document(ThreadPool, in, queueing.Predict(in))
	measured.Failed = 100
	Measure(&d, measured)
	require.True(t, math.IsNaN(float64(d.Measured.MeanMS)), "rejections have made the times theirs")
	require.InDelta(t, 0.1, float64(d.Measured.BlockedShare), 1e-9)
}
