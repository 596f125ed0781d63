package diff

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"poolvsloop/internal/results"
	"poolvsloop/internal/stats"
)

// run is a sound run in which every figure of a server's rounds is about level.
func run(id string, pool, loop float64) *results.Run {
	target := func(name string, level float64) results.Target {
		t := results.Target{Name: name}
		for i := range 10 {
			x := level * (1 + float64(i)/1000)
			t.Rounds = append(t.Rounds, results.Figures{
				Completed: 20000, ThroughputRPS: x, GoodputRPS: x, MeanMS: x, P50MS: x, P99MS: x, P999MS: x, ServerCPUUSPerRequest: x,
				ServerRSSBytes: int64(x * (1 << 20)), CtxSwitchesPerRequest: x,
			})
		}
		return t
	}
	return &results.Run{
		ID: id, Valid: true, Targets: []results.Target{target("threadpool", pool), target("eventloop", loop)},
		Config: results.Config{Concurrency: 10, Workers: 20, Name: id}, Environment: results.Environment{Versions: map[string]string{"gnet": "v1"}},
	}
}

func verdicts(s Server) map[string]string {
	all := map[string]string{}
	for _, r := range s.Metrics {
		all[r.Metric] = r.Verdict
	}
	return all
}

func TestOf(t *testing.T) {
	first, second := run("one", 100, 100), run("two", 200, 100)
	second.Config.Workers, second.Environment.Versions["gnet"] = 40, "v2"
	d, err := Of(first, second)
	require.NoError(t, err)
	require.Equal(t, []Difference{{"config.workers", "20", "40"}, {"environment.versions.gnet", "v1", "v2"}}, d.Differences)
	require.Equal(t, []string{"one", "two"}, []string{d.First, d.Second})
	pool, loop := verdicts(d.Servers[0]), verdicts(d.Servers[1])
	require.Equal(t, Second, pool["throughput"], "more is better")
	require.Equal(t, First, pool["mean"], "less is better")
	for metric, verdict := range loop {
		require.Equal(t, stats.Tie, verdict, metric)
	}
	require.InDelta(t, 2, float64(d.Servers[0].Metrics[0].Ratio), 0.01, "second over first")

	back, err := Of(second, first)
	require.NoError(t, err)
	require.Equal(t, First, verdicts(back.Servers[0])["throughput"])
	require.Equal(t, Second, verdicts(back.Servers[0])["mean"])
}

func TestVerdictsAreWithheld(t *testing.T) {
	for name, c := range map[string]struct {
		change   func(*results.Run)
		withheld string
		stands   string
	}{
		"late downstream":   {func(r *results.Run) { r.LateTail = true }, "p99", "throughput"},
		"rejected requests": {func(r *results.Run) { r.Targets[0].Total = results.Figures{Sent: 100, Failed: 2} }, "throughput", "goodput"},
		"an open loop that was served": {func(r *results.Run) {
			r.Targets[0].Total = results.Figures{ThroughputRPS: 100.1, GoodputRPS: 100.1}
		}, "throughput", "mean"},
		"an open loop that was not": {func(r *results.Run) {
			r.Targets[0].Total = results.Figures{ThroughputRPS: 50, GoodputRPS: 50}
		}, "", "throughput"},
		"short rounds": {func(r *results.Run) { r.Targets[0].Rounds[3].Completed = 200 }, "p99_9", "p50"},
		"few rounds":   {func(r *results.Run) { r.Targets[0].Rounds = r.Targets[0].Rounds[:3] }, "throughput", ""},
	} {
		t.Run(name, func(t *testing.T) {
			first, second := run("one", 100, 100), run("two", 200, 100)
			if strings.Contains(name, "open loop") {
				for _, r := range []*results.Run{first, second} {
					r.Config.Rate, r.Config.Margin, r.Targets[0].Total = 100, 0.03, results.Figures{ThroughputRPS: 100, GoodputRPS: 100}
				}
			}
			c.change(second)
			d, err := Of(first, second)
			require.NoError(t, err)
			for _, r := range d.Servers[0].Metrics {
				switch r.Metric {
				case c.withheld:
					require.Equal(t, stats.Inconclusive, r.Verdict)
					require.NotEmpty(t, r.Note)
				case c.stands:
					require.Contains(t, []string{First, Second}, r.Verdict)
				}
			}
		})
	}
}

func TestRefuses(t *testing.T) {
	for name, c := range map[string]struct {
		change func(*results.Run)
		says   string
	}{
		"not valid":    {func(r *results.Run) { r.Valid, r.InvalidReasons = false, []string{"books: lost"} }, "two is not valid, its figures decide nothing: books: lost"},
		"no rounds":    {func(r *results.Run) { r.Targets[1].Rounds = nil }, "two has no rounds of eventloop"},
		"other load":   {func(r *results.Run) { r.Config.Concurrency = 11 }, "config.concurrency 10 and 11"},
		"other delays": {func(r *results.Run) { r.Config.LatencyA = "1ms" }, "config.latency_a none and 1ms"},
		"other server": {func(r *results.Run) { r.Targets[1].Name = "third" }, "other servers"},
	} {
		t.Run(name, func(t *testing.T) {
			second := run("two", 100, 100)
			c.change(second)
			_, err := Of(run("one", 100, 100), second)
			require.ErrorContains(t, err, c.says)
		})
	}
}

// A setting is known by its key; one that is misspelt here would never be looked at.
func TestKeysExist(t *testing.T) {
	settings, err := flat(run("one", 1, 1))
	require.NoError(t, err)
	for _, keys := range [][]string{load, plain} {
		for _, key := range keys {
			require.Contains(t, settings, key)
		}
	}
}
