package compare

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"poolvsloop/internal/report"
	"poolvsloop/internal/results"
)

// TestLimitsOfTheDownstreams follows the downstreams' own limits from the flags to the programs and into the report.
func TestLimitsOfTheDownstreams(t *testing.T) {
	c, err := parse(t, "--concurrency-limit-b", "8", "--rate-limit-a", "250.5")
	require.NoError(t, err)
	a, b := downstream(c.Seed, c.LatencyA, c.ConcurrencyLimitA, c.RateLimitA), downstream(c.Seed, c.LatencyB, c.ConcurrencyLimitB, c.RateLimitB)
	require.Equal(t, strings.Fields("--latency 20ms --seed 1 --concurrency-limit 0 --rate-limit 250.5"), a)
	require.Equal(t, strings.Fields("--latency 30ms --seed 1 --concurrency-limit 8 --rate-limit 0"), b)

	e := soundEvidence(2)
	require.NotContains(t, report.Text(e.Run()), "(at most")
	e.Config.ConcurrencyLimitB, e.Config.RateLimitA = 8, 250.5
	require.Contains(t, report.Text(e.Run()), "A 20ms (at most 250.5/s), B 20ms (at most 8 at once), ")
	require.Contains(t, report.Markdown(e.Run()), "(at most 8 at once)")
}

// TestLimitsOfAnAttachedLab: what the downstreams say of themselves counts.
func TestLimitsOfAnAttachedLab(t *testing.T) {
	var c results.Config
	a := results.Settings{"latency": "1ms", "rate_limit": "250.5", "concurrency_limit": "0"}
	adopt(&c, results.Settings{}, results.Settings{}, a, results.Settings{"latency": "2ms", "rate_limit": "0", "concurrency_limit": "8"})
	require.Equal(t, []any{250.5, 0.0, 0, 8}, []any{c.RateLimitA, c.RateLimitB, c.ConcurrencyLimitA, c.ConcurrencyLimitB})
	adopt(&c, results.Settings{}, results.Settings{}, results.Settings{}, results.Settings{})
	require.Zero(t, c.RateLimitA, "a downstream of another version tells of none")
}
