package main

import (
	"io"
	"net/http"
	"net/http/httptest"
	"testing"

	"github.com/stretchr/testify/require"

	"poolvsloop/internal/program"
)

func TestRunCommand(t *testing.T) {
	good := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { _, _ = io.WriteString(w, "hello") }))
	defer good.Close()
	bad := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusInternalServerError) }))
	defer bad.Close()
	for name, c := range map[string]struct {
		args           []string
		code           int
		stdout, stderr string
	}{
		"good":                 {[]string{"-n", "30", "-c", "3", good.URL}, program.ExitDone, "The run is valid.", ""},
		"all 500":              {[]string{"-n", "30", bad.URL}, program.ExitFailed, "Non-2xx responses:      30", "no request succeeded"},
		"condition holds":      {[]string{"-n", "30", "--fail-if", "rps>0", good.URL}, program.ExitFailed, "FAILS: fail-if rps>0", "--fail-if rps>0"},
		"condition not broken": {[]string{"-n", "30", "--fail-if", "errors>0", good.URL}, program.ExitDone, "passes: fail-if errors>0", ""},
		"no condition":         {[]string{"--fail-if", "fast", good.URL}, program.ExitUsage, "", "fast"},
		"no URL":               {nil, program.ExitUsage, "", "arg"},
		"bad URL":              {[]string{"localhost"}, program.ExitUsage, "", "want http"},
	} {
		t.Run(name, func(t *testing.T) {
			code, stdout, stderr := run(t, append([]string{"run"}, c.args...)...)
			require.Equal(t, c.code, code, stderr)
			require.Contains(t, stdout, c.stdout)
			require.Contains(t, stderr, c.stderr)
		})
	}
}

func TestSelftestUsage(t *testing.T) {
	code, _, stderr := run(t, "selftest", "now")
	require.Equal(t, program.ExitUsage, code)
	require.Contains(t, stderr, "now")
}
