package anatomy

import (
	"math"
	"math/rand/v2"
	"net/http"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"poolvsloop/internal/flow"
	"poolvsloop/internal/results"
)

const ms = time.Millisecond

// sampleOf is a request that waited so long in A, 2 ms more in the server, and 1 ms outside of it.
func sampleOf(a time.Duration) Sample {
	return Sample{flow.Timing{ms / 2, a, ms / 4, ms / 4, 0, a + 2*ms}, a + 3*ms}
}

// samplesOf are n requests, of which request i waited i+1 ms in A, in a random order.
func samplesOf(n int) []Sample {
	all := make([]Sample, n)
	for i, k := range rand.New(rand.NewPCG(1, 2)).Perm(n) {
		all[k] = sampleOf(time.Duration(i+1) * ms)
	}
	return all
}

func TestOf(t *testing.T) {
	samples := samplesOf(1000)
	first := samples[0]
	s := Of(samples)
	require.Equal(t, first, samples[0], "the samples stay as they are")
	require.Equal(t, 1000, s.Samples)
	require.Equal(t, 10, s.SlowestSamples)
	require.Equal(t, results.Stage{MeanMS: 500.5, P50MS: 501, P99MS: 991, SlowestMeanMS: 995.5}, s.A)
	require.Equal(t, results.Stage{MeanMS: 502.5, P50MS: 503, P99MS: 993, SlowestMeanMS: 997.5}, s.Total)
	for name, c := range map[string]struct {
		want float64
		got  results.Stage
	}{"queue": {0.5, s.Queue}, "cache": {0.25, s.Cache}, "B": {0.25, s.B}, "fill": {0, s.Fill}, "rest": {1, s.Rest}, "outside": {1, s.Outside}} {
		want := results.Number(c.want)
		require.Equal(t, results.Stage{MeanMS: c.want, P50MS: want, P99MS: want, SlowestMeanMS: want}, c.got, name)
	}
	sum := 0.0
	for _, part := range s.Parts() {
		sum += part.MeanMS
	}
	require.InDelta(t, s.Response.MeanMS, sum, 1e-9, "the parts add up")
	require.InDelta(t, 503.5, sum, 1e-9)
}

// The slowest requests are those for which the clients waited longest, wherever they did.
func TestTheSlowestAreSlowForTheirClients(t *testing.T) {
	samples := samplesOf(1000)
	for i := range 10 {
		samples[i] = Sample{flow.Timing{flow.StageTotal: ms}, 5000 * ms}
	}
	s := Of(samples)
	require.Equal(t, results.Number(4999), s.Outside.SlowestMeanMS)
	require.Equal(t, results.Number(1), s.Total.SlowestMeanMS)
	require.Zero(t, s.A.SlowestMeanMS)
}

// A figure of too few samples is refused as everywhere in the reports.
func TestOfTooFewSamples(t *testing.T) {
	for name, c := range map[string]struct {
		n, slowest int
		p50, p99   bool
	}{
		"one": {1, 0, false, false}, "five": {5, 0, false, false}, "enough for the median": {6, 0, true, false},
		"one too few for p99": {440, 0, true, false}, "enough for p99": {441, 5, true, true},
	} {
		t.Run(name, func(t *testing.T) {
			s := Of(samplesOf(c.n))
			require.Equal(t, c.n, s.Samples)
			require.Equal(t, c.slowest, s.SlowestSamples)
			for _, part := range append(s.Parts(), results.Part{Stage: s.Total}, results.Part{Stage: s.Response}) {
				require.Equal(t, c.p50, !math.IsNaN(float64(part.P50MS)), part.Name)
				require.Equal(t, c.p99, !math.IsNaN(float64(part.P99MS)), part.Name)
				require.Equal(t, c.p99, !math.IsNaN(float64(part.SlowestMeanMS)), part.Name)
			}
		})
	}
	require.Nil(t, Of(nil))
}

func TestCollector(t *testing.T) {
	var c, other Collector
	c.Add(http.StatusOK, []byte(whole), 60*ms)
	c.Add(http.StatusOK, nil, 60*ms)
	c.Add(http.StatusServiceUnavailable, nil, ms)
	c.Add(http.StatusBadGateway, []byte(whole), ms)
	other.Add(http.StatusOK, []byte("a;dur=1"), 60*ms)
	other.Add(http.StatusOK, []byte(whole), 70*ms)
	c.Merge(&other)
	require.Equal(t, []Sample{{wholeTiming, 60 * ms}, {wholeTiming, 70 * ms}}, c.Samples)
	require.Equal(t, 2, c.Told)
	require.Equal(t, 2, c.Untold)
	require.Equal(t, 700*time.Microsecond, c.Samples[0].Rest())
	require.Equal(t, 8750*time.Microsecond, c.Samples[0].Outside())
}

// Beyond its room a collector keeps a choice in which early and late requests are alike.
func TestCollectorKeepsARandomChoice(t *testing.T) {
	var c Collector
	const n = 2 * MaxSamples
	for i := range n {
		c.Told++
		c.keep(Sample{Response: time.Duration(i)})
	}
	require.Len(t, c.Samples, MaxSamples)
	early := 0
	for _, s := range c.Samples {
		if s.Response < n/2 {
			early++
		}
	}
	require.InDelta(t, MaxSamples/2, early, 5*math.Sqrt(MaxSamples)/2)
}
