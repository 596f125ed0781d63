package audit

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// expected is one finding: its severity, its law, and a part of what it is about and of its figures.
type expected struct {
	severity               Severity
	law, subject, figuresA string
}

// restFindings, routerFindings, timingFindings, balancerFindings and serverFindings are what is wrong in five published
// results.
var (
	restFindings = []expected{
		{Doubtful, "promised", "Average Memory Footprint After Full GC (M)", "9 columns"},
		{Doubtful, "little", "JSON to XML transformation HTTP service, Concurrent Users 500, Message Size (Bytes) 10000", "475 in flight, 500 clients"},
		{Doubtful, "errors", "JSON to XML transformation HTTP service, Concurrent Users 500", "99.16 %"},
		{Doubtful, "timeouts", "JSON to XML transformation HTTP service, Concurrent Users 500", "31103 ms"},
		{Doubtful, "load and errors", "JSON to XML transformation HTTP service, Concurrent Users 500", "0 % with 1000"},
		{Doubtful, "timeouts", "JSON to XML transformation HTTPS service, Concurrent Users 100", "a timeout of 30 s in the bucket 29952 to 30079"},
		{Doubtful, "timeouts", "JSON to XML transformation HTTPS service, Concurrent Users 200", "a timeout of 30 s in the bucket 29952 to 30079"},
		{Doubtful, "little", "JSON to XML transformation HTTPS service, Concurrent Users 500", "484 in flight, 500 clients"},
		{Doubtful, "errors", "JSON to XML transformation HTTPS service, Concurrent Users 500", "100 %"},
		{Doubtful, "timeouts", "JSON to XML transformation HTTPS service, Concurrent Users 500", "42495 ms"},
		{Doubtful, "load and errors", "JSON to XML transformation HTTPS service, Concurrent Users 500", "0 % with 1000"},
	}
	routerFindings = []expected{
		{Doubtful, "warm-up", "table of", "901 to 907 s"},
		{Doubtful, "stall", "Concurrent Users 50, Message Size (Bytes) 50B", "mean 15.44 ms, p90 50 ms"},
		{Doubtful, "stall", "Concurrent Users 50, Message Size (Bytes) 1KiB", "mean 15.40 ms, p90 48 ms"},
		{Doubtful, "stall", "Concurrent Users 50, Message Size (Bytes) 10KiB", "mean 18.77 ms, p90 54 ms"},
	}
	timingFindings = []expected{
		{Doubtful, "repeats", "table of", "no column of spread"},
		{Doubtful, "filled", "column Version", "17.0.9+9 to 17.0.9+22"},
	}
	// relayFindings are those of a text of our own.
	relayFindings = []expected{
		{Doubtful, "repeats", "tests run twice", "± 6.35 × the difference"},
		{Doubtful, "pictures", "figures 1, 1.1, 2, 3", "no table"},
		{Doubtful, "one side", "figure 3", "names Calm Relay, and not Brisk Relay"},
	}
	balancerFindings = []expected{
		{Doubtful, "pictures", "figures 1, 1.1, 2, 3", "no table"},
		{Doubtful, "repeats", "tests run twice", "± 6.35 × the difference"},
		{Doubtful, "one side", "figure 3", "names GW-LB, and not Nginx Open Source Version"},
	}
	// serverFindings are those of the reports, without the commands above them.
	serverFindings = []expected{
		{Refuted, "path", "v1/sync", "Document Path: v1/sync"},
		{Doubtful, "pool", "v1/sync, -c 50", "200 workers (line"},
		{Doubtful, "pool", "/v1/async, -c 50", "2 workers (line"},
		{Refuted, "spliced", "/v1/async", "median 2676 ms, 50 % 2502 ms; max 5317 ms, 100 % 5592 ms"},
	}
)

// matches requires exactly the expected findings, in their order.
func matches(t *testing.T, want []expected, got []Finding) {
	t.Helper()
	require.Len(t, got, len(want), "%s", Text([]*Document{{Findings: got}}))
	for i, w := range want {
		require.Equal(t, w.severity, got[i].Severity, "%+v", got[i])
		require.Equal(t, w.law, got[i].Law, "%+v", got[i])
		require.Contains(t, got[i].Subject, w.subject)
		require.Contains(t, got[i].Figures, w.figuresA)
		require.NotEmpty(t, got[i].Off)
		require.True(t, strings.HasSuffix(got[i].Meaning, "."), "a sentence: %s", got[i].Meaning)
		require.Positive(t, got[i].Line)
	}
}

func read(t *testing.T, path string) *Document {
	t.Helper()
	text, err := os.ReadFile(path)
	require.NoError(t, err)
	return Read(path, string(text))
}

