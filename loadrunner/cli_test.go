package main

import (
	"bytes"
	"net/http"
	"net/http/httptest"
	"testing"

	"github.com/spf13/pflag"
	"github.com/stretchr/testify/require"

	"poolvsloop/internal/config"
	"poolvsloop/internal/program"
)

// run runs the command as main does.
func run(t *testing.T, args ...string) (code int, stdout, stderr string) {
	t.Helper()
	var out, errs bytes.Buffer
	code = program.Run(t.Context(), command(), args, &out, &errs)
	return code, out.String(), errs.String()
}

func TestUsageIsOneLineAndExitCodeTwo(t *testing.T) {
	for name, c := range map[string]struct {
		args []string
		says string
	}{
		"unknown flag":             {[]string{"--no-such-flag"}, "no-such-flag"},
		"unknown command":          {[]string{"measure"}, "measure"},
		"surplus argument":         {[]string{"compare", "http://127.0.0.1/"}, "http://127.0.0.1/"},
		"bad number":               {[]string{"compare", "-n", "many"}, "many"},
		"several things at once":   {[]string{"compare", "-c", "0", "--rounds", "0"}, "--rounds 0"},
		"without the command":      {[]string{"-c", "0"}, "--concurrency 0"},
		"attach without addresses": {[]string{"compare", "--lab", "attach"}, "--threadpool"},
		"health of nothing":        {[]string{"health"}, "arg"},
		"latency without a unit":   {[]string{"--latency-a", "20"}, "20ms"},
		"latency of no model":      {[]string{"--latency-b", "cubic:2ms"}, "lognormal"},
		"too many workers":         {[]string{"--workers", "20000"}, "--workers 20000: want 1 to 10000"},
		"cache of no kind":         {[]string{"--redis", "nonsense"}, "miniredis"},
		"report of nothing":        {[]string{"report"}, "arg"},
		"diff of one":              {[]string{"diff", "results"}, "arg"},
		"diff in no format":        {[]string{"diff", "a", "b", "--format", "pdf"}, "--format"},
		"report in no format":      {[]string{"report", "results", "--format", "pdf"}, "--format"},
		"report as no report":      {[]string{"report", "results", "--as", "nginx"}, "--as"},
		"report as JSON":           {[]string{"report", "results", "--as", "choreo", "--format", "json"}, "--format"},
		"cache on a bad address":   {[]string{"cache", "--addr", "nowhere"}, "--addr"},
	} {
		t.Run(name, func(t *testing.T) {
			code, stdout, stderr := run(t, c.args...)
			require.Equal(t, program.ExitUsage, code, stderr)
			require.Empty(t, stdout)
			require.Contains(t, stderr, c.says)
			require.Equal(t, 1, bytes.Count([]byte(stderr), []byte("\n")), "one line: %s", stderr)
		})
	}
}

func TestFlagsComeFromTheEnvironment(t *testing.T) {
	t.Setenv("LAB_CONCURRENCY", "0")
	code, _, stderr := run(t, "compare")
	require.Equal(t, program.ExitUsage, code)
	require.Contains(t, stderr, "--concurrency 0")
	t.Setenv("LAB_CONCURRENCY", "many")
	code, _, stderr = run(t)
	require.Equal(t, program.ExitUsage, code)
	require.Contains(t, stderr, "LAB_CONCURRENCY")
}

func TestHelpAndVersion(t *testing.T) {
	code, stdout, _ := run(t, "--help")
	require.Equal(t, program.ExitDone, code)
	for _, text := range []string{"--workers", "--latency-a", "LAB_REQUESTS for --requests", "compare", "version"} {
		require.Contains(t, stdout, text)
	}
	require.NotContains(t, stdout, "cache (miniredis)", "the cache's command is hidden")

	code, stdout, _ = run(t, "version")
	require.Equal(t, program.ExitDone, code)
	require.Contains(t, stdout, "loadrunner")
}

func TestHealth(t *testing.T) {
	for name, c := range map[string]struct{ status, code int }{
		"ready": {http.StatusOK, program.ExitDone}, "not ready": {http.StatusServiceUnavailable, program.ExitFailed},
	} {
		t.Run(name, func(t *testing.T) {
			server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(c.status) }))
			defer server.Close()
			code, _, stderr := run(t, "health", server.URL+"/healthz")
			require.Equal(t, c.code, code, stderr)
			server.Close()
			code, _, _ = run(t, "health", server.URL+"/healthz")
			require.Equal(t, program.ExitFailed, code, "nobody listens any more")
		})
	}
}

func TestFlagsAreKnown(t *testing.T) {
	root := command()
	for _, cmd := range append(root.Commands(), root) {
		cmd.Flags().VisitAll(func(f *pflag.Flag) {
			require.Contains(t, config.Variables(), config.Variable(f.Name), "add it to the known flags")
		})
	}
}
