package abreport

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// golden is a report of the real ab, taken apart into what it was made of.
type golden struct {
	t      *testing.T
	body   string
	values map[string][]string
	rows   map[string][]float64
	served map[int64]int64 // permille → ms
}

var (
	labelled = regexp.MustCompile(`^([A-Z][^:]*):\s+(\S.*)$`)
	unnamed  = regexp.MustCompile(`^ {24}(\S.*)$`)
	timesRow = regexp.MustCompile(`^(Connect|Processing|Waiting|Total):( +\d.*)$`)
	share    = regexp.MustCompile(`^ +(\d+)% +(\d+)`)
	classes  = regexp.MustCompile(`Connect: (\d+), Receive: (\d+), Length: (\d+), Exceptions: (\d+)`)
)

func readGolden(t *testing.T, file string) *golden {
	t.Helper()
	text, err := os.ReadFile(file)
	require.NoError(t, err)
	_, body, ok := strings.Cut(string(text), "\n\nServer Software:")
	require.True(t, ok)
	g := &golden{t: t, body: "\n\nServer Software:" + body,
		values: map[string][]string{}, rows: map[string][]float64{}, served: map[int64]int64{}}
	for _, line := range strings.Split(g.body, "\n") {
		if m := timesRow.FindStringSubmatch(line); m != nil {
			for _, field := range strings.Fields(m[2]) {
				x, err := strconv.ParseFloat(field, 64)
				require.NoError(t, err)
				g.rows[m[1]] = append(g.rows[m[1]], x)
			}
		} else if m := labelled.FindStringSubmatch(line); m != nil {
			g.values[m[1]] = append(g.values[m[1]], m[2])
		} else if m := unnamed.FindStringSubmatch(line); m != nil {
			g.values[""] = append(g.values[""], m[1])
		} else if m := share.FindStringSubmatch(line); m != nil {
			percent, _ := strconv.ParseInt(m[1], 10, 64)
			g.served[percent*10], _ = strconv.ParseInt(m[2], 10, 64)
		}
	}
	return g
}

// text is the value of a label, number its leading number; both are zero when the label is not there.
func (g *golden) text(label string) string {
	if v := g.values[label]; len(v) > 0 {
		return v[0]
	}
	return ""
}

func (g *golden) number(label string) float64 {
	fields := strings.Fields(g.text(label))
	if len(fields) == 0 {
		return 0
	}
	x, err := strconv.ParseFloat(fields[0], 64)
	require.NoError(g.t, err, label)
	return x
}

// series makes one with the figures of a row. Its times are the shares that the report shows, or else its median.
func (g *golden) series(name string, n int) Series {
	row := g.rows[name]
	if len(row) == 0 || n == 0 {
		return Series{}
	}
	if len(row) == 3 { // -S: min avg max
		row = []float64{row[0], row[1], 0, row[1], row[2]}
	}
	us := func(i int) int64 { return int64(row[i] * 1000) }
	s := Series{n: int64(n), min: us(0), max: us(4), sum: us(1) * int64(n), squares: row[2] * row[2] * 1e6 * float64(n-1)}
	middle := us(3)
	if n == 3 { // ab's median of three is the mean of the second and the longest
		middle = 2*us(3) - us(4)
	}
	s.sorted = make([]int64, n)
	for i := range s.sorted {
		s.sorted[i] = middle
	}
	if name == "Total" {
		for _, p := range percentiles {
			if ms, ok := g.served[p.permille]; ok {
				for i := min(s.n*p.permille/1000, s.n-1); i < s.n; i++ {
					s.sorted[i] = ms * 1000
				}
			}
		}
	}
	return s
}

