package preset

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

	"poolvsloop/internal/results"
)

// series makes one of outcomes that nobody measured.
func series(t *testing.T, out io.Writer) *Series {
	t.Helper()
	s, err := NewSeries(Options{Quick: true, Results: t.TempDir(), Out: out, Progress: io.Discard})
	require.NoError(t, err)
	known := Judged{Says: "N/S | a law", Found: "198", Wanted: "200 ± 10 %", Value: 198, Is: 200, WithinPercent: 10, DeviationPercent: -1, Passed: true}
	bound := Judged{Says: "below", Found: "3", Wanted: "below 5", Is: results.Unknown, DeviationPercent: results.Unknown, Passed: true}
	missed := bound
	missed.Found, missed.Passed = "7", false
	for name, o := range map[string]*Outcome{
		"good":   {Verdict: Passed, Expectations: []Judged{bound, known}},
		"bad":    {Verdict: Failed, Expectations: []Judged{known, missed}},
		"busy":   {Verdict: Busy, Expectations: []Judged{bound}, Steps: []StepOutcome{{OtherLoadPercent: 12}, {OtherLoadPercent: 81.5}}},
		"broken": {Verdict: Broken, Error: "bring up the lab: no"},
	} {
		o.Preset, o.TookS, o.preset = name, 5, &Preset{Name: name, Title: "Title of " + name}
		s.outcomes = append(s.outcomes, o)
	}
	return s
}

// TestSeriesCloses: the table, the error, and what is left behind.
func TestSeriesCloses(t *testing.T) {
	var out bytes.Buffer
	s := series(t, &out)
	require.EqualError(t, s.Close(), "failed: bad; INVALID, machine busy: busy; could not be run: broken")
	lines := map[string]string{}
	for _, line := range strings.Split(out.String(), "\n") {
		name, rest, _ := strings.Cut(line, " ")
		lines[name] = strings.Join(strings.Fields(rest), " ")
	}
	require.Equal(t, "passed 2 of 2 5 s - 200 ± 10 % 198", lines["good"], "the figure that theory knows stands for all")
	require.Equal(t, "failed 1 of 2 5 s - below 5 7", lines["bad"], "one that failed comes first")
	require.Equal(t, "INVALID, machine busy 1 of 1 5 s 82 % below 5 3", lines["busy"])
	require.Equal(t, "could not be run 0 of 0 5 s -", lines["broken"])
	require.Contains(t, out.String(), "1 of 4 passed")

	table, err := os.ReadFile(filepath.Join(s.folder, SummaryTable))
	require.NoError(t, err)
	for _, text := range []string{`| N/S \| a law | 200 ± 10 % | 198 | -1.0 % | passed |`, "| bring up the lab: no |", "| FAILED |", "--quick"} {
		require.Contains(t, string(table), text)
	}
	text, err := os.ReadFile(filepath.Join(s.folder, SummaryDocument))
	require.NoError(t, err)
	var again Summary
	require.NoError(t, json.Unmarshal(text, &again))
	require.Equal(t, SummarySchema, again.Schema)
	require.Len(t, again.Presets, 4)
}

// TestSeriesGoesOn: a preset that cannot be run ends nothing, an interruption does.
func TestSeriesGoesOn(t *testing.T) {
	s, err := NewSeries(Options{Results: t.TempDir(), Out: io.Discard, Progress: io.Discard})
	require.NoError(t, err)
	p := &Preset{Name: "it", Title: "It"}
	require.NoError(t, os.WriteFile(filepath.Join(s.folder, p.Name), nil, 0o600), "its folder cannot be made")
	require.NoError(t, s.Run(t.Context(), p, nil))
	require.Equal(t, Broken, s.outcomes[0].Verdict)
	require.ErrorContains(t, s.outcomes[0].Err(), "folder of the preset")

	ctx, interrupt := context.WithCancel(t.Context())
	interrupt()
	require.Error(t, s.Run(ctx, p, nil))
	require.Len(t, s.outcomes, 1)
}
