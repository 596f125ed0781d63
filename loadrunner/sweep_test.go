package main

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"poolvsloop/internal/page"
	"poolvsloop/internal/program"
	"poolvsloop/internal/sweep"
)

func TestSweepUsage(t *testing.T) {
	for name, c := range map[string]struct {
		args []string
		says string
	}{
		"no grid":             {nil, "--grid: want knobs"},
		"unknown knob":        {[]string{"--grid", "wrkers=5,6"}, `unknown knob "wrkers": did you mean workers?`},
		"knob of no kind":     {[]string{"--grid", "colour=red"}, "want one of"},
		"no knob but a flag":  {[]string{"--grid", "results=a,b"}, `unknown knob "results"`},
		"value out of bounds": {[]string{"--grid", "workers=5,20000"}, "cell workers=20000: --workers 20000: want 1 to 10000"},
		"value in two forms":  {[]string{"--grid", "c=5,05"}, "cell concurrency=05 is cell concurrency=5 once more"},
		"share in two forms":  {[]string{"--grid", "c=1,5;hit-ratio=0.5,0.50"}, "is cell concurrency=1 hit-ratio=0.5 once more"},
		"value of no kind":    {[]string{"--grid", "c=5,many"}, `cell concurrency=many: --concurrency "many": want a whole number`},
		"set for all, too":    {[]string{"-c", "5", "--grid", "c=5,6"}, "--concurrency is set for all cells, and in the grid"},
		"bad for all":         {[]string{"--rounds", "0", "--grid", "c=5,6"}, "--rounds 0"},
		"resume and more":     {[]string{"--resume", "x", "--grid", "c=5"}, "leave out --grid"},
		"again of nothing":    {[]string{"--again", "--grid", "c=5"}, "--again needs --resume"},
		"along what is not":   {[]string{"--along", "workers", "--grid", "c=5"}, "--along: \"workers\" is not in the grid"},
		"along words":         {[]string{"--along", "worker", "--grid", "worker=thread,goroutine"}, "--along: worker: want a knob with two numbers"},
		"search of no figure": {[]string{"--find-max", "p98.5<1s"}, "want one of errors, goodput"},
		"search for nothing":  {[]string{"--grid", "c=5", "--over", "rate"}, "--over needs --find-max"},
		"over what is set":    {[]string{"--find-max", "p99<1s", "--over", "c", "-c", "5"}, "cannot be set"},
		"over a grid":         {[]string{"--find-max", "p99<1s", "--over", "c", "--grid", "c=5,6"}, "cannot be set"},
		"over no load":        {[]string{"--find-max", "p99<1s", "--over", "workers"}, "want rate or c"},
		"over no range":       {[]string{"--find-max", "p99<1s", "--over", "rate=50..20"}, "the lower first"},
		"over and clients":    {[]string{"--find-max", "p99<1s", "-c", "5"}, "--concurrency has no meaning with --rate"},
		"short rounds":        {[]string{"--find-max", "p99<1s", "--over", "rate=10..100", "-t", "6"}, "take 14s"},
		"like nothing":        {[]string{"--like", "nginx"}, "--like \"nginx\": want one of ballerina, choreo"},
		"like, and a grid":    {[]string{"--like", "choreo", "--grid", "c=5"}, "leave out --grid"},
		"scale of nothing":    {[]string{"--scale", "0.1", "--grid", "c=5"}, "--scale needs --like"},
		"scale too large":     {[]string{"--like", "choreo", "--scale", "2"}, "--scale 2"},
		"too many steps":      {[]string{"--find-max", "p99<1s", "--steps", "99"}, "--steps 99: want 1 to 50"},
		"in no format":        {[]string{"--grid", "c=5", "--format", "pdf"}, "--format"},
		"bad name":            {[]string{"--grid", "c=5", "--name", "a/b"}, "--name"},
	} {
		t.Run(name, func(t *testing.T) {
			results := t.TempDir()
			args := append([]string{"sweep"}, c.args...)
			if c.args == nil || c.args[0] != "--resume" {
				args = append(args, "--results", results)
			}
			code, stdout, stderr := run(t, args...)
			require.Equal(t, program.ExitUsage, code, stderr)
			require.Empty(t, stdout)
			require.Contains(t, stderr, c.says)
			require.Equal(t, 1, strings.Count(stderr, "\n"), "one line: %s", stderr)
			left, err := filepath.Glob(filepath.Join(results, "*"))
			require.NoError(t, err)
			require.Empty(t, left)
		})
	}
	t.Setenv("LAB_WORKERS", "7")
	code, _, stderr := run(t, "sweep", "--resume", t.TempDir())
	require.Equal(t, program.ExitFailed, code)
	require.Contains(t, stderr, "want the folder of a sweep")
}

