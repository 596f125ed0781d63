package report

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"poolvsloop/internal/results"
)

func TestAFailedModelIsNotAFailedLaw(t *testing.T) {
	run := &results.Run{Predictions: []results.Prediction{{
		Server: "threadpool", Model: "flow-equivalent server", Inputs: results.PredictionInputs{Clients: 200, Workers: 20, Queue: results.Unknown},
		Bounds:    []results.Bound{{Name: "N/(S+D)", Means: "the workers", RPS: 396.8}, {Name: "m/(D+D')", RPS: 5000}},
		Predicted: results.Predicted{ThroughputRPS: 396.8, MeanMS: 504, P99MS: results.Unknown, BusyWorkers: 20, QueueLength: 180},
		Measured:  results.Predicted{ThroughputRPS: 390, MeanMS: 600, BusyWorkers: 19.5, QueueLength: results.Unknown}, KneeClients: 20,
		ErrorPercent: results.Predicted{ThroughputRPS: 1.74, MeanMS: -16, P50MS: results.Unknown},
		ModelOff:     []string{"mean time"}, Weak: []string{"heavy tail"},
		Laws: []results.Law{{Name: "Little", LHS: 220, Relation: "=", RHS: 200}, {Name: "flow balance", LHS: 10, Relation: "=", RHS: 10, OK: true}},
	}}}
	text := predictions(run)
	for line := range strings.Lines(text) {
		require.LessOrEqual(t, len([]rune(line))-1, columns, line)
	}
	require.Contains(t, text, "c=200 N=20 Q=any")
	require.Contains(t, text, "  throughput [#/sec]            396.8      390.0     +1.7%   flow-equivalent server\n")
	require.Contains(t, text, "  mean time [ms]                504.0      600.0    -16.0%   model off; flow-equivalent server\n")
	require.Contains(t, text, "  busy (X*hold)                 20.00      19.50\n  queue length                  180.0          -\n")
	require.Contains(t, text, "bound: N/(S+D) = 396.8 (the workers); next bound m/(D+D') = 5000; knee at 20 clients\n")
	require.Contains(t, text, "Known weakness: heavy tail.")
	require.Regexp(t, `Little +220\.0  = 200\.0 +INVALID\n`, text)
	require.Regexp(t, `flow balance .* ok\n`, text)
	require.Empty(t, predictions(&results.Run{}))

	run.Predictions[0].Inputs.RateRPS, run.Predictions[0].Inputs.Clients = 300, 0
	open := predictions(run)
	require.Contains(t, open, "(λ=300 N=20 Q=any")
	require.NotContains(t, open, "knee", "an open loop has no clients")
}
