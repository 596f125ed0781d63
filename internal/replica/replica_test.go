package replica

import (
	"bytes"
	"encoding/csv"
	"io/fs"
	"math"
	"strconv"
	"strings"
	"testing"
	"testing/fstest"
	"time"

	hdr "github.com/HdrHistogram/hdrhistogram-go"
	"github.com/spf13/pflag"
	"github.com/stretchr/testify/require"

	"poolvsloop/internal/abreport"
	"poolvsloop/internal/audit"
	"poolvsloop/internal/compare"
	"poolvsloop/internal/results"
	"poolvsloop/internal/sweep"
)

// of are the figures of a closed loop without think time, of shifted exponential response times, in rounds of 1.5 s.
func of(clients int) results.Figures {
	base, scale := 20+0.2*float64(clients), 5+0.05*float64(clients)
	mean, rounds := base+scale, 4.0
	duration := rounds * (1.5 + mean/1e3)
	n := int(rounds * 1500 * float64(clients) / mean * (1 + mean/1500))
	q := func(p float64) float64 { return base - scale*math.Log(1-p) }
	return results.Figures{
		Requests: n, Sent: n, Completed: n, DurationS: duration, ThroughputRPS: float64(n) / duration, GoodputRPS: float64(n) / duration,
		MeanMS: mean, SDMS: scale, MinMS: base, P50MS: q(0.5), P66MS: q(0.66), P75MS: q(0.75), P80MS: q(0.8), P90MS: q(0.9), P95MS: q(0.95),
		P98MS: q(0.98), P99MS: q(0.99), P999MS: q(0.999), MaxMS: q(1 - 0.5/float64(n)), ServerRSSBytes: 30 << 20,
	}
}

// measured is a sweep of a replica's grid; its cell of that number is not valid.
func measured(t *testing.T, r *Replica, invalid int) (*sweep.Sweep, fs.FS) {
	t.Helper()
	plan := sweep.Plan{Axes: r.Axes(0)}
	s := &sweep.Sweep{Servers: []string{"threadpool", "eventloop"}, Like: r.Name, Scale: r.Scale}
	s.Environment.Go = "go1.26.8"
	files := fstest.MapFS{}
	for _, cell := range plan.Cells() {
		c := sweep.CellResult{Entry: sweep.Entry{Cell: cell.Number, Settings: cell.Settings}, Folder: cell.Name(), Status: sweep.Valid}
		if cell.Number == invalid {
			c.Status, c.Reasons = sweep.Invalid, []string{"closed_books: lost one"}
		}
		clients, _ := strconv.Atoi(cell.Settings[users])
		f := of(max(1, clients))
		c.Run = &results.Run{Config: results.Config{
			Concurrency: clients, Rounds: r.Rounds, Warmup: results.Seconds(6 * time.Second), Duration: results.Seconds(1500 * time.Millisecond),
			LatencyA: "0s", LatencyB: "0s", HitRatio: 0.9,
		}}
		for _, name := range s.Servers {
			c.Run.Targets = append(c.Run.Targets, results.Target{
				Name: name, Total: f, Rounds: []results.Figures{f, f, f, f},
				AB: &abreport.Summary{TotalRead: int64(f.Sent) * 760, TotalSent: int64(f.Sent) * 413},
			})
			files[cell.Name()+"/"+name+"-response.hlog"] = &fstest.MapFile{Data: logOf(t, f)}
		}
		s.Cells = append(s.Cells, c)
	}
	return s, files
}

// logOf is a histogram log of two rounds with 101 times from the least to the longest.
func logOf(t *testing.T, f results.Figures) []byte {
	t.Helper()
	var rounds []results.Interval
	for range 2 {
		times := hdr.New(1, int64(time.Minute/time.Microsecond), 3)
		for p := range 101 {
			require.NoError(t, times.RecordValue(int64(1e3*(f.MinMS+float64(p)/100*(f.MaxMS-f.MinMS)))))
		}
		rounds = append(rounds, results.Interval{Tag: "round", Start: time.Unix(1, 0), End: time.Unix(2, 0), Times: times})
	}
	var log bytes.Buffer
	require.NoError(t, results.WriteHistogramLog(&log, rounds))
	return log.Bytes()
}

// example is a sweep of one cell: the committed example run, which is one like sync-vs-async.
func example(t *testing.T) *sweep.Sweep {
	t.Helper()
	run, err := results.Load("../../results/example")
	require.NoError(t, err)
	return &sweep.Sweep{
		Servers: []string{"threadpool", "eventloop"}, Like: syncVsAsync.Name, Scale: 1,
		Cells: []sweep.CellResult{{Entry: sweep.Entry{Cell: 1}, Folder: "cell-0001", Status: sweep.Valid, Run: run}},
	}
}

// TestAuditFindsNothing feeds what is printed to the laws of an audit.
func TestAuditFindsNothing(t *testing.T) {
	for _, r := range all {
		t.Run(r.Name, func(t *testing.T) {
			s, files := measured(t, r, 0)
			if r == syncVsAsync {
				s = example(t)
			}
			text, err := r.Markdown(s, files)
			require.NoError(t, err)
			d := audit.Read(r.Name, text)
			require.Empty(t, d.Findings)
			require.Contains(t, text, "find nothing against these tables")
			if r != gwlb { // its files have one figure a row, and no law holds for one figure
				require.True(t, d.Recognised(), text)
			}
			table, err := r.CSV(s, files)
			require.NoError(t, err)
			for _, f := range audit.Read(r.Name, table).Findings {
				require.Equal(t, "warm-up", f.Law, "a table alone states none")
			}
		})
	}
}

