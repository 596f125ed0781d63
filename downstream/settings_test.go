package main

import (
	"encoding/json"
	"errors"
	"io"
	"testing"
	"time"

	"github.com/spf13/pflag"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"poolvsloop/internal/contract"
	"poolvsloop/internal/latency"
)

// parse returns the settings of a command line on ports that the system picks.
func parse(args ...string) (*Settings, error) {
	c := DefaultConfig()
	flags := pflag.NewFlagSet("downstream", pflag.ContinueOnError)
	c.Bind(flags)
	if err := flags.Parse(append([]string{"--addr=127.0.0.1:0", "--admin=127.0.0.1:0"}, args...)); err != nil {
		return nil, err
	}
	return NewSettings(c, flags, latency.OpenFile)
}

func mustSettings(t *testing.T, args ...string) *Settings {
	t.Helper()
	s, err := parse(args...)
	require.NoError(t, err)
	return s
}

func TestSettingsAreChecked(t *testing.T) {
	for args, want := range map[string]string{
		"--name=":                "--name 0",
		"--addr=nowhere":         `--addr "nowhere"`,
		"--latency=fast":         `--latency: latency "fast"`,
		"--error-share=-0.1":     "--error-share -0.1: want 0 to 1",
		"--error-share=NaN":      "--error-share NaN: want 0 to 1",
		"--hang-share=1.1":       "--hang-share 1.1: want 0 to 1",
		"--reset-share=2":        "--reset-share 2",
		"--slow-body-share=-1":   "--slow-body-share -1",
		"--slow-body-time=-1s":   "--slow-body-time -1s",
		"--error-status=200":     "--error-status 200: want 400 to 599",
		"--stall-at=-1s":         "--stall-at -1s",
		"--stall-for=2h":         "--stall-for 2h0m0s: want 0s to 1h0m0s",
		"--rate-limit=-1":        "--rate-limit -1",
		"--rate-limit=+Inf":      "--rate-limit +Inf",
		"--concurrency-limit=-1": "--concurrency-limit -1",
		"--max-conns=-1":         "--max-conns -1",
		"--backlog=0":            "--backlog 0",
		"--drain=-1s":            "--drain -1s",
	} {
		t.Run(args, func(t *testing.T) {
			_, err := parse(args)
			require.ErrorContains(t, err, want)
		})
	}
	t.Run("all at once", func(t *testing.T) {
		_, err := parse("--hang-share=2", "--error-status=1")
		require.ErrorContains(t, err, "--hang-share 2")
		require.ErrorContains(t, err, "--error-status 1")
	})
	t.Run("shares that add up to more than 1", func(t *testing.T) {
		_, err := parse("--hang-share=0.6", "--error-share=0.6")
		require.ErrorContains(t, err, "add up to 1.2: want 1 at most")
		_, err = parse("--hang-share=0.1", "--error-share=0.2", "--reset-share=0.3", "--slow-body-share=0.4")
		require.NoError(t, err)
	})
}

// noTrace is a latency.Opener that finds no file.
func noTrace(string) (io.ReadCloser, error) { return nil, errors.New("no file in this test") }

func TestChange(t *testing.T) {
	s := mustSettings(t, "--name=b", "--latency=30ms", "--log-level=warn", "--stall-for=1s")
	next, stall, err := s.Change([]byte(
		`{"latency":"exp:5ms","error-share":0.25,"error-status":"502","seed":18446744073709551615,"name":"b"}`), noTrace)
	require.NoError(t, err)
	assert.False(t, stall)
	assert.Equal(t, mustParse(t, "exp:5ms"), next.model)
	assert.Equal(t, Faults{ErrorShare: 0.25, ErrorStatus: 502, SlowBodyTime: time.Second}, next.Faults)
	assert.Equal(t, uint64(1<<64-1), next.Seed)
	assert.Equal(t, NewSource(1<<64-1, "b"), next.source)
	assert.Equal(t, s.Process, next.Process, "what is not named stays")
	assert.Equal(t, time.Second, next.StallFor)
	assert.Equal(t, "exp:5ms", next.values["latency"])
	assert.Equal(t, "30ms", s.values["latency"], "the old settings are not touched")

	_, stall, err = next.Change([]byte(`{"stall-for":"1s"}`), noTrace)
	require.NoError(t, err)
	assert.True(t, stall, "named, if to the same value: the window begins anew")
}

func TestChangeTakesWhatValuesShow(t *testing.T) {
	s := mustSettings(t, "--latency=pareto:min=1ms,alpha=2", "--rate-limit=12.5", "--log-format=json")
	body, err := json.Marshal(s.values)
	require.NoError(t, err)
	next, _, err := s.Change(body, noTrace)
	require.NoError(t, err)
	assert.Equal(t, s, next)
}

func TestChangeRefuses(t *testing.T) {
	s := mustSettings(t)
	for body, want := range map[string]string{
		``:                          "want a JSON object",
		`[]`:                        "want a JSON object",
		`{"latency":"x"} {}`:        "want a JSON object",
		`{"latncy":"1ms"}`:          `unknown setting "latncy"`,
		`{"latency":"fast"}`:        `latency "fast"`,
		`null`:                      "want a JSON object",
		`{"latency":20}`:            "want a time with its unit, such as 20ms",
		`{"latency":null}`:          "latency: want a text or a number, not null",
		`{"latency":["1ms"]}`:       "latency: want a text or a number",
		`{"latency":{}}`:            "latency: want a text or a number",
		`{"error-share":"lots"}`:    "error-share",
		`{"error-share":2}`:         "--error-share 2: want 0 to 1",
		`{"error-share":true}`:      "error-share",
		`{"seed":-1}`:               "seed",
		`{"seed":1.5}`:              "seed",
		`{"concurrency-limit":1.5}`: "concurrency-limit",
		`{"name":"z"}`:              `name is fixed at "a"`,
		`{"addr":"127.0.0.1:1"}`:    "addr is fixed",
		`{"drain":"1s"}`:            "drain is fixed",
		`{"log-level":"debug"}`:     "log-level is fixed",
		`{"help":"true"}`:           `unknown setting "help"`,
	} {
		t.Run(body, func(t *testing.T) {
			next, _, err := s.Change([]byte(body), noTrace)
			require.ErrorContains(t, err, want)
			assert.Nil(t, next)
		})
	}
}

func FuzzChange(f *testing.F) {
	s, err := parse()
	if err != nil {
		f.Fatal(err)
	}
	for _, body := range []string{`{}`, `{"latency":"1ms"}`, `{"seed":7}`, `{"name":"a","error-share":1e-3}`, `{"x":"\u0000"}`} {
		f.Add([]byte(body))
	}
	f.Fuzz(func(t *testing.T, body []byte) {
		next, _, err := s.Change(body, noTrace)
		if (err == nil) == (next == nil) {
			t.Fatalf("%q: settings %v with error %v", body, next, err)
		}
		if err != nil {
			return
		}
		if err := next.Validate(); err != nil {
			t.Fatalf("%q: settings that don't validate: %v", body, err)
		}
		if next.Name != s.Name || next.Process != s.Process {
			t.Fatalf("%q changed what is fixed", body)
		}
	})
}

// Compose has two downstreams, each with a latency of its own; its MAX_CONNS and BACKLOG are of the servers.
func TestComposeHasTheDefaults(t *testing.T) {
	contract.Compose(t, "..", command().Flags(), "latency", "max-conns", "backlog")
}
