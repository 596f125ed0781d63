package main

import (
	"bytes"
	"context"
	"encoding/json"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"poolvsloop/internal/audit"
	"poolvsloop/internal/program"
)

const (
	cleanReport   = "../results/example/threadpool.txt"
	refutedReport = "../internal/audit/testdata/two-servers.txt"
)

func TestAudit(t *testing.T) {
	prose := filepath.Join(t.TempDir(), "prose.txt")
	require.NoError(t, os.WriteFile(prose, []byte("The new server is much faster.\n"), 0o600))
	for name, c := range map[string]struct {
		args         []string
		code         int
		prints, says string
	}{
		"nothing found":            {[]string{cleanReport}, program.ExitDone, "read 1 report of ab", ""},
		"found":                    {[]string{refutedReport}, program.ExitFailed, "two-servers.txt:6: doubtful: pool:", ""},
		"found in one of two":      {[]string{cleanReport, refutedReport}, program.ExitFailed, "2 refuted", ""},
		"markdown":                 {[]string{"--format", "markdown", refutedReport}, program.ExitFailed, "| refuted | spliced |", ""},
		"nothing to audit":         {[]string{prose}, program.ExitUsage, "0 refuted", "prose.txt: no report of ab or wrk"},
		"nothing in one, and more": {[]string{prose, refutedReport}, program.ExitUsage, "2 refuted", "prose.txt: no report"},
		"no file":                  {[]string{"no/such/file"}, program.ExitUsage, "", "no/such/file"},
		"a folder":                 {[]string{"."}, program.ExitUsage, "", "directory"},
		"no argument":              {nil, program.ExitUsage, "", "FILE"},
		"no such format":           {[]string{"--format", "pdf", cleanReport}, program.ExitUsage, "", "--format"},
	} {
		t.Run(name, func(t *testing.T) {
			code, stdout, stderr := run(t, append([]string{"audit"}, c.args...)...)
			require.Equal(t, c.code, code, "%s%s", stdout, stderr)
			require.Contains(t, stdout, c.prints)
			require.Contains(t, stderr, c.says)
			require.LessOrEqual(t, strings.Count(stderr, "\n"), 1, "one line: %s", stderr)
		})
	}
}

// TestAuditEndsWhenInterrupted has nothing to read: a pipe into which nobody writes.
func TestAuditEndsWhenInterrupted(t *testing.T) {
	in, silent := io.Pipe()
	defer silent.Close()
	cmd := command()
	cmd.SetIn(in)
	ctx, interrupt := context.WithCancel(t.Context())
	interrupt()
	var out, errs bytes.Buffer
	require.Equal(t, program.ExitFailed, program.Run(ctx, cmd, []string{"audit", "-"}, &out, &errs))
	require.Contains(t, errs.String(), "read what to audit: -: interrupted")
	require.Empty(t, out.String())
}

func TestAuditOfTheStandardInputAsJSON(t *testing.T) {
	text, err := os.ReadFile(refutedReport)
	require.NoError(t, err)
	cmd := command()
	cmd.SetIn(bytes.NewReader(text))
	var out, errs bytes.Buffer
	require.Equal(t, program.ExitFailed, program.Run(t.Context(), cmd, []string{"audit", "--format", "json", "-"}, &out, &errs))
	var all []audit.Document
	require.NoError(t, json.Unmarshal(out.Bytes(), &all))
	require.Len(t, all, 1)
	require.Equal(t, "-", all[0].File)
	require.Equal(t, 2, all[0].AB)
	require.Equal(t, 2, all[0].Count(audit.Refuted))
}

func TestAuditReadsNoFileWithoutAnEnd(t *testing.T) {
	_, err := readText(endless{}, "-")
	require.ErrorContains(t, err, "longer than")
}

// endless is an input without an end.
type endless struct{}

func (endless) Read(p []byte) (int, error) { return len(p), nil }
