package main

import (
	"bytes"
	"context"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"poolvsloop/internal/program"
	"poolvsloop/internal/results"
)

// broken is a lab with one thing wrong with it, and the checks that must find it.
type broken struct {
	// downstreamA and eventLoop are further flags of these programs.
	downstreamA, eventLoop []string
	// spoil, if set, answers one request of round 2 in the event loop's place.
	spoil func(ask func() []byte) []byte
	// lie, if set, changes what downstream A's ledger says.
	lie    func(ledger []byte) []byte
	checks []string
	// early, if set, is the check that finds it instead when it shows before the first round.
	early string
}

var brokenLabs = map[string]broken{
	"nothing wrong": {},
	"a downstream that is a limit of its own": {
		downstreamA: []string{"--concurrency-limit", "1"}, checks: []string{"downstreams_on_time"},
	},
	"a downstream that fails 2 % of its calls": {
		downstreamA: []string{"--error-share", "0.02"}, checks: []string{"answers"}, early: "equal_answers",
	},
	"a ledger that counts a call too many": {
		lie: func(ledger []byte) []byte {
			return bytes.Replace(ledger, []byte(`"calls":`), []byte(`"calls":1`), 1)
		},
		checks: []string{"ledger_a_calls"},
	},
	"unequal backlogs": {
		eventLoop: []string{"--backlog", "64"}, checks: []string{"equal_limits"},
	},
	"a request that is sent on twice": {
		spoil: func(ask func() []byte) []byte {
			_ = ask()
			return ask()
		},
		checks: []string{"ledger_a_calls", "ledger_b_calls"},
	},
	"a request that is lost": {
		spoil:  func(func() []byte) []byte { return nil },
		checks: []string{"answers"},
	},
	"an answer of the other server": {
		spoil:  func(ask func() []byte) []byte { return bytes.Replace(ask(), []byte(`"loop"`), []byte(`"pool"`), 1) },
		checks: []string{"answer_content"},
	},
	"an answer of another total": {
		spoil: func(ask func() []byte) []byte {
			head, total, _ := bytes.Cut(ask(), []byte(`"total`))
			return append(append(head, `"totaL`...), total...)
		},
		checks: []string{"equal_work"},
	},
}

// marked is the id of the request that is spoiled.
const marked = "round-0002-000000050"

// TestEachBreakIsFound runs the real programs in a lab with one thing wrong with it.
func TestEachBreakIsFound(t *testing.T) {
	programs := build(t)
	for name, lab := range brokenLabs {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			code, stdout, stderr, run := lab.compare(t, programs)
			if len(lab.checks) == 0 {
				requireSound(t, code, stdout, run)
				return
			}
			checks := lab.checks
			if lab.early != "" && slices.Contains(failedChecks(run), lab.early) {
				checks = []string{lab.early}
			}
			requireBroken(t, checks, code, stdout, run)
			for _, check := range checks {
				require.Contains(t, stderr, check)
			}
		})
	}
}

// compare starts the lab and compares its servers.
func (lab broken) compare(t *testing.T, programs string) (code int, stdout, stderr string, run results.Run) {
	t.Helper()
	a, aAdmin := serve(t, programs, "downstream", append(lab.downstreamA, "--name", "a", "--latency", "4ms")...)
	b, bAdmin := serve(t, programs, "downstream", "--name", "b", "--latency", "4ms")
	redis, _ := serve(t, programs, "loadrunner", "cache")
	wiring := []string{"--downstream-a", "http://" + a, "--downstream-b", "http://" + b, "--redis", redis}
	pool, poolAdmin := serve(t, programs, "threadpool", wiring...)
	loop, loopAdmin := serve(t, programs, "eventloop", append(wiring, lab.eventLoop...)...)
	if lab.spoil != nil {
		loop = relay{to: loop, marked: marked, spoil: lab.spoil}.start(t)
	}
	if lab.lie != nil {
		aAdmin = lyingAdmin(t, aAdmin, "/ledger", lab.lie)
	}
	dir := t.TempDir()
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	code, stdout, stderr = execute(t, exec.CommandContext(ctx, filepath.Join(programs, "loadrunner"),
		"-n", "100", "-c", "10", "--rounds", "4", "--warmup", "0", "--quiet", "--results", dir, "--lab", "attach",
		"--threadpool", pool, "--threadpool-admin", poolAdmin, "--eventloop", loop, "--eventloop-admin", loopAdmin,
		"--downstream-a-admin", aAdmin, "--downstream-b-admin", bAdmin, "--redis", redis))
	_, run = readRun(t, dir)
	return code, stdout, stderr, run
}

