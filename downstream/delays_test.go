package main

import (
	"fmt"
	"io"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"poolvsloop/internal/latency"
)

// sample draws n delays for sequential request ids, as a load runner numbers them.
func sample(model latency.Model, source Source, n int) []float64 {
	delays := make([]float64, n)
	for i := range delays {
		delays[i] = milliseconds(model.Delay(source.Draw(fmt.Sprintf("r-%06d", i)).Delay))
	}
	return delays
}

func mean(values []float64) float64 {
	sum := 0.0
	for _, v := range values {
		sum += v
	}
	return sum / float64(len(values))
}

func percentile(values []float64, p float64) float64 {
	sorted := slices.Sorted(slices.Values(values))
	return sorted[int(math.Ceil(p/100*float64(len(sorted))))-1]
}

// z99 is the quantile of the standard normal distribution at 99 %.
var z99 = math.Sqrt2 * math.Erfinv(2*0.99-1)

// mustParse reads the spec of a model; the file of a trace has four delays.
func mustParse(t *testing.T, spec string) latency.Model {
	t.Helper()
	model, err := latency.Parse(spec, func(string) (io.ReadCloser, error) {
		return io.NopCloser(strings.NewReader("10ms\n20ms\n30ms\n40ms\n")), nil
	})
	require.NoError(t, err)
	return model
}

func TestDelaysOfSequentialIDsFollowTheTheory(t *testing.T) {
	for _, tc := range []struct {
		spec           string
		mean, p50, p99 float64 // ms
	}{
		{"const:20ms", 20, 20, 20},
		{"uniform:10ms..30ms", 20, 20, 29.8},
		{"exp:20ms", 20, 20 * math.Ln2, 20 * math.Log(100)},
		{"lognormal:p50=20ms,p99=80ms", 20 * math.Exp(math.Pow(math.Log(4)/z99, 2)/2), 20, 80},
		{"pareto:min=10ms,alpha=3", 15, 10 * math.Cbrt(2), 10 * math.Cbrt(100)},
		{"steps:p50=20ms,p90=50ms,p99=200ms", 0.5*20 + 0.4*50 + 0.1*200, 20, 200},
		{"trace:x", 25, 20, 40},
	} {
		for seed := range uint64(3) {
			t.Run(fmt.Sprintf("%s seed %d", tc.spec, seed), func(t *testing.T) {
				model := mustParse(t, tc.spec)
				delays := sample(model, NewSource(seed, "a"), 30_000)
				assert.InEpsilon(t, tc.mean, mean(delays), 0.02, "mean")
				assert.InEpsilon(t, tc.p99, percentile(delays, 99), 0.06, "p99")
				if !strings.HasPrefix(tc.spec, "steps") && !strings.HasPrefix(tc.spec, "trace") { // p50 is on an edge there
					assert.InEpsilon(t, tc.p50, percentile(delays, 50), 0.03, "p50")
				}
			})
		}
	}
}

func TestStepsSharesAreExact(t *testing.T) {
	delays := sample(mustParse(t, "steps:p50=20ms,p90=50ms,p99=200ms"), NewSource(1, "a"), 50_000)
	count := map[float64]float64{}
	for _, d := range delays {
		count[d] += 1.0 / float64(len(delays))
	}
	assert.Len(t, count, 3)
	assert.InDelta(t, 0.5, count[20], 0.01)
	assert.InDelta(t, 0.4, count[50], 0.01)
	assert.InDelta(t, 0.1, count[200], 0.01)
}
