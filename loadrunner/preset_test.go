package main

import (
	"bytes"
	"context"
	"encoding/json"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"poolvsloop/internal/preset"
	"poolvsloop/internal/program"
)

// smallPreset takes a second or two: a comparison, and a run with a fault of a downstream.
const smallPreset = `title: Small
question: Does it work?
guess: {asks: "How many?", of: one.threadpool.completed, unit: requests, choices: [1, 100]}
steps:
  - name: one
    compare: {n: 100, c: 5, rounds: 1, warmup: 0.1, latency-a: 5ms, latency-b: 10ms, redis: miniredis}
  - name: two
    path: order
    run: {n: 60, c: 5, k: true, rounds: 1, warmup: 0.1}
    threadpool: {workers: 5}
    downstream-b: {latency: 5ms, error-share: 1}
expect:
  - says: all are answered
    value: one.threadpool.completed
    is: "100"
  - says: B fails for all
    value: two.eventloop.non_2xx
    is: 2 * 30
  - says: which is all of them
    value: two.threadpool.failed_share
    above: 0.99
law: X = N/S
theory: None.
lesson: None.
next: loadrunner compare
`

// TestPresetEndToEnd runs a small preset with the real programs, and looks at what it prints and leaves behind.
func TestPresetEndToEnd(t *testing.T) {
	programs, dir := build(t), t.TempDir()
	for name, c := range map[string]struct{ old, new, verdict string }{
		"as expected": {"", "", preset.Passed},
		"otherwise":   {"is: 2 * 30", "is: 2 * 29", preset.Failed},
	} {
		t.Run(name, func(t *testing.T) {
			file := filepath.Join(t.TempDir(), "small.yaml")
			require.NoError(t, os.WriteFile(file, []byte(strings.Replace(smallPreset, c.old, c.new, 1)), 0o600))
			results := filepath.Join(dir, c.verdict)
			cmd := exec.CommandContext(t.Context(), filepath.Join(programs, "loadrunner"), "preset", "run", file, "--results", results)
			var stdout, stderr bytes.Buffer
			cmd.Stdout, cmd.Stderr = &stdout, &stderr
			err := cmd.Run()
			folder, outcome := readOutcome(t, results)
			require.Equal(t, outcome.Verdict != preset.Passed, err != nil, "%s%s", stdout.String(), stderr.String())
			if !outcome.Steps[0].Valid || !outcome.Steps[1].Valid { // a busy machine
				require.Contains(t, []string{preset.Invalid, preset.Busy}, outcome.Verdict)
			} else {
				require.Equal(t, c.verdict, outcome.Verdict, stdout.String())
			}
			require.Equal(t, c.new == "", outcome.Expectations[1].Passed)
			for _, text := range []string{"Question: Does it work?", "all are answered: 100, wanted 100", "Lesson: None.", "Results: " + folder, "Page:    " + folder + "/report.html"} {
				require.Contains(t, stdout.String(), text)
			}
			requirePresetFolder(t, folder, outcome)
		})
	}
}

// readOutcome reads the one preset in a results folder.
func readOutcome(t *testing.T, dir string) (folder string, outcome preset.Outcome) {
	t.Helper()
	folders, err := os.ReadDir(dir)
	require.NoError(t, err)
	require.Len(t, folders, 1)
	folder = filepath.Join(dir, folders[0].Name())
	text, err := os.ReadFile(filepath.Join(folder, preset.Document))
	require.NoError(t, err)
	require.NoError(t, json.Unmarshal(text, &outcome))
	return folder, outcome
}

// requirePresetFolder looks for the folders of the runs: one comparison, and a run on each server.
func requirePresetFolder(t *testing.T, folder string, outcome preset.Outcome) {
	t.Helper()
	require.FileExists(t, filepath.Join(folder, preset.Report))
	require.Len(t, outcome.Steps, 2)
	require.Len(t, outcome.Steps[0].Folders, 1)
	require.FileExists(t, filepath.Join(folder, outcome.Steps[0].Folders[0], "compare.txt"))
	require.Len(t, outcome.Steps[1].Folders, 2)
	for _, run := range outcome.Steps[1].Folders {
		require.FileExists(t, filepath.Join(folder, run, "run.json"))
	}
}

