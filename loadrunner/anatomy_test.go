package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"poolvsloop/internal/results"
)

// requireStages says that the sampled requests of a run told where their time went, and that it adds up.
func requireStages(t *testing.T, run results.Run) {
	t.Helper()
	for _, name := range []string{"stages_told", "stages_add_up", "stages_in_response"} {
		require.Contains(t, passedChecks(run), name)
	}
	for _, target := range run.Targets {
		s := target.Stages
		require.NotNil(t, s, target.Name)
		if all := run.Targets[0].Total; all.Sent == target.Total.Sent && all.Failed+target.Total.Failed == 0 {
			require.Equal(t, run.Targets[0].Stages.Samples, s.Samples, "the same requests on both servers")
		}
		sum := 0.0
		for _, part := range s.Parts() {
			sum += part.MeanMS
		}
		require.InDelta(t, s.Response.MeanMS, sum, 1e-6)
		require.InDelta(t, s.Total.MeanMS, s.Response.MeanMS-s.Outside.MeanMS, 1e-6)
		require.Positive(t, s.Outside.MeanMS)
		require.Positive(t, s.Cache.MeanMS)
	}
}

func passedChecks(run results.Run) (names []string) {
	for _, c := range run.Checks {
		if c.Status == results.Passed {
			names = append(names, c.Name)
		}
	}
	return names
}

// TestAnatomy: a loop that blocks serves its requests one after the other, so a request waits outside of the server's
// clock, for the loop, and its calls take no longer than their delays. The report says so, again from its folder.
func TestAnatomy(t *testing.T) {
	programs, dir := build(t), t.TempDir()
	code, stdout, stderr := execute(t, exec.CommandContext(t.Context(), filepath.Join(programs, "loadrunner"), "compare",
		"--same", "eventloop", "--mistake", "block", "--loops", "1", "-n", "100", "-c", "4", "--rounds", "1", "--warmup", "0",
		"--latency-a", "3ms", "--latency-b", "3ms", "--redis", "miniredis", "--quiet", "--results", dir))
	folder, run := readRun(t, dir)
	for _, c := range run.Checks {
		require.True(t, c.OK || mayFail[c.Name], "%s: %s", c.Name, c.Detail)
	}
	require.Equal(t, run.Valid, code == 0, stderr)
	requireStages(t, run)
	for _, target := range run.Targets {
		s := target.Stages
		require.Greater(t, s.A.MeanMS, 3.0)
		require.Greater(t, s.B.MeanMS, 3.0)
		require.Greater(t, s.Outside.MeanMS, s.Total.MeanMS, "three others are served before it")
		require.Zero(t, s.SlowestSamples, "too few for a slowest 1 %")
	}
	require.Contains(t, stdout, "Anatomy of a request [ms], by what one in 20 told of its stages\n\n  all           eventloop, ")
	require.Contains(t, stdout, "The slowest 1 % and p99 take 441 of them.")
	requireSameAgain(t, folder, stdout)
	text, err := os.ReadFile(filepath.Join(folder, "compare.txt"))
	require.NoError(t, err)
	require.Contains(t, string(text), "Anatomy of a request")
	_, markdown, _ := runReport(t, folder, "markdown")
	require.Contains(t, markdown, "```\nAnatomy of a request")
	require.Equal(t, 0, strings.Count(markdown, "```")%2)
}

func runReport(t *testing.T, folder, format string) (code int, stdout, stderr string) {
	t.Helper()
	return run(t, "report", folder, "--format", format)
}
