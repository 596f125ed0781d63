package page

import (
	"html"
	"strconv"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"poolvsloop/internal/report"
	"poolvsloop/internal/results"
	"poolvsloop/internal/sweep"
)

// gridOf is a sweep of four cells in a folder, each of which has the example's run.
func gridOf(t *testing.T) *sweep.Sweep {
	t.Helper()
	plan := sweep.Plan{Schema: sweep.PlanSchema, ID: "now-sweep", Started: time.Unix(0, 0).UTC(), Argv: []string{"loadrunner", "sweep"}, Base: []string{"--seed=1"},
		Axes: []sweep.Axis{{Knob: "workers", Values: []string{"10", "40"}}, {Knob: "concurrency", Values: []string{"5", "20"}}}}
	plan.Draw(1)
	journal, err := sweep.Create(t.TempDir(), plan)
	require.NoError(t, err)
	run, err := openExample("run.json")
	require.NoError(t, err)
	for _, c := range plan.Cells() {
		require.NoError(t, journal.Commit(sweep.Entry{Cell: c.Number, Settings: c.Settings}, []results.File{{Name: "run.json", Body: run}}))
	}
	require.NoError(t, journal.Close())
	s, err := sweep.Load(journal.Dir)
	require.NoError(t, err)
	return s
}

// pageOfSweep is the page about a sweep.
func pageOfSweep(t *testing.T, s *sweep.Sweep) string {
	t.Helper()
	files, err := SweepFiles(s)
	require.NoError(t, err)
	require.Equal(t, Name, files[0].Name)
	return string(files[0].Body)
}

func TestThePageOfASweepHasEveryFigure(t *testing.T) {
	s := gridOf(t)
	text := pageOfSweep(t, s)
	parts := report.SweepPartsOf(s)
	require.Len(t, parts.Rows, 4)
	for _, row := range parts.Rows {
		for _, cell := range row {
			require.Contains(t, text, ">"+html.EscapeString(cell)+"<")
		}
	}
	for _, n := range append(parts.Says, parts.Scaling...) {
		require.Contains(t, text, html.EscapeString(n.Text))
	}
	require.Contains(t, text, `<figure id="map-goodput">`)
	require.Contains(t, text, `<figure id="along-2">`)
	require.Less(t, len(text), 100_000)
	require.Equal(t, text, pageOfSweep(t, s), "the same sweep gives the same page")
}

func TestWhatComesFromASweepIsEscaped(t *testing.T) {
	const evil = `"><script>alert(1)</script><img src=x>`
	s := gridOf(t)
	s.ID, s.Argv, s.Base, s.Remarks, s.Servers[0] = evil, []string{evil}, []string{evil}, []string{evil}, evil
	s.Environment.Kernel, s.Environment.Go = evil, evil
	s.Axes[0].Knob, s.Axes[0].Values[0] = evil, evil
	for i := range s.Cells {
		s.Cells[i].Status, s.Cells[i].Reasons = sweep.Failed, []string{evil}
		s.Cells[i].Settings = map[string]string{evil: evil, "concurrency": strconv.Itoa(i)}
	}
	text := pageOfSweep(t, s)
	require.NotContains(t, text, "<script")
	require.NotContains(t, text, "<img")
}

func TestASweepOfNothingHasAPage(t *testing.T) {
	text := pageOfSweep(t, &sweep.Sweep{ID: "now-sweep", Planned: 4})
	require.Contains(t, text, "Nothing was measured yet.")
}
