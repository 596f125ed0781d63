package main

import (
	"encoding/json"
	"os"
	"testing"

	"github.com/stretchr/testify/require"

	"poolvsloop/internal/predict"
	"poolvsloop/internal/program"
	"poolvsloop/internal/results"
)

func TestPredict(t *testing.T) {
	for name, c := range map[string]struct {
		args []string
		code int
		says []string
	}{
		"few workers": {[]string{"--workers", "20", "-c", "200", "--queue", "200"}, 0,
			[]string{"200 threadpool", "200 eventloop", "as in results/example", "bound: N/(S+D)", "knee at 20 clients"}},
		"cost of a request": {[]string{"--cpu", "1ms", "--other-cpu", "2ms"}, 0, []string{"it costs 1ms of CPU time, and 2ms in\n  other programs"}},
		"sweep":             {[]string{"--sweep-c", "1,10", "--format", "markdown"}, 0, []string{"| 1 | threadpool |", "| 10 | eventloop |"}},
		"arrivals": {[]string{"--rate", "300", "--workers", "20", "--latency-a", "0s", "--latency-b", "exp:100ms", "--cpu", "0s"}, 0,
			[]string{"300.0 threadpool     200.0    590.0", "0.333", "M/M/c/K"}},
		"sweep of arrivals": {[]string{"--rate", "300", "--sweep-c", "1"}, program.ExitUsage, []string{"--rate has no clients"}},
		"one processor":     {[]string{"--cores", "1"}, program.ExitDone, []string{"; 1 processor; "}},
		"no number":         {[]string{"--rate", "NaN"}, program.ExitUsage, []string{"--rate NaN: want a number"}},
		"clients evenly":    {[]string{"--evenly"}, program.ExitUsage, []string{"--evenly needs --rate"}},
		"no clients":        {[]string{"--sweep-c", "0"}, program.ExitUsage, []string{"--sweep-c: want numbers of clients"}},
		"no such model":     {[]string{"--latency-b", "soon"}, program.ExitUsage, []string{`--latency-b: latency "soon"`}},
		"no such format":    {[]string{"--format", "xml"}, program.ExitUsage, []string{"--format"}},
		"no processors":     {[]string{"--cores", "0"}, program.ExitUsage, []string{"--cores: want"}},
		"endless CPU":       {[]string{"--cpu", "2h"}, program.ExitUsage, []string{"--cpu"}},
		"negative rate":     {[]string{"--rate", "-1"}, program.ExitUsage, []string{"--rate: want"}},
		"no workers":        {[]string{"--workers", "0"}, program.ExitUsage, []string{"--workers"}},
		"no concurrency":    {[]string{"-c", "0"}, program.ExitUsage, []string{"--concurrency"}},
	} {
		t.Run(name, func(t *testing.T) {
			code, stdout, stderr := run(t, append([]string{"predict"}, c.args...)...)
			require.Equal(t, c.code, code, stderr)
			for _, text := range c.says {
				require.Contains(t, stdout+stderr, text)
			}
		})
	}
}

func TestPredictAsJSON(t *testing.T) {
	code, stdout, stderr := run(t, "predict", "--sweep-c", "10,20", "--format", "json")
	require.Zero(t, code, stderr)
	var all []results.Prediction
	require.NoError(t, json.Unmarshal([]byte(stdout), &all))
	require.Len(t, all, 4)
	require.Equal(t, 20, all[2].Inputs.Clients)
}

// TestDefaultCostIsThatOfTheExample: they are rounded, and the example is measured anew now and then.
func TestDefaultCostIsThatOfTheExample(t *testing.T) {
	text, err := os.ReadFile("../results/example/run.json")
	require.NoError(t, err)
	var example results.Run
	require.NoError(t, json.Unmarshal(text, &example))
	require.Len(t, example.Targets, 2)
	for _, target := range example.Targets {
		require.InEpsilon(t, target.Total.ServerCPUUSPerRequest, predict.Costs[target.Name].CPU.Seconds()*1e6, 0.25, target.Name)
	}
}
