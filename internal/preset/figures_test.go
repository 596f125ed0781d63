package preset

import (
	"encoding/json"
	"math"
	"testing"

	"github.com/stretchr/testify/require"

	"poolvsloop/internal/results"
	"poolvsloop/internal/single"

	"poolvsloop/internal/procstat"
)

func TestFiguresOfAComparison(t *testing.T) {
	run, err := results.Load("../../results/example")
	require.NoError(t, err)
	step := compared(run)
	require.Equal(t, run.Valid, step["valid"])
	pool := step["threadpool"].(map[string]any)
	total := run.Targets[0].Total
	require.Equal(t, total.GoodputRPS, pool["goodput_rps"])
	require.Equal(t, float64(total.ServerThreads), pool["server_threads"])
	require.Equal(t, float64(run.Targets[0].Ledger.CacheSets), pool["cache_sets"])
	require.Equal(t, float64(run.Predictions[0].Predicted.ThroughputRPS), pool["predicted"].(map[string]any)["throughput_rps"])
	require.Equal(t, run.Explanations[0].Bottleneck, pool["limit"])
	require.InDelta(t, run.Calibration[0].MeanMS-run.Calibration[0].WaitMS+50, pool["alone_ms"], 1e-9)
	require.Equal(t, results.Passed, step["checks"].(map[string]any)["closed_books"])
}

func TestFiguresOfARun(t *testing.T) {
	ms := 7.5
	r := &single.Report{
		DurationS: 2, ThroughputRPS: 50, GoodputRPS: 40,
		Requests: single.Requests{Planned: 110, Sent: 105, Dropped: 5, Answered: 100, OK2xx: 80, Non2xx: 20, TimedOut: 5},
		Response: single.Times{MeanMS: 6, Percentiles: []single.Ranked{{Percent: 50, MS: &ms}, {Percent: 99}}},
		Fairness: single.Fairness{Starved: 3},
	}
	step := ran(map[string]seen{"threadpool": figuresOf(r, procstat.Usage{CPUSeconds: 0.5, Threads: 9, VoluntarySwitches: 200})}, true)
	pool := step["threadpool"].(map[string]any)
	for name, want := range map[string]float64{
		"sent": 105, "dropped": 5, "completed": 100, "failed": 25, "timed_out": 5, "goodput_rps": 40, "p50_ms": 7.5, "mean_ms": 6,
		"server_cpu_us_per_request": 5000, "ctx_switches_per_request": 2, "server_threads": 9, "starved": 3, "failed_share": 25.0 / 105,
	} {
		require.InDelta(t, want, pool[name], 1e-9, name)
	}
	require.True(t, math.IsNaN(pool["p99_ms"].(float64)), "too few requests for it")
}

func TestMiddleRound(t *testing.T) {
	round := func(goodput float64) seen { return seen{Figures: results.Figures{GoodputRPS: goodput}} }
	require.Zero(t, middle(nil).GoodputRPS)
	require.Equal(t, 5.0, middle([]seen{round(5)}).GoodputRPS)
	require.Equal(t, 5.0, middle([]seen{round(9), round(5)}).GoodputRPS)
	require.Equal(t, 5.0, middle([]seen{round(9), round(1), round(5)}).GoodputRPS)
}

func TestFiguresCanBeWrittenDown(t *testing.T) {
	p, err := Find("pool-starved")
	require.NoError(t, err)
	text, err := json.Marshal(documented(p.sample()))
	require.NoError(t, err)
	require.Contains(t, string(text), `"goodput_rps":null`)
}

// TestForecast: what is known before a run is what theory says, and nothing measured.
func TestForecast(t *testing.T) {
	p, err := Find("pool-starved")
	require.NoError(t, err)
	known, err := p.forecast(true, 2)
	require.NoError(t, err)
	pool := known["starved"].(map[string]any)["threadpool"].(map[string]any)
	require.True(t, math.IsNaN(pool["goodput_rps"].(float64)))
	require.InEpsilon(t, 20/0.2, pool["predicted"].(map[string]any)["throughput_rps"], 0.01)
	require.InDelta(t, 200, pool["alone_ms"], 2)
}