// A wrong figure in a table does not pass: the self-check is one.
func TestSelfCheckFinds(t *testing.T) {
	for name, spoil := range map[string]func(*results.Figures){
		"little": func(f *results.Figures) { f.MeanMS *= 1.1 },
		"order":  func(f *results.Figures) { f.P95MS = 1.2 * f.P99MS },
	} {
		t.Run(name, func(t *testing.T) {
			s, files := measured(t, choreo, 0)
			spoil(&s.Cells[3].Run.Targets[0].Total)
			text, err := choreo.Markdown(s, files)
			require.NoError(t, err)
			require.True(t, strings.Contains(text, "say against these tables"))
			require.True(t, strings.Contains(text, ", "+name+" ("))
		})
	}
}

func TestColumns(t *testing.T) {
	require.Len(t, ballerinaHead, 24)
	require.Equal(t, "Concurrent Users Message Size (Bytes) Total requests Average Response Time (ms) Throughput (Requests/sec) Error % Error Count "+
		"Little's law verification 90th Percentile of Response Time (ms) 95th Percentile of Response Time (ms) 99th Percentile of Response Time (ms)",
		strings.Join(choreoHead, " "))
	require.Equal(t, "Language,Version,Arch,Tech,Stream,GZIP,Type,Time taken (seconds),Memory taken (MiB)", strings.Join(restTestHead, ","))
}

func TestTablesAreRectangular(t *testing.T) {
	for _, r := range all {
		t.Run(r.Name, func(t *testing.T) {
			s, files := measured(t, r, 2)
			tables, err := r.Tables(s, files)
			require.NoError(t, err)
			require.NotEmpty(t, tables)
			for _, table := range tables {
				for _, row := range table.Rows {
					require.Len(t, row, len(table.Head), table.File)
				}
				body, err := table.CSV()
				require.NoError(t, err)
				if len(table.Head) > 0 {
					rows, err := csv.NewReader(bytes.NewReader(body)).ReadAll()
					require.NoError(t, err)
					require.Len(t, rows, 1+len(table.Rows))
				}
			}
		})
	}
}

func TestARowThatIsNotValidHasNoFigures(t *testing.T) {
	s, files := measured(t, choreo, 5)
	tables, err := choreo.Tables(s, files)
	require.NoError(t, err)
	for _, table := range tables {
		require.Equal(t, []string{"500", "71B", "INVALID"}, table.Rows[4][:3])
		for _, cell := range table.Rows[4][2:] {
			require.Equal(t, "INVALID", cell)
		}
		require.NotEqual(t, "INVALID", table.Rows[3][2])
		require.Equal(t, []string{"not yet", "50B", "not yet"}, table.Rows[len(table.Rows)-1][:3])
	}
}

func TestPercentilesOfGwlb(t *testing.T) {
	s, files := measured(t, gwlb, 0)
	tables, err := gwlb.Tables(s, files)
	require.NoError(t, err)
	require.Len(t, tables, 6)
	row := tables[2].Rows[0]
	require.Equal(t, "500", row[0])
	first, err := strconv.ParseFloat(row[1], 64)
	require.NoError(t, err)
	last, err := strconv.ParseFloat(row[101], 64)
	require.NoError(t, err)
	require.InEpsilon(t, s.Cells[0].Run.Targets[0].Total.MinMS, first, 0.002)
	require.InEpsilon(t, s.Cells[0].Run.Targets[0].Total.MaxMS, last, 0.002)
	_, err = gwlb.Tables(s, fstest.MapFS{})
	require.ErrorIs(t, err, fs.ErrNotExist)
}

// TestFlagsAreOfCompare: what a replica sets, the comparison takes, at any scale and in each cell.
func TestFlagsAreOfCompare(t *testing.T) {
	for _, r := range all {
		for _, scale := range []float64{0.0001, r.Scale, 1} {
			plan := sweep.Plan{Axes: r.Axes(0)}
			for _, cell := range plan.Cells() {
				var c results.Config
				flags := pflag.NewFlagSet("test", pflag.ContinueOnError)
				compare.Bind(flags, &c)
				for _, f := range r.Flags(scale, r.Rounds) {
					require.NoError(t, flags.Set(f.Name, f.Value), r.Name)
				}
				for knob, value := range cell.Settings {
					require.NoError(t, flags.Set(knob, value), r.Name)
				}
				require.NoError(t, compare.Resolve(flags, &c), "%s at %g", r.Name, scale)
			}
		}
	}
}

func TestAxes(t *testing.T) {
	axes := ballerina.Axes(250)
	require.Equal(t, []string{"100", "200"}, axes[0].Values)
	require.Len(t, axes[1].Values, 3)
	require.Len(t, ballerina.Axes(0)[0].Values, 4, "the grid itself is as it was")
	require.Empty(t, restTest.Axes(0))
}

func TestNothingMeasured(t *testing.T) {
	_, err := choreo.Markdown(&sweep.Sweep{}, fstest.MapFS{})
	require.ErrorContains(t, err, "nothing is measured yet")
	require.Nil(t, Find("nginx"))
	require.Equal(t, choreo, Find("choreo"))
}
