package cost

import (
	"math"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

func TestRate(t *testing.T) {
	for name, c := range map[string]struct {
		goodputs []float64
		want     float64
	}{
		"half of the slower":    {[]float64{872, 901.2}, 430},
		"whichever that is":     {[]float64{2000, 399}, 190},
		"cut, not rounded":      {[]float64{399.99, 5000}, 190},
		"a round one":           {[]float64{400, 400}, 200},
		"slow":                  {[]float64{1.9, 3}, 0.95},
		"very slow":             {[]float64{0.002, 3}, 0.001},
		"fast":                  {[]float64{123456, 3e6}, 61000},
		"nothing":               {[]float64{0, 100}, 0},
		"nothing that is known": {[]float64{math.NaN(), 100}, 0},
	} {
		t.Run(name, func(t *testing.T) { require.InDelta(t, c.want, Rate(c.goodputs...), 1e-9) })
	}
}

func TestDuration(t *testing.T) {
	for name, c := range map[string]struct {
		rate     float64
		response time.Duration
		want     time.Duration
	}{
		"short":            {430, 50 * time.Millisecond, 2 * time.Second},
		"few requests":     {20, 50 * time.Millisecond, 10 * time.Second},
		"hardly any":       {0.1, 50 * time.Millisecond, 30 * time.Second},
		"next to none":     {1e-12, 0, 30 * time.Second},
		"slow responses":   {1000, 500 * time.Millisecond, 5 * time.Second},
		"slower responses": {1000, time.Minute, 30 * time.Second},
	} {
		t.Run(name, func(t *testing.T) { require.Equal(t, c.want, Full.Duration(c.rate, c.response)) })
	}
}

func TestSteps(t *testing.T) {
	require.Equal(t, []int{0, 500, 1000, 2000, 4000}, Steps(MostConnections))
	require.Equal(t, []int{0, 8, 16, 32, 64}, Steps(LeastConnections))
}
