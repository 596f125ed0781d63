package page

import (
	"errors"
	"html"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"poolvsloop/internal/report"
	"poolvsloop/internal/results"
)

const example = "../../results/example"

func openExample(name string) ([]byte, error) { return os.ReadFile(filepath.Join(example, name)) }

func readExample(t *testing.T) *results.Run {
	t.Helper()
	run, err := results.Load(example)
	require.NoError(t, err)
	return run
}

// invalid makes of a run one that is not valid.
func invalid(run *results.Run) *results.Run {
	run.Valid, run.InvalidReasons = false, []string{"littles_law: more than all clients waited"}
	for i := range run.Comparison {
		run.Comparison[i].Verdict, run.Comparison[i].Note = "inconclusive", "the run is not valid"
	}
	return run
}

// pageOf is the page about a run that has the logs of the example.
func pageOf(t *testing.T, run *results.Run) string {
	t.Helper()
	files, err := Files(run, openExample)
	require.NoError(t, err)
	require.Equal(t, Name, files[0].Name)
	return string(files[0].Body)
}

func TestThePageHasEveryFigure(t *testing.T) {
	run := readExample(t)
	text := pageOf(t, run)
	parts := report.PartsOf(run)
	for _, r := range parts.Rows {
		for _, cell := range []string{r.Label, r.ThreadPool, r.EventLoop, r.Ratio, r.Interval, r.Verdict, r.Note} {
			require.Contains(t, text, html.EscapeString(cell))
		}
	}
	for _, c := range parts.Checks {
		require.Contains(t, text, c.Name)
	}
	for _, s := range parts.Settings {
		require.Contains(t, text, html.EscapeString(s.Text))
	}
	require.NotContains(t, text, "INVALID")
	require.Contains(t, text, run.ID)
	require.Less(t, len(text), 200_000)
}

func TestThePageHasCosts(t *testing.T) {
	run := readExample(t)
	require.NotContains(t, pageOf(t, run), "idle connection cost", "the example has none")
	run.Cost = &results.Cost{
		RateRPS: 470, Targets: []results.CostTarget{{Name: "threadpool"}, {Name: "eventloop"}},
		Requests:    []results.Comparison{{Metric: "syscalls_per_request", ThreadPool: 41.25, EventLoop: 22.75, Verdict: "eventloop"}},
		NotMeasured: []results.NotMeasured{{What: "memory of an idle connection", Why: "the run ended before"}},
	}
	text := pageOf(t, run)
	for _, part := range []string{"both servers at 470 requests/s", "41.25", "22.75", "Not measured: memory of an idle connection"} {
		require.Contains(t, text, part)
	}
}

func TestTheSameRunGivesTheSamePage(t *testing.T) {
	first := pageOf(t, readExample(t))
	for range 2 {
		require.Equal(t, first, pageOf(t, readExample(t)))
	}
}

func TestAnInvalidRunIsLoud(t *testing.T) {
	text := pageOf(t, invalid(readExample(t)))
	banner, question := strings.Index(text, "INVALID: these figures decide nothing."), strings.Index(text, "<h1>")
	require.Positive(t, banner)
	require.Less(t, banner, question, "it stands above everything else")
	require.Contains(t, text, "littles_law: more than all clients waited")
	require.Contains(t, text, "No winner is named.")
	require.NotContains(t, text, "is faster")
}

// TestWhatComesFromFilesIsEscaped puts markup into every text of run.json that the page shows.
func TestWhatComesFromFilesIsEscaped(t *testing.T) {
	const evil = `"><script>alert(1)</script><img src=http://example.com/x onerror=alert(2)>`
	run := invalid(readExample(t))
	run.ID, run.Why, run.Next, run.Config.Name, run.Config.LatencyA = evil, evil, "`"+evil+"`", evil, evil
	run.Argv, run.InvalidReasons = []string{evil}, []string{evil}
	run.Environment.Host, run.Environment.Kernel, run.Environment.Go, run.Environment.Redis.Kind = evil, evil, evil, evil
	run.Environment.Versions = map[string]string{evil: evil}
	for i := range run.Targets {
		run.Targets[i].ServerConfig["workers"], run.Targets[i].ServerConfig["mistake"] = evil, evil
		run.Targets[i].AB.ServerSoftware = evil
	}
	for i := range run.Comparison {
		r := &run.Comparison[i]
		r.Metric, r.Unit, r.Verdict, r.Note = evil, evil, evil, evil
	}
	for i := range run.Explanations {
		e := &run.Explanations[i]
		e.Bottleneck, e.Change = evil, evil
		e.Resources[0].Name, e.Resources[0].Note, e.Resources[0].Unit = evil, evil, evil
	}
	for i := range run.Predictions {
		p := &run.Predictions[i]
		p.Model, p.Weak, p.Bounds[0].Means, p.Laws[0].Name = evil, []string{evil}, evil, evil
	}
	for i := range run.Checks {
		c := &run.Checks[i]
		c.Name, c.Status, c.Unit, c.Detail = evil, evil, evil, evil
	}
	text := pageOf(t, run)
	require.NotContains(t, text, "<script")
	require.NotContains(t, text, "<img")
	require.Greater(t, strings.Count(text, "&lt;script&gt;"), 20, "it is there, as text")
}

func TestRunsFindCommandsAndFlags(t *testing.T) {
	for text, want := range map[string][]run{
		"take --rounds 10, or more":       {{"take ", false}, {"--rounds 10", true}, {", or more", false}},
		"send more: -c 100.":              {{"send more: ", false}, {"-c 100", true}, {".", false}},
		"end-to-end, 3 - 2, -5 ms":        {{"end-to-end, 3 - 2, -5 ms", false}},
		"`go run ./x -c 5` shows `-v` it": {{"go run ./x -c 5", true}, {" shows ", false}, {"-v", true}, {" it", false}},
		"":                                nil,
	} {
		require.Equal(t, want, runs(text), text)
	}
}

func TestFilesSaysWhatItCannotRead(t *testing.T) {
	_, err := Files(readExample(t), func(string) ([]byte, error) { return nil, errors.New("broken disk") })
	require.ErrorContains(t, err, "broken disk")
	files, err := Files(readExample(t), func(string) ([]byte, error) { return nil, os.ErrNotExist })
	require.NoError(t, err, "a log that is not there leaves its pictures out")
	require.Contains(t, string(files[0].Body), "No picture “Response time by percentile”: there are no response times of both servers.")
}