// report is the report with everything but the exact time taken, of which the text only shows milliseconds.
func (g *golden) report() *Report {
	n := int(g.number("Complete requests"))
	r := &Report{
		ServerSoftware: g.text("Server Software"), Host: g.text("Server Hostname"), Port: int(g.number("Server Port")),
		Path: g.text("Document Path"), Concurrency: int(g.number("Concurrency Level")), Complete: n,
		WriteErrors: int(g.number("Write errors")), Non2xx: int(g.number("Non-2xx responses")),
		KeepAliveRequests: int(g.number("Keep-Alive requests")), KeepAlive: g.text("Keep-Alive requests") != "",
		TotalRead: int64(g.number("Total transferred")), HTMLRead: int64(g.number("HTML transferred")),
		TotalSent: int64(g.number("Total body sent")), WithBody: g.text("Total body sent") != "",
		NoConfidence: len(g.rows["Total"]) == 3, NoPercentiles: len(g.served) == 0, Median: AsAB,
		Connect: g.series("Connect", n), Processing: g.series("Processing", n),
		Waiting: g.series("Waiting", n), Total: g.series("Total", n),
	}
	if r.VariableLength = g.text("Document Length") == "Variable"; !r.VariableLength {
		r.Length = int(g.number("Document Length"))
	}
	if m := classes.FindStringSubmatch(g.body); m != nil {
		_, err := fmt.Sscan(strings.Join(m[1:], " "),
			&r.Failed.Connect, &r.Failed.Receive, &r.Failed.Length, &r.Failed.Exceptions)
		require.NoError(g.t, err)
	}
	if protocol := g.text("SSL/TLS Protocol"); protocol != "" {
		r.TLS = &TLS{Protocol: protocol, TempKey: g.text("Server Temp Key"), ServerName: g.text("TLS Server Name")}
	}
	return r
}

// TestWriteReproducesAB takes the reports of the real ab apart and writes them again. Among the times that round to
// the printed one there must be one for which every rate comes out as printed too.
func TestWriteReproducesAB(t *testing.T) {
	files, err := filepath.Glob("testdata/*.txt")
	require.NoError(t, err)
	require.Greater(t, len(files), 20)
	for _, file := range files {
		t.Run(strings.TrimSuffix(filepath.Base(file), ".txt"), func(t *testing.T) {
			g := readGolden(t, file)
			r := g.report()
			printed := time.Duration(g.number("Time taken for tests")*1000+0.5) * time.Millisecond
			var got string
			for off := -500 * time.Microsecond; off <= 500*time.Microsecond; off += time.Microsecond {
				r.Elapsed = printed + off
				var b strings.Builder
				require.NoError(t, Write(&b, r))
				if got = b.String(); got == g.body {
					return
				}
			}
			r.Elapsed = printed
			var b strings.Builder
			require.NoError(t, Write(&b, r))
			require.Equal(t, g.body, b.String())
		})
	}
}

// TestStatisticsOfAB computes a table of the real ab from the times it wrote down: the totals to the microsecond (of
// 100 requests, row k of its -e file is request k in order of time), the rest in milliseconds.
func TestStatisticsOfAB(t *testing.T) {
	g := readGolden(t, "testdata/csv-gnuplot.txt")
	var total []int64
	for _, row := range readRows(t, "testdata/csv-gnuplot.csv", ",")[:100] {
		x, err := strconv.ParseFloat(row[1], 64)
		require.NoError(t, err)
		total = append(total, int64(x*1000+0.5))
	}
	var connect, processing, waiting []int64
	for _, row := range readRows(t, "testdata/csv-gnuplot.tsv", "\t") {
		for i, into := range []*[]int64{&connect, &processing, nil, &waiting} {
			if into != nil {
				x, err := strconv.ParseInt(row[2+i], 10, 64)
				require.NoError(t, err)
				*into = append(*into, x*1000)
			}
		}
	}
	r := &Report{Complete: 100, Median: AsAB, Total: Exact(total),
		Connect: Exact(connect), Processing: Exact(processing), Waiting: Exact(waiting)}
	var b strings.Builder
	require.NoError(t, Write(&b, r))
	_, want, _ := strings.Cut(g.body, "\nTotal:   ")
	_, got, _ := strings.Cut(b.String(), "\nTotal:   ")
	require.Equal(t, want, got, "row Total and everything below")
	f := r.Figures()
	for name, row := range map[string]Row{"Connect": f.Connect, "Processing": f.Processing, "Waiting": f.Waiting} {
		require.Equal(t, g.rows[name][0], float64(ms(row.Min)), name)
		require.Equal(t, g.rows[name][3], float64(ms(row.Median)), name)
		require.Equal(t, g.rows[name][4], float64(ms(row.Max)), name)
	}
}

// readRows reads a table and drops its header.
func readRows(t *testing.T, file, separator string) (rows [][]string) {
	t.Helper()
	text, err := os.ReadFile(file)
	require.NoError(t, err)
	for _, line := range strings.Split(strings.TrimSpace(string(text)), "\n")[1:] {
		rows = append(rows, strings.Split(line, separator))
	}
	return rows
}
