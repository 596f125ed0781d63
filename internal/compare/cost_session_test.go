package compare

import (
	"context"
	"net"
	"os/exec"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"poolvsloop/internal/cache"
	"poolvsloop/internal/cost"
	"poolvsloop/internal/results"
)

// runCache runs a cache for the length of the test, and returns its address.
func runCache(t *testing.T) string {
	t.Helper()
	ctx, stop := context.WithCancel(context.Background())
	bound, ended := make(chan string, 1), make(chan error, 1)
	go func() { ended <- cache.Run(ctx, "127.0.0.1:0", func(a net.Addr) { bound <- a.String() }) }()
	t.Cleanup(func() {
		stop()
		require.NoError(t, <-ended)
	})
	select {
	case addr := <-bound:
		return addr
	case err := <-ended:
		ended <- nil
		require.FailNow(t, "the cache ended: "+err.Error())
		return ""
	}
}

// TestCostsAreMeasured measures a little with the real programs.
func TestCostsAreMeasured(t *testing.T) {
	if testing.Short() {
		t.Skip("needs the real programs")
	}
	if _, err := exec.LookPath("go"); err != nil {
		t.Skip("nothing builds the programs here")
	}
	config, err := parse(t, "--cost", "--cost-rate", "200", "--cost-connections", "64", "--warmup", "50ms", "--latency-a", "1ms",
		"--latency-b", "1ms", "--redis", runCache(t))
	require.NoError(t, err)
	e := &Evidence{Started: time.Now(), Config: config}
	e.Environment, err = environment()
	require.NoError(t, err)
	lab, err := start(t.Context(), config, Lines{Out: t.Output(), Rounds: 1})
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, lab.Stop(context.Background())) })
	s := &session{
		config: config, lab: lab, progress: Lines{Out: t.Output(), Rounds: 1}, evidence: e,
		plan: cost.Plan{Repetitions: 1, Counted: 1, Passes: 1, Shortest: 300 * time.Millisecond, Requests: 1},
	}
	require.NoError(t, s.lookAtServers(t.Context()))
	require.NoError(t, s.planCost())
	require.NoError(t, s.measureCost(t.Context()))

	run := e.Run()
	for _, c := range costChecks(e.Cost) {
		require.True(t, c.OK || c.Name == "cost_rate_reached" || c.Name == "cost_sent_on_time", "%s: %s", c.Name, c.Detail)
	}
	requireCosts(t, run.Cost)
}

func requireCosts(t *testing.T, c *results.Cost) {
	t.Helper()
	for _, target := range c.Targets {
		require.NotEmpty(t, target.Repetitions)
		for _, r := range target.Repetitions {
			require.Positive(t, r.Completed)
			require.Zero(t, r.Failed)
			require.Positive(t, r.ServerCPUUSPerRequest)
			require.Positive(t, r.CtxSwitchesPerRequest)
			require.Greater(t, float64(r.ReadWriteCallsPerRequest), 6.0, "client, A, cache and B are read and written")
			if r.Counted {
				require.Greater(t, float64(r.SyscallsPerRequest), float64(r.ReadWriteCallsPerRequest))
			}
		}
		require.Len(t, target.Readings, 5)
		for _, r := range target.Readings {
			require.Equal(t, r.Connections, r.Open)
			require.Positive(t, r.RSSBytes)
			require.Positive(t, float64(r.KernelBytes))
		}
	}
	require.Len(t, c.Idle, 3)
	for _, n := range c.NotMeasured {
		require.Equal(t, "system calls per request", n.What, n.Why)
	}
}