// execute runs a program to its end.
func execute(t *testing.T, cmd *exec.Cmd) (code int, stdout, stderr string) {
	t.Helper()
	var out, errs bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &errs
	err := cmd.Run()
	var exit *exec.ExitError
	if err != nil && !errors.As(err, &exit) {
		require.NoError(t, err)
	}
	return cmd.ProcessState.ExitCode(), out.String(), errs.String()
}

// requireSound says that nothing fails but what a busy machine does.
func requireSound(t *testing.T, code int, stdout string, run results.Run) {
	t.Helper()
	for _, c := range run.Checks {
		require.True(t, c.OK || mayFail[c.Name], "%s: %s", c.Name, c.Detail)
	}
	if !run.Valid {
		return
	}
	require.Equal(t, program.ExitDone, code)
	require.NotContains(t, stdout, "INVALID")
}

// requireBroken says that the run is invalid by these checks at least, says so wherever one looks, and names no winner.
func requireBroken(t *testing.T, checks []string, code int, stdout string, run results.Run) {
	t.Helper()
	require.False(t, run.Valid)
	require.Equal(t, program.ExitFailed, code)
	require.Contains(t, stdout, "INVALID: these figures decide nothing.")
	for _, name := range checks {
		require.Contains(t, failedChecks(run), name)
		require.Contains(t, stdout, "- "+name+": ", "the reason is printed")
	}
	for _, verdict := range verdicts(run) {
		require.Equal(t, "inconclusive", verdict)
	}
}

func failedChecks(run results.Run) (names []string) {
	for _, c := range run.Checks {
		if !c.OK {
			names = append(names, c.Name)
		}
	}
	return names
}

func verdicts(run results.Run) (all []string) {
	for _, row := range run.Comparison {
		all = append(all, row.Verdict)
	}
	return all
}

// TestAServerThatDies kills a server of an embedded lab between its fifth round and the end.
func TestAServerThatDies(t *testing.T) {
	programs, dir := build(t), t.TempDir()
	cmd := exec.CommandContext(t.Context(), filepath.Join(programs, "loadrunner"), "-n", "100", "-c", "10", "--rounds", "500",
		"--fresh", "0", "--latency-a", "2ms", "--latency-b", "2ms", "--warmup", "0", "--redis", "miniredis", "--results", dir)
	var stdout bytes.Buffer
	cmd.Stdout = &stdout
	progress, err := cmd.StderrPipe()
	require.NoError(t, err)
	require.NoError(t, cmd.Start())
	waitFor(t, progress, "round 5 of 500, threadpool:")
	require.NoError(t, syscall.Kill(childCalled(t, cmd.Process.Pid, "threadpool"), syscall.SIGKILL))

	var exit *exec.ExitError
	require.ErrorAs(t, cmd.Wait(), &exit)
	_, run := readRun(t, dir)
	requireBroken(t, []string{"lab_alive", "all_rounds"}, exit.ExitCode(), stdout.String(), run)
}

// childCalled returns the process that a process has started from the program of that name.
func childCalled(t *testing.T, parent int, name string) int {
	t.Helper()
	for _, pid := range childrenOf(t, parent) {
		comm, err := os.ReadFile("/proc/" + strconv.Itoa(pid) + "/comm")
		require.NoError(t, err)
		if strings.TrimSpace(string(comm)) == name {
			return pid
		}
	}
	t.Fatalf("process %d has no child %s", parent, name)
	return 0
}
