package audit

import (
	"bytes"
	"fmt"
	"maps"
	"math"
	"slices"
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"

	"poolvsloop/internal/abreport"
)

// kinds are ten more reports than those in [reports], each of another kind, of simulated runs.
var kinds = map[string]func(*rapid.T) string{
	"ab, posts over connections that stay": abPosts,
	"ab -S -d":                             abBare,
	"two reports of ab in Markdown":        abInMarkdown,
	"wrk without percentiles":              wrkShort,
	"wrk, slow answers, in seconds":        wrkInSeconds,
	"JMeter's aggregate report":            aggregateReport,
	"JMeter, two digits, as WSO2":          twoDigitTable,
	"JMeter, in blanks, with Little's law": blankTable,
	"timings, each of them twice":          timingsTwice,
	"a table and captions":                 tableAndCaptions,
}

// Each kind is drawn about ten times.
func TestTenMoreKindsOfCleanReportsGiveNoFinding(t *testing.T) {
	names := slices.Sorted(maps.Keys(kinds))
	rapid.Check(t, func(t *rapid.T) {
		name := rapid.SampledFrom(names).Draw(t, "kind")
		text := kinds[name](t)
		if d := Read(name, text); !d.Recognised() || len(d.Findings) > 0 {
			t.Fatalf("%s\n%s", Text([]*Document{d}), text)
		}
	})
}

func draw(t *rapid.T) simulated {
	return simulate(t, rapid.IntRange(1, 16).Draw(t, "clients"), 5_000_000)
}

// report is one of ab, of requests to a path, with that many bytes sent for each.
func (s simulated) report(path string, each int) *abreport.Report {
	n := len(s.total)
	processing := make([]int64, n)
	for i := range processing {
		processing[i] = s.total[i] - s.connect[i]
	}
	return &abreport.Report{
		Host: "127.0.0.1", Port: 80, Path: path, Length: 300, Concurrency: s.clients, Complete: n, WithBody: each > 0,
		Elapsed: time.Duration(s.elapsed) * time.Microsecond, TotalRead: int64(n) * 410, HTMLRead: int64(n) * 300, TotalSent: int64(n) * int64(each),
		Connect: abreport.Exact(slices.Clone(s.connect)), Waiting: abreport.Exact(slices.Clone(processing)),
		Processing: abreport.Exact(processing), Total: abreport.Exact(slices.Clone(s.total)),
	}
}

