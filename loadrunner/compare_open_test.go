package main

import (
	"os/exec"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"
)

// TestCompareByASchedule runs a tiny open loop: both servers get the same arrivals, and no figure speaks of clients.
func TestCompareByASchedule(t *testing.T) {
	programs, dir := build(t), t.TempDir()
	cmd := exec.CommandContext(t.Context(), filepath.Join(programs, "loadrunner"), "compare", "--rate", "100", "-n", "60",
		"--rounds", "1", "--warmup", "100ms", "--redis", "miniredis", "--results", dir)
	output, err := cmd.CombinedOutput()
	_, run := readRun(t, dir)
	for _, c := range run.Checks {
		require.True(t, c.OK || mayFail[c.Name], "%s: %s", c.Name, c.Detail)
	}
	require.Equal(t, run.Valid, err == nil, "%s", output)
	require.Contains(t, string(output), "100 requests/s, Poisson arrivals, open loop")
	requireStages(t, run)
	for i, target := range run.Targets {
		require.Equal(t, 60, target.Total.Requests)
		require.Equal(t, target.Total.Requests, target.Total.Sent+target.Total.Dropped)
		require.Zero(t, target.LittlesLaw.Concurrency)
		require.Equal(t, 100.0, run.Predictions[i].Inputs.RateRPS)
	}
}
