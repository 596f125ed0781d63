package main

import (
	"bytes"
	"context"
	"encoding/json"
	"io"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/spf13/pflag"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"poolvsloop/internal/config"
	"poolvsloop/internal/program"
)

func TestUsageErrorsAreOneLineAndExitTwo(t *testing.T) {
	for args, want := range map[string]string{
		"--latency=fast":    `downstream: --latency: latency "fast": want a time with its unit, such as 20ms or 1.5s, or a model: 20ms, const:20ms`,
		"--no-such-flag":    "downstream: unknown flag --no-such-flag",
		"surplus":           `downstream: unexpected argument "surplus"`,
		"--error-share=2":   "downstream: --error-share 2: want 0 to 1",
		"--seed=-1":         `downstream: --seed "-1": want a whole number`,
		"--log-level=loud":  `downstream: --log-level "loud"`,
		"--latency=trace:/": "is not a regular file",
	} {
		t.Run(args, func(t *testing.T) {
			var stderr bytes.Buffer
			code := program.Run(context.Background(), command(), []string{args}, io.Discard, &stderr)
			assert.Equal(t, program.ExitUsage, code)
			assert.Contains(t, stderr.String(), want)
			assert.Equal(t, 1, strings.Count(stderr.String(), "\n"), stderr.String())
		})
	}
}

func TestBadVariableIsNamed(t *testing.T) {
	t.Setenv("LAB_ERROR_STATUS", "fine")
	var stderr bytes.Buffer
	assert.Equal(t, program.ExitUsage, program.Run(context.Background(), command(), []string{}, io.Discard, &stderr))
	assert.Contains(t, stderr.String(), "LAB_ERROR_STATUS")
}

func TestHelpNamesVariablesAndModels(t *testing.T) {
	var stdout bytes.Buffer
	assert.Zero(t, program.Run(context.Background(), command(), []string{"--help"}, &stdout, io.Discard))
	for _, want := range []string{"LAB_ADDR for --addr", "--hang-share", "lognormal:p50=20ms,p99=200ms"} {
		assert.Contains(t, stdout.String(), want)
	}
}

func TestAddressInUseExitsOne(t *testing.T) {
	d := start(t)
	var stderr bytes.Buffer
	args := []string{"--addr", d.Addr().String(), "--admin="}
	assert.Equal(t, program.ExitFailed, program.Run(context.Background(), command(), args, io.Discard, &stderr))
	assert.Contains(t, stderr.String(), d.Addr().String())
	assert.Equal(t, 1, strings.Count(stderr.String(), "\n"), stderr.String())

	stderr.Reset()
	args = []string{"--addr=127.0.0.1:0", "--log-level=error", "--admin", d.Addr().String()}
	assert.Equal(t, program.ExitFailed, program.Run(context.Background(), command(), args, io.Discard, &stderr))
	assert.Contains(t, stderr.String(), "--admin")
}

func TestProgramServesUntilItIsStopped(t *testing.T) {
	t.Setenv("LAB_LATENCY", "1ms")
	ctx, stop := context.WithCancel(context.Background())
	defer stop()
	logs, writer := io.Pipe()
	code := make(chan int)
	go func() {
		code <- program.Run(ctx, command(), []string{"--addr=127.0.0.1:0", "--admin=127.0.0.1:0", "--name=b"}, io.Discard, writer)
		_ = writer.Close() // never fails
	}()
	lines := json.NewDecoder(logs)
	var seen []string
	var line struct{ Message, Addr, Admin string }
	for line.Message != program.Listening {
		require.NoError(t, lines.Decode(&line))
		seen = append(seen, line.Message)
	}
	go func() { _, _ = io.Copy(io.Discard, logs) }()
	assert.Len(t, seen, 3, "two lines of limits, and where it listens: %v", seen)

	client := &http.Client{Timeout: 5 * time.Second}
	for _, url := range []string{line.Addr + "/customers/c-1", line.Admin + "/ledger", line.Admin + "/metrics"} {
		response, err := client.Get("http://" + url)
		require.NoError(t, err)
		require.NoError(t, response.Body.Close())
		assert.Equal(t, http.StatusOK, response.StatusCode)
	}
	client.CloseIdleConnections()
	stop()
	assert.Equal(t, program.ExitDone, <-code)
}

func TestFlagsAreKnown(t *testing.T) {
	command().Flags().VisitAll(func(f *pflag.Flag) {
		require.Contains(t, config.Variables(), config.Variable(f.Name), "add it to the known flags")
	})
}