func TestPresetUsage(t *testing.T) {
	for name, c := range map[string]struct {
		args []string
		says string
	}{
		"no command":        {[]string{"preset"}, "list, show, run, learn"},
		"unknown command":   {[]string{"preset", "nonsense"}, "nonsense"},
		"unknown preset":    {[]string{"preset", "run", "nonsense"}, "preset list"},
		"no such file":      {[]string{"preset", "show", "none.yaml"}, "none.yaml"},
		"no preset":         {[]string{"preset", "run"}, "NAME"},
		"nobody to guess":   {[]string{"preset", "run", "seed", "--guess"}, "no terminal"},
		"nobody to learn":   {[]string{"preset", "learn"}, "no terminal"},
		"lesson of no ten":  {[]string{"preset", "learn", "--from", "11"}, "--from 11"},
		"one twice":         {[]string{"preset", "run", "seed", "seed"}, "given twice"},
		"several, one none": {[]string{"preset", "run", "seed", "nonsense"}, "nonsense"},
	} {
		t.Run(name, func(t *testing.T) {
			code, stdout, stderr := run(t, c.args...)
			require.Equal(t, program.ExitUsage, code, stderr)
			require.Empty(t, stdout)
			require.Contains(t, stderr, c.says)
			require.Equal(t, 1, strings.Count(stderr, "\n"), "one line: %s", stderr)
		})
	}
}

func TestPresetListAndShow(t *testing.T) {
	code, stdout, stderr := run(t, "preset", "list")
	require.Zero(t, code, stderr)
	require.Equal(t, len(preset.Names()), strings.Count(stdout, "\n"))
	code, stdout, stderr = run(t, "preset", "show", "pool-starved")
	require.Zero(t, code, stderr)
	for _, text := range []string{"Question: ", "Predicted by queueing theory", "Expected:", "Law: ", "Theory: ", "Lesson: ", "Next: "} {
		require.Contains(t, stdout, text)
	}
}

func TestAGuessIsAskedUntilItCanBeRead(t *testing.T) {
	p, err := preset.Find("pool-starved")
	require.NoError(t, err)
	var out bytes.Buffer
	asked, err := newQuestions(strings.NewReader("many\nb\n"), &out, "")
	require.NoError(t, err)
	guess, err := asked.guess(t.Context(), p)
	require.NoError(t, err)
	require.Equal(t, p.Guess.Choices[1], *guess)
	require.Contains(t, out.String(), p.Guess.Asks)
	require.Equal(t, 2, strings.Count(out.String(), "Your guess: "))
	_, err = asked.guess(t.Context(), p)
	require.ErrorIs(t, err, errNoAnswer)
}

// TestAQuestionCanBeLeft: an interruption ends the wait for an answer, although the terminal says nothing.
func TestAQuestionCanBeLeft(t *testing.T) {
	p, err := preset.Find("pool-starved")
	require.NoError(t, err)
	in, terminal := io.Pipe()
	defer func() { require.NoError(t, terminal.Close()) }()
	asked, err := newQuestions(in, io.Discard, "")
	require.NoError(t, err)
	ctx, interrupt := context.WithCancel(t.Context())
	interrupt()
	_, err = asked.guess(ctx, p)
	require.ErrorIs(t, err, errInterrupted)
}

// TestNextCommandsAreCommands: what a preset says to do next can be done.
func TestNextCommandsAreCommands(t *testing.T) {
	for _, name := range preset.Names() {
		t.Run(name, func(t *testing.T) {
			p, err := preset.Find(name)
			require.NoError(t, err)
			words := strings.Fields(p.Next)
			require.Equal(t, "loadrunner", words[0])
			cmd, rest, err := command().Find(words[1:])
			require.NoError(t, err)
			for i, word := range rest {
				rest[i] = strings.Trim(word, "'")
			}
			cmd.InitDefaultHelpFlag()
			require.NoError(t, cmd.ParseFlags(rest))
			if cmd.CommandPath() == "loadrunner preset run" {
				_, err := preset.Find(cmd.Flags().Arg(0))
				require.NoError(t, err)
			}
		})
	}
}
