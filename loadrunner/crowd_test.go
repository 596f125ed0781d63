package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"poolvsloop/internal/program"
	"poolvsloop/internal/results"
)

// TestCrowdsEndToEnd has every kind of crowd beside the clients of both real servers, whose header timeout is short.
func TestCrowdsEndToEnd(t *testing.T) {
	programs, dir := build(t), t.TempDir()
	cmd := exec.CommandContext(t.Context(), filepath.Join(programs, "loadrunner"), "-c", "5", "-t", "1.6", "--rounds", "1", "--warmup", "100ms",
		"--with", "slow-send=10,rate=10B/s", "--with", "half-open=6;half-open=4,part=body", "--with", "slow-read=5,rate=1KB/s",
		"--with", "idle=8", "--with", "storm=40,at=200ms", "--redis", "miniredis", "--results", dir)
	cmd.Env = append(os.Environ(), "LAB_HEADER_TIMEOUT=800ms")
	output, err := cmd.CombinedOutput()
	folder, done := readRun(t, dir)
	for _, c := range done.Checks {
		require.True(t, c.OK || mayFail[c.Name], "%s: %s", c.Name, c.Detail)
	}
	require.Equal(t, done.Valid, err == nil, "%s", output)
	for _, target := range done.Targets {
		t.Run(target.Name, func(t *testing.T) { requireCrowds(t, target) })
	}
	code, again, stderr := run(t, "report", "--format", "markdown", folder)
	require.Zero(t, code, stderr)
	require.Contains(t, again, "Crowds (clients beside those that are measured")
}

func requireCrowds(t *testing.T, target results.Target) {
	t.Helper()
	require.Len(t, target.Crowds, 6)
	for i, want := range []results.Crowd{
		{Started: 10, Answered: 10, ByStatus: map[int]int{408: 10}},
		{Started: 6, ClosedByServer: 6},
		{Started: 4, StillOpen: 4},
		{Started: 5, StillOpen: 5},
		{Started: 8, StillOpen: 8, ByStatus: map[int]int{200: 8}},
		{Started: 40, Answered: 40, ByStatus: map[int]int{200: 40}},
	} {
		got := target.Crowds[i]
		require.Equal(t, want.Started, got.Started, got.Spec)
		require.Equal(t, want.Started, got.Opened, got.Spec)
		require.Equal(t, want.Answered, got.Answered, got.Spec)
		require.Equal(t, want.ClosedByServer, got.ClosedByServer, got.Spec)
		require.Equal(t, want.StillOpen, got.StillOpen, got.Spec)
		if want.ByStatus != nil {
			require.Equal(t, want.ByStatus, got.ByStatus, got.Spec)
		}
	}
	require.Equal(t, target.Total.Sent, target.Total.Completed+target.Total.InFlightAtEnd, "the measured clients are served all the while")
	require.EqualValues(t, target.Total.Completed, target.Ledger.ACalls, "no crowd calls A")
}

func TestCrowdsOnTheCommandLine(t *testing.T) {
	for says, args := range map[string][]string{
		`no crowd "slowloris"`:  {"--with", "slowloris=5"},
		"want a rate above 0":   {"compare", "--with", "slow-read=5,rate=fast"},
		"before the round ends": {"-t", "2", "--with", "storm=5,at=3s"},
	} {
		code, _, stderr := run(t, args...)
		require.Equal(t, program.ExitUsage, code, stderr)
		require.Contains(t, stderr, says)
	}
}