func TestFiguresOfPublishedResults(t *testing.T) {
	for file, want := range map[string][]expected{
		"rest-summary.md": restFindings, "two-servers.txt": serverFindings,
		"router-summary.txt": routerFindings, "timings.tsv": timingFindings, "pictures.md": relayFindings,
		"wrk-corrected.txt": {{Doubtful, "little", "-t 2 -c 50", "63.6 in flight, 50 clients"}},
	} {
		t.Run(file, func(t *testing.T) { matches(t, want, read(t, filepath.Join("testdata", file)).Findings) })
	}
}

// published is where the whole texts lie when this tree stands in the folder that it was written in. They are others'
// writing and no part of it.
const published = "../../../shared/seeds"

func TestPublishedResults(t *testing.T) {
	if _, err := os.Stat(published); err != nil {
		t.Skipf("NOT RUN: the published texts themselves are not in %s; only excerpts of their figures were audited", published)
	}
	for pattern, want := range map[string][]expected{
		"000_*": restFindings, "001_*": routerFindings, "002_*": balancerFindings, "003_*": timingFindings,
		"004_*": slices.Insert(slices.Clone(serverFindings), 3,
			expected{Doubtful, "command", "/v1/async, -c 50", "928 bytes a request, 922 those of line"}),
	} {
		t.Run(pattern, func(t *testing.T) {
			files, err := filepath.Glob(filepath.Join(published, pattern))
			require.NoError(t, err)
			require.Len(t, files, 1)
			matches(t, want, read(t, files[0]).Findings)
		})
	}
}

func TestNothingIsFoundInCleanReports(t *testing.T) {
	files, err := filepath.Glob("testdata/clean/*")
	require.NoError(t, err)
	require.NotEmpty(t, files)
	for _, file := range append(files, "../../results/example/threadpool.txt", "../../results/example/eventloop.txt") {
		d := read(t, file)
		require.True(t, d.Recognised(), file)
		require.Empty(t, d.Findings, file)
	}
}

func TestLinesAreThoseOfTheText(t *testing.T) {
	text, err := os.ReadFile("testdata/two-servers.txt")
	require.NoError(t, err)
	lines := strings.Split(string(text), "\n")
	for _, f := range Read("x", string(text)).Findings {
		switch f.Law {
		case "path":
			require.Contains(t, lines[f.Line-1], "Document Path:")
		case "pool":
			require.Contains(t, lines[f.Line-1], "Concurrency Level:")
		case "spliced":
			require.Contains(t, lines[f.Line-1], "50%")
		}
	}
	quoted := "> " + strings.Join(lines, "\n> ")
	require.Equal(t, Read("x", string(text)).Findings, Read("x", quoted).Findings, "a quoted report reads alike")
	require.Equal(t, Read("x", string(text)).Findings, Read("x", strings.Join(lines, "\r\n")).Findings, "and one of Windows")
}

func TestFormats(t *testing.T) {
	all := []*Document{read(t, "testdata/two-servers.txt"), Read("prose|<b>", "nothing here")}
	text := Text(all)
	require.Contains(t, text, "testdata/two-servers.txt:"+fmt.Sprint(all[0].Findings[0].Line)+": refuted: path: ")
	require.Contains(t, text, "read 2 reports of ab, 0 reports of wrk, 0 tables, 0 captions; 2 refuted, 2 doubtful")
	require.Contains(t, Markdown(all), `### prose\|&lt;b>`)
	require.Contains(t, Markdown(all), "| refuted | spliced |")
	printed, err := JSON(all)
	require.NoError(t, err)
	var back []*Document
	require.NoError(t, json.Unmarshal([]byte(printed), &back))
	require.Equal(t, all, back)
	require.Contains(t, printed, `"findings": []`, "no findings are an empty list")
}

// printedByAB are reports that ab printed of every kind of run, clean and failed.
const printedByAB = "../../../shared/ab-samples"

func TestNothingThatABPrintsIsRefuted(t *testing.T) {
	files, err := filepath.Glob(filepath.Join(printedByAB, "*", "stdout"))
	require.NoError(t, err)
	if len(files) == 0 {
		t.Skipf("NOT RUN: no reports of ab in %s; only those in testdata/clean were audited", printedByAB)
	}
	clean := 0
	for _, file := range files {
		d := read(t, file)
		for _, f := range d.Findings {
			require.Contains(t, []string{"failed", "status", "empty"}, f.Law, "%+v", f)
			require.Equal(t, Doubtful, f.Severity, "%+v", f)
		}
		if d.Recognised() && len(d.Findings) == 0 {
			clean++
		}
	}
	require.GreaterOrEqual(t, clean, 10, "the samples have clean reports, too")
}
