package audit

import (
	"bytes"
	"container/heap"
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"

	"poolvsloop/internal/abreport"
)

// freeClients is a heap of when each client may send its next request, in microseconds.
type freeClients []int64

func (f freeClients) Len() int           { return len(f) }
func (f freeClients) Less(i, j int) bool { return f[i] < f[j] }
func (f freeClients) Swap(i, j int)      { f[i], f[j] = f[j], f[i] }
func (f *freeClients) Push(x any)        { *f = append(*f, x.(int64)) }
func (f *freeClients) Pop() any {
	last := (*f)[len(*f)-1]
	*f = (*f)[:len(*f)-1]
	return last
}

// simulated is a closed loop: when it ended, and its times in rising order, in microseconds.
type simulated struct {
	clients int
	elapsed int64
	connect []int64
	total   []int64
}

// simulate lets clients send requests, each when its last one is answered, until length is over.
func simulate(t *rapid.T, clients int, length int64) simulated {
	base := rapid.Int64Range(20_000, 60_000).Draw(t, "base")
	spread := rapid.Int64Range(1_000, 60_000).Draw(t, "spread")
	seed := rapid.Uint64().Draw(t, "seed")
	s := simulated{clients: clients}
	free := make(freeClients, clients)
	for free[0] < length {
		seed = seed*6364136223846793005 + 1442695040888963407
		uniform := float64(seed>>11+1) / (1 << 53)
		took := base + int64(-math.Log(uniform)*float64(spread))
		s.connect, s.total = append(s.connect, int64(seed>>60)*100), append(s.total, took)
		free[0] += took
		s.elapsed = max(s.elapsed, free[0])
		heap.Fix(&free, 0)
	}
	return s
}

func (s simulated) ab(t *rapid.T) string {
	n := len(s.total)
	processing := make([]int64, n)
	for i := range processing {
		processing[i] = s.total[i] - s.connect[i]
	}
	r := abreport.Report{
		Host: "127.0.0.1", Port: 80, Path: "/x", Length: 500, Concurrency: s.clients, Complete: n,
		Elapsed: time.Duration(s.elapsed) * time.Microsecond, TotalRead: int64(n) * 618, HTMLRead: int64(n) * 500,
		Median:  rapid.SampledFrom([]abreport.MedianRule{abreport.Middle, abreport.AsAB}).Draw(t, "median"),
		Connect: abreport.Exact(slices.Clone(s.connect)), Waiting: abreport.Exact(slices.Clone(processing)),
		Processing: abreport.Exact(processing), Total: abreport.Exact(slices.Clone(s.total)),
	}
	var b bytes.Buffer
	if err := abreport.Write(&b, &r); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

// summary is what the formats below print, in milliseconds.
type summary struct {
	n                  int
	mean, sd, min, max float64
	at                 func(q float64) float64
	rate               float64
}

func (s simulated) summary() summary {
	sorted := slices.Sorted(slices.Values(s.total))
	x := summary{n: len(sorted), min: float64(sorted[0]) / 1000, max: float64(sorted[len(sorted)-1]) / 1000}
	for _, v := range sorted {
		x.mean += float64(v) / 1000 / float64(x.n)
	}
	for _, v := range sorted {
		x.sd += math.Pow(float64(v)/1000-x.mean, 2) / float64(x.n)
	}
	x.sd = math.Sqrt(x.sd)
	x.at = func(q float64) float64 { return float64(sorted[min(x.n-1, int(math.Ceil(q*float64(x.n)))-1)]) / 1000 }
	x.rate = float64(x.n) / (float64(s.elapsed) / 1e6)
	return x
}

func (s simulated) wrk(*rapid.T) string {
	x, taken := s.summary(), float64(s.elapsed)/1e6
	bytes := float64(x.n) * 618
	return fmt.Sprintf("Running 5s test @ http://127.0.0.1/x\n  1 threads and %d connections\n"+
		"    Latency   %.2fms  %.2fms  %.2fms   70.00%%\n  Latency Distribution\n"+
		"     50%%  %.2fms\n     75%%  %.2fms\n     90%%  %.2fms\n     99%%  %.2fms\n"+
		"  %d requests in %.2fs, %.2fKB read\nRequests/sec:  %.2f\nTransfer/sec:  %.2fKB\n",
		s.clients, x.mean, x.sd, x.max, x.at(0.5), x.at(0.75), x.at(0.9), x.at(0.99), x.n, taken, bytes/1024, x.rate, bytes/1024/taken)
}

// jmeter is a table of three runs, with commas or bars between its cells.
func jmeter(t *rapid.T) string {
	heads := []string{"Label", "Concurrent Users", "# Samples", "Average", "Median", "90% Line", "95% Line", "99% Line", "Min", "Max",
		"Error %", "Throughput", "Std. Dev."}
	rows := [][]string{heads}
	for i, clients := range []int{4, 8, 12} {
		x := simulate(t, clients, 5_000_000).summary()
		rows = append(rows, []string{fmt.Sprintf("run %d", i), fmt.Sprint(clients), fmt.Sprint(x.n), fmt.Sprintf("%.2f", x.mean),
			fmt.Sprintf("%.0f", x.at(0.5)), fmt.Sprintf("%.0f", x.at(0.9)), fmt.Sprintf("%.0f", x.at(0.95)), fmt.Sprintf("%.0f", x.at(0.99)),
			fmt.Sprintf("%.0f", x.min), fmt.Sprintf("%.0f", x.max), "0.00%", fmt.Sprintf("%.2f", x.rate), fmt.Sprintf("%.2f", x.sd)})
	}
	if rapid.Bool().Draw(t, "markdown") {
		var lines []string
		for _, r := range rows {
			lines = append(lines, "| "+strings.Join(r, " | ")+" |")
		}
		lines = slices.Insert(lines, 1, strings.Repeat("|---", len(heads))+"|")
		return stated7and2 + strings.Join(lines, "\n")
	}
	var b strings.Builder
	for _, r := range rows {
		b.WriteString(strings.Join(r, ",") + "\n")
	}
	return stated7and2 + b.String()
}

const stated7and2 = "The duration of each test is 7 seconds, the warm-up period 2 seconds.\n\n"

// reports are the three kinds of text, each with figures of one simulated run.
var reports = map[string]func(*rapid.T) string{
	"ab": func(t *rapid.T) string {
		return simulate(t, rapid.IntRange(1, 16).Draw(t, "clients"), 5_000_000).ab(t)
	},
	"wrk": func(t *rapid.T) string {
		return simulate(t, rapid.IntRange(1, 16).Draw(t, "clients"), 5_000_000).wrk(t)
	},
	"jmeter": jmeter,
}

func TestConsistentReportsGiveNoFinding(t *testing.T) {
	for name, report := range reports {
		t.Run(name, func(t *testing.T) {
			rapid.Check(t, func(t *rapid.T) {
				d := Read(name, report(t))
				if !d.Recognised() || len(d.Findings) > 0 {
					t.Fatalf("%s", Text([]*Document{d}))
				}
			})
		})
	}
}
