package results

import (
	"bytes"
	"io/fs"
	"os"
	"path/filepath"
	"testing"
	"time"

	hdr "github.com/HdrHistogram/hdrhistogram-go"
	"github.com/stretchr/testify/require"
	"golang.org/x/perf/benchfmt"
)

func TestBenchIsReadableAndInTheOrderOfMeasuring(t *testing.T) {
	run := example()
	var text bytes.Buffer
	require.NoError(t, WriteBench(&text, run))

	reader := benchfmt.NewReader(&text, "bench.txt")
	var names []string
	var throughput []float64
	for reader.Scan() {
		switch record := reader.Result().(type) {
		case *benchfmt.SyntaxError:
			t.Fatal(record)
		case *benchfmt.Result:
			names = append(names, record.Name.String())
			v, ok := record.Value("req/s")
			require.True(t, ok)
			throughput = append(throughput, v)
			require.Equal(t, run.ID, record.GetConfig("run"))
			require.Equal(t, 100, record.Iters)
			require.Len(t, record.Values, len(Metrics))
		}
	}
	require.NoError(t, reader.Err())
	pool, loop := "Compare/server=threadpool", "Compare/server=eventloop"
	require.Equal(t, []string{pool, loop, loop, pool}, names)
	require.Equal(t, []float64{200, 202, 203, 201}, throughput)
	for _, m := range Metrics {
		require.Equal(t, map[string]int{Higher: 1, Lower: -1}[m.Better], reader.Units().GetBetter(m.Bench), m.Bench)
	}
}

func TestHistogramLogIsReadable(t *testing.T) {
	start := time.Date(2026, 1, 2, 3, 4, 5, 678e6, time.UTC)
	var intervals []Interval
	for i, tag := range []string{"round-1", "round-2"} {
		times := hdr.New(1, time.Minute.Microseconds(), 3)
		for n := range 1000 {
			require.NoError(t, times.RecordValue(int64(n*(i+1))))
		}
		from := start.Add(time.Duration(i) * 10 * time.Second)
		intervals = append(intervals, Interval{Tag: tag, Start: from, End: from.Add(5 * time.Second), Times: times})
	}
	var text bytes.Buffer
	require.NoError(t, WriteHistogramLog(&text, intervals))

	reader := hdr.NewHistogramLogReader(&text)
	for _, want := range intervals {
		got, err := reader.NextIntervalHistogram()
		require.NoError(t, err)
		require.Equal(t, want.Tag, got.Tag())
		require.Equal(t, want.Times.TotalCount(), got.TotalCount())
		require.Equal(t, want.Times.ValueAtPercentile(99), got.ValueAtPercentile(99))
		require.InDelta(t, want.Start.UnixMilli(), got.StartTimeMs(), 1)
		require.InDelta(t, want.End.UnixMilli(), got.EndTimeMs(), 1)
	}
	more, err := reader.NextIntervalHistogram()
	require.NoError(t, err)
	require.Nil(t, more)
}

func TestSaveIsWholeOrNothing(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "not", "there", "yet")
	id := ID(time.Date(2026, 1, 2, 3, 4, 5, 0, time.FixedZone("", 3600)), "first")
	require.Equal(t, "20260102T020405.000Z-first", id)
	require.NotEqual(t, id, ID(time.Date(2026, 1, 2, 2, 4, 5, 7e6, time.UTC), "first"), "started in the same second")

	path, err := Save(dir, id, []File{{"run.json", []byte("{}")}, {"compare.txt", []byte("tie")}})
	require.NoError(t, err)
	text, err := os.ReadFile(filepath.Join(path, "compare.txt"))
	require.NoError(t, err)
	require.Equal(t, "tie", string(text))

	_, err = Save(dir, id, []File{{"run.json", []byte("another")}})
	require.ErrorIs(t, err, fs.ErrExist)
	text, err = os.ReadFile(filepath.Join(path, "run.json"))
	require.NoError(t, err)
	require.Equal(t, "{}", string(text), "an older run is not touched")

	_, err = Save(dir, "second", []File{{"no/such/folder", nil}})
	require.Error(t, err)
	entries, err := os.ReadDir(dir)
	require.NoError(t, err)
	require.Len(t, entries, 1, "nothing half-written stays")
}

func TestReplace(t *testing.T) {
	dir := t.TempDir()
	require.NoError(t, os.WriteFile(filepath.Join(dir, "report.html"), []byte("older and longer"), 0o600))
	require.NoError(t, Replace(dir, []File{{"report.html", []byte("new")}, {"ratios.svg", []byte("<svg/>")}}))
	text, err := os.ReadFile(filepath.Join(dir, "report.html"))
	require.NoError(t, err)
	require.Equal(t, "new", string(text))
	err = Replace(dir, []File{{"no/such/folder", nil}})
	require.ErrorContains(t, err, "no/such/folder")
	entries, err := os.ReadDir(dir)
	require.NoError(t, err)
	require.Len(t, entries, 2, "nothing half-written stays")
}
