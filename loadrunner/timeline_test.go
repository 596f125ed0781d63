package main

import (
	"os/exec"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"poolvsloop/internal/program"
	"poolvsloop/internal/results"
)

// TestTimelineEndToEnd slows B down and stops the cache within a round of the real programs.
func TestTimelineEndToEnd(t *testing.T) {
	programs, dir := build(t), t.TempDir()
	cmd := exec.CommandContext(t.Context(), filepath.Join(programs, "loadrunner"), "-c", "5", "-t", "1.5", "--rounds", "1",
		"--at", "300ms", "b.latency=100ms", "--at", "600ms b.latency=30ms", "--at", "800ms=threadpool.workers=3",
		"--at", "1s redis.stopped=true;1.1s redis.stopped=false", "--warmup", "100ms", "--redis", "miniredis", "--results", dir)
	output, err := cmd.CombinedOutput()
	folder, done := readRun(t, dir)
	for _, c := range done.Checks {
		require.True(t, c.OK || mayFail[c.Name] || c.Name == "events_on_time", "%s: %s", c.Name, c.Detail)
	}
	require.Equal(t, done.Valid, err == nil, "%s", output)
	require.Equal(t, []string{"300ms b.latency=100ms", "600ms b.latency=30ms", "800ms threadpool.workers=3", "1s redis.stopped=true",
		"1.1s redis.stopped=false"}, done.Config.At)
	for _, target := range done.Targets {
		requireEvents(t, target)
	}
	code, again, stderr := run(t, "report", folder)
	require.Zero(t, code, stderr)
	require.Contains(t, again, "Timeline (second by second")
	require.Contains(t, string(output), again[:100])
}

// requireEvents looks at the events of a server's one round: the pool's workers are of no concern to the event loop.
func requireEvents(t *testing.T, target results.Target) {
	t.Helper()
	require.Len(t, target.Timeline, 1)
	x := target.Timeline[0]
	want := map[string]string{"b.latency": "30ms", "redis.stopped": "false"}
	if target.Name == "threadpool" {
		want["threadpool.workers"] = "200"
	}
	require.Equal(t, want, x.Before)
	require.Len(t, x.Events, len(want)+2)
	for _, e := range x.Events {
		require.Empty(t, e.Error)
		require.GreaterOrEqual(t, float64(e.LagMS), 0.0)
	}
	require.Equal(t, target.Name == "threadpool", target.Total.CtxSwitchesVoluntary == 0, "threads that end take their counts with them")
	require.True(t, x.Events[1].EndsFault)
	require.Equal(t, results.RecoveryNotKnown, x.Events[1].Recovery, "there is no level before 300 ms")
	require.Greater(t, target.Total.MaxMS, 120.0, "a request met 20 ms of A and 100 ms of B")
	answered := 0
	for _, s := range target.Series[0].Seconds {
		answered += s.Answered
	}
	require.Equal(t, target.Total.Completed, answered)
}

func TestEventsOnTheCommandLine(t *testing.T) {
	for name, c := range map[string]struct {
		args []string
		says string
	}{
		"a time alone":      {[]string{"-t", "5", "--at", "2s"}, "want TIME PROGRAM.SETTING=VALUE"},
		"an event alone":    {[]string{"compare", "-t", "5", "b.latency=1s"}, "b.latency=1s"},
		"an unknown target": {[]string{"-t", "5", "--at", "2s", "c.latency=1s"}, `no program "c"`},
		"too late":          {[]string{"-t", "2", "--at", "2s", "b.latency=1s"}, "has to come before the round ends"},
	} {
		t.Run(name, func(t *testing.T) {
			code, _, stderr := run(t, c.args...)
			require.Equal(t, program.ExitUsage, code, stderr)
			require.Contains(t, stderr, c.says)
		})
	}
}