func TestSweepDryRun(t *testing.T) {
	code, stdout, stderr := run(t, "sweep", "--grid", "workers=10,50;c=10,20", "-t", "2", "--dry-run", "--results", t.TempDir())
	require.Zero(t, code, stderr)
	require.Contains(t, stdout, "cell-0003: workers=50 concurrency=10\n")
	require.Contains(t, stdout, "4 cells, about ")
	code, stdout, stderr = run(t, "sweep", "--like", "choreo", "--most-users", "50", "--dry-run", "--results", t.TempDir())
	require.Zero(t, code, stderr)
	require.Contains(t, stdout, "8 cells, about ")
	code, stdout, stderr = run(t, "sweep", "--find-max", "p99<100ms", "--workers", "20", "--dry-run", "--results", t.TempDir())
	require.Zero(t, code, stderr)
	require.Contains(t, stdout, "a search over rate from 49 to ", "an eighth of 20 workers / 50 ms")
}

// TestSweepIsKilledAndGoesOn kills a sweep of real cells, and with it its lab, in the middle of the second one.
func TestSweepIsKilledAndGoesOn(t *testing.T) {
	programs, dir := build(t), t.TempDir()
	loadrunner := filepath.Join(programs, "loadrunner")
	cmd := exec.CommandContext(t.Context(), loadrunner, "sweep", "--grid", "workers=4,8", "-n", "100", "-c", "4", "--rounds", "1", "--warmup", "0",
		"--redis", "miniredis", "--results", dir)
	progress, err := cmd.StderrPipe()
	require.NoError(t, err)
	require.NoError(t, cmd.Start())
	waitFor(t, progress, "cell 2 of 2:")
	require.NoError(t, cmd.Process.Kill())
	require.Error(t, cmd.Wait())

	folders, err := filepath.Glob(filepath.Join(dir, "*-sweep"))
	require.NoError(t, err)
	require.Len(t, folders, 1)
	code, before, stderr := run(t, "report", folders[0], "--format", "json")
	require.Zero(t, code, stderr)
	require.Contains(t, before, `"complete": false`)

	again := exec.CommandContext(t.Context(), loadrunner, "sweep", "--resume", folders[0], "--quiet")
	var stdout, says bytes.Buffer
	again.Stdout, again.Stderr = &stdout, &says
	err = again.Run()
	s, loading := sweep.Load(folders[0])
	require.NoError(t, loading, says.String())
	require.True(t, s.Complete)
	require.Equal(t, s.Count(sweep.Valid) == 2, err == nil, "the exit code says whether all cells are valid: %s", says.String())
	for _, c := range s.Cells {
		require.Equal(t, 100, c.Servers[0].Total.Completed, c.Settings)
	}
	code, printed, stderr := run(t, "report", folders[0])
	require.Zero(t, code, stderr)
	pageFile := filepath.Join(folders[0], page.Name)
	require.Equal(t, stdout.String(), printed+"Results: "+folders[0]+"\nPage:    "+pageFile+"\n")
	require.FileExists(t, filepath.Join(folders[0], "sweep.csv"))
	whole, err := os.ReadFile(pageFile)
	require.NoError(t, err)
	code, _, stderr = run(t, "report", "--format", "html", folders[0])
	require.Zero(t, code, stderr)
	anew, err := os.ReadFile(pageFile)
	require.NoError(t, err)
	require.Equal(t, string(whole), string(anew))
}
