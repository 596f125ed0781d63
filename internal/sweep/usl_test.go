package sweep

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"
)

var clients = []float64{1, 2, 4, 8, 16, 32, 64, 128}

func valuesOf(l law, ns []float64, noise func() float64) []float64 {
	xs := make([]float64, len(ns))
	for i, n := range ns {
		xs[i] = l.at(n) * (1 + noise())
	}
	return xs
}

func exact() float64 { return 0 }

// TestFitFindsTheLaw makes throughputs of known laws and finds those again.
func TestFitFindsTheLaw(t *testing.T) {
	for name, l := range map[string]law{
		"contention alone":         {20, 0.05, 0},
		"contention and crosstalk": {1000, 0.02, 0.0005},
		"crosstalk alone":          {3.5, 0, 0.001},
		"nearly serial":            {995, 0.9, 0.0001},
		"published by Gunther":     {1, 0.0267, 0.000769},
	} {
		t.Run(name, func(t *testing.T) {
			found, ok := fit(clients, valuesOf(l, clients, exact), begins(128))
			require.True(t, ok)
			require.InEpsilon(t, l.lambda, found.lambda, 0.01)
			require.InDelta(t, l.sigma, found.sigma, 0.001)
			require.InDelta(t, l.kappa, found.kappa, 1e-6)
			require.Less(t, found.worst(clients, valuesOf(l, clients, exact)), 0.001)
		})
	}
}

func TestFitOfNoisyThroughputs(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	l := law{50, 0.03, 0.0002}
	xs := valuesOf(l, clients, func() float64 { return 0.02 * random.NormFloat64() })
	found, ok := fit(clients, xs, begins(128))
	require.True(t, ok)
	require.InEpsilon(t, 50, found.lambda, 0.1)
	require.InEpsilon(t, 0.03, found.sigma, 0.3)
	require.Less(t, found.squares(clients, xs), l.squares(clients, xs), "the fit is better than the truth")
}

func TestPeak(t *testing.T) {
	require.InDelta(t, 35.6, law{1, 0.0267, 0.000769}.peak(), 0.1)
	require.True(t, math.IsInf(law{1, 0.1, 0}.peak(), 1))
	require.Equal(t, 1.0, law{1, 1, 0.1}.peak())
}