func printed(t *rapid.T, r *abreport.Report) string {
	var b bytes.Buffer
	if err := abreport.Write(&b, r); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

func abPosts(t *rapid.T) string {
	s := draw(t)
	r := s.report("/v1/orders", 700)
	r.KeepAlive, r.KeepAliveRequests, r.VariableLength = true, r.Complete, true
	return printed(t, r)
}

func abBare(t *rapid.T) string {
	r := draw(t).report("/", 0)
	r.NoConfidence, r.NoPercentiles = true, true
	return printed(t, r)
}

// abInMarkdown is of a pool of as many workers as half of the clients, which are of no account to the requests' bytes.
func abInMarkdown(t *rapid.T) string {
	text := "# Two paths\n\nEach test was run ten times; these are the medians.\n"
	for i, path := range []string{"/v1/a", "/v1/longer"} {
		s := simulate(t, 2*rapid.IntRange(1, 8).Draw(t, "half"), 5_000_000)
		each := 500 + len(path)
		text += fmt.Sprintf("\n## Path %d\n\n```\n$ ab -n %d -c %d -p order.json http://127.0.0.1/%s\n%s```\n", i, len(s.total), s.clients,
			strings.TrimPrefix(path, "/"), printed(t, s.report(path, each)))
	}
	return text
}

func wrkShort(t *rapid.T) string {
	text := draw(t).wrk(t)
	before, behind, _ := strings.Cut(text, "  Latency Distribution")
	_, behind, _ = strings.Cut(behind, "     99%")
	_, behind, _ = strings.Cut(behind, "\n")
	return before + behind
}

// wrkInSeconds is of answers a hundred times as slow.
func wrkInSeconds(t *rapid.T) string {
	s := draw(t)
	for i := range s.total {
		s.total[i] *= 100
	}
	s.elapsed *= 100
	x, taken := s.summary(), float64(s.elapsed)/1e6
	in := func(ms float64) string { return fmt.Sprintf("%.2fs", ms/1000) }
	return fmt.Sprintf("Running 8m test @ http://127.0.0.1/slow\n  1 threads and %d connections\n  Thread Stats   Avg      Stdev     Max   +/- Stdev\n"+
		"    Latency   %s  %s  %s   70.00%%\n  Latency Distribution\n     50%%  %s\n     99%%  %s\n  %d requests in %.2fm, %.2fKB read\nRequests/sec:  %.2f\n",
		s.clients, in(x.mean), in(x.sd), in(x.max), in(x.at(0.5)), in(x.at(0.99)), x.n, taken/60, float64(x.n)*618/1024, x.rate)
}

// aggregateReport is JMeter's listener of that name: a row for each label, and the sum of all.
func aggregateReport(t *rapid.T) string {
	var b strings.Builder
	b.WriteString("Label,# Samples,Average,Median,90% Line,95% Line,99% Line,Min,Max,Error %,Throughput,Received KB/sec,Std. Dev.\n")
	sum := simulated{clients: 1}
	row := func(label string, s simulated) {
		x := s.summary()
		fmt.Fprintf(&b, "%s,%d,%.0f,%.0f,%.0f,%.0f,%.0f,%.0f,%.0f,0.000%%,%.5f,%.2f,%.2f\n", label, x.n, x.mean, x.at(0.5), x.at(0.9), x.at(0.95),
			x.at(0.99), x.min, x.max, x.rate, x.rate*618/1024, x.sd)
	}
	for _, label := range []string{"login", "search", "buy"} {
		s := draw(t)
		row(label, s)
		sum.total, sum.elapsed = append(sum.total, s.total...), max(sum.elapsed, s.elapsed)
	}
	row("TOTAL", sum)
	return b.String()
}

// rowsOf are the figures of three runs under numbers of users.
func rowsOf(t *rapid.T, write func(clients int, x summary)) {
	for _, clients := range []int{4, 8, 12} {
		write(clients, simulate(t, clients, 5_000_000).summary())
	}
}

// bucketed is a time in milliseconds as a histogram of two digits tells it: the end of its bucket.
func bucketed(ms float64) float64 {
	v := math.Floor(ms)
	if v < 256 {
		return v
	}
	step := math.Exp2(math.Floor(math.Log2(v)) - 7)
	return v - math.Mod(v, step) + step - 1
}

func twoDigitTable(t *rapid.T) string {
	text := stated7and2 + "Scenario Name,Heap Size,Concurrent Users,Message Size (Bytes),Back-end Service Delay (ms),Label,# Samples,Error Count,Error %," +
		"Throughput (Requests/sec),Average Response Time (ms),Average Users in the System,Standard Deviation of Response Time (ms)," +
		"75th Percentile of Response Time (ms),99th Percentile of Response Time (ms),99.9th Percentile of Response Time (ms)\n"
	rowsOf(t, func(clients int, x summary) {
		text += fmt.Sprintf("pass,2G,%d,50,0,HTTP Request,%d,0,0.00,%.2f,%.2f,%.2f,%.2f,%.0f,%.0f,%.0f\n", clients, x.n, x.rate, x.mean, x.rate*x.mean/1000,
			x.sd, bucketed(x.at(0.75)), bucketed(x.at(0.99)), bucketed(x.at(0.999)))
	})
	return text
}

func blankTable(t *rapid.T) string {
	text := stated7and2 + "Concurrent Users Message Size (Bytes) Total requests Average Response Time (ms) Throughput (Requests/sec) Error % Error Count " +
		"Little's law verification 90th Percentile of Response Time (ms) 99th Percentile of Response Time (ms)\n"
	rowsOf(t, func(clients int, x summary) {
		text += fmt.Sprintf("%d 1KiB %d %.2f %.2f 0 0 %.2f %.0f %.0f\n", clients, x.n, x.mean, x.rate, x.rate*x.mean/1000, x.at(0.9), x.at(0.99))
	})
	return text
}

func timingsTwice(t *rapid.T) string {
	text := "Language\tVersion\tStream\tTime taken (seconds)\tMemory taken (MiB)\n"
	for _, variant := range []string{"Go\t1.26\tY", "Go\t1.26\tN", "Java\t25+9\tY", "Java\t25+9\tN"} {
		for range 2 {
			text += fmt.Sprintf("%s\t%.3f\t%.2f\n", variant, rapid.Float64Range(1, 50).Draw(t, "time"), rapid.Float64Range(20, 4000).Draw(t, "memory"))
		}
	}
	return text
}

func tableAndCaptions(t *rapid.T) string {
	return "The throughput and the memory of both were measured.\n\n**Figure 1: Throughput of Brisk vs Calm**\n\n" +
		"**Figure 2: Throughput vs concurrent users**\n\nFigure 3: Memory of Brisk vs Calm, by concurrent users\n\n" + jmeter(t)
}
