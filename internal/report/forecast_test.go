package report

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"poolvsloop/internal/results"
)

func TestForecast(t *testing.T) {
	one := results.Prediction{
		Server: "threadpool", Model: "M/M/c/K", Inputs: results.PredictionInputs{RateRPS: 300, WaitMS: 100, Cores: 2},
		Bounds:    []results.Bound{{Name: "N/(S+D)", Means: "the workers", RPS: 200}},
		Predicted: results.Predicted{ThroughputRPS: 200, MeanMS: 590, P50MS: results.Unknown, BusyWorkers: 20, QueueLength: 98, BlockedShare: 0.333},
		Weak:      []string{"heavy tail"}, KneeClients: 20,
	}
	again := one
	again.Weak = []string{"said once"}
	text := Forecast([]results.Prediction{one, again}, "it costs nothing")
	for line := range strings.Lines(text) {
		require.LessOrEqual(t, len([]rune(line))-1, columns, line)
	}
	require.Contains(t, text, "   arrivals server ")
	require.Contains(t, text, "      300.0 threadpool     200.0    590.0        -")
	require.Contains(t, text, "(M/M/c/K)")
	require.Contains(t, text, "Known weakness: heavy tail.")
	require.NotContains(t, text, "said once", "what bounds a server is said of its first load")
	require.Contains(t, MarkdownForecast([]results.Prediction{one}), "| 300.0 | threadpool | 200.0 | 590.0 | - |")
}
