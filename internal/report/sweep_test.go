package report

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"poolvsloop/internal/results"
	"poolvsloop/internal/sweep"
)

func rows(x, y float64, verdict string) []results.Comparison {
	ratio := results.Number(y / x)
	return []results.Comparison{
		{Metric: "throughput", ThreadPool: x, EventLoop: y, Ratio: ratio, CILow: ratio - 0.01, CIHigh: ratio + 0.01, Verdict: verdict},
		{Metric: "p99", ThreadPool: 50, EventLoop: 40, Ratio: 0.8, CILow: results.Unknown, CIHigh: results.Unknown, Verdict: "inconclusive"},
	}
}

// grid is a sweep with everything that can be said of one.
func grid() *sweep.Sweep {
	unknown := results.Unknown
	cell := func(number int, clients, status string, comparison []results.Comparison, reasons ...string) sweep.CellResult {
		return sweep.CellResult{
			Entry:  sweep.Entry{Cell: number, Settings: map[string]string{"workers": "20", "concurrency": clients}},
			Folder: "cell-000" + string(rune('0'+number)), Status: status, Reasons: reasons, Comparison: comparison,
		}
	}
	estimate := sweep.Estimate{Value: 20, CILow: 19, CIHigh: 21}
	return &sweep.Sweep{
		ID: "now-sweep", Planned: 4, Seed: 7, Servers: []string{"threadpool", "eventloop"}, Base: []string{"--duration=2s"},
		Axes:  []sweep.Axis{{Knob: "workers", Values: []string{"20"}}, {Knob: "concurrency", Values: []string{"10", "40", "80", "160"}}},
		Along: "concurrency", Remarks: []string{"a remark"},
		Cells: []sweep.CellResult{
			cell(1, "10", sweep.Valid, rows(200, 201, "tie")), cell(2, "40", sweep.Valid, rows(400, 800, "eventloop")),
			cell(3, "80", sweep.Invalid, rows(400, 1600, "inconclusive"), "closed_books: lost one", "littles_law: too many"),
			cell(4, "160", sweep.Failed, nil, "no lab: nobody home"),
		},
		Scaling: []sweep.Scaling{
			{
				Server: "threadpool", Settings: map[string]string{"workers": "20"}, Knee: sweep.Knee{Clients: 20, CILow: 19.5, CIHigh: 20.5},
				USL: sweep.USL{Lambda: estimate, Sigma: estimate, Kappa: estimate, PeakClients: 33, PeakRPS: 410},
				Points: []sweep.ScalingPoint{
					{Concurrency: 10, Residual: 0.012}, {Concurrency: 40, Residual: -0.03}, {Concurrency: 80, Residual: unknown, LeftOut: "requests failed"},
				},
			},
			{
				Server: "eventloop", Settings: map[string]string{"workers": "20"}, Knee: sweep.Knee{Note: "none up to 80 clients", Clients: unknown},
				USL: sweep.USL{Refused: "2 points"},
			},
		},
		Crossings: []sweep.Crossing{
			{Settings: map[string]string{"workers": "20"}, From: "tie", To: "eventloop", Above: 10, Below: 40, At: unknown},
			{Settings: map[string]string{"workers": "50"}, From: "threadpool", To: "eventloop", Above: 40, Below: 80, At: 55, CILow: 50, CIHigh: 60},
			{Settings: map[string]string{"workers": "90"}, From: "tie", To: "tie", Note: "none from 10 to 80", At: unknown},
		},
	}
}

func TestSweepText(t *testing.T) {
	text := Sweep(grid())
	for _, want := range []string{
		"sweep of 4 cells, in an order drawn by seed 7", "workers:      20\n", "all cells:    --duration=2s",
		"throughput [req/s]", "20           40       400.0      800.0  2.000  1.990 .. 2.010  eventloop",
		"INVALID workers=20 concurrency=80 (cell-0003): closed_books, littles_law\n",
		"FAILED workers=20 concurrency=160 (cell-0004): no lab: nobody home\n",
		"threadpool, workers=20\n    knee: 20 clients (19.5 .. 20.5): from there on requests queue\n",
		"most, 410/s, at 33 clients", "off: 10: +1.2 %, 40: -3.0 %, 80 left out (requests failed)",
		"refused: 2 points", "none up to 80 clients",
		"workers=20: no clear lead, then eventloop ahead: that begins between 10 and 40\n",
		"workers=50: threadpool ahead, then eventloop: equal at 55 (50 .. 60), between 40 and 80\n",
		"workers=90: no clear lead; none from 10 to 80\n", "- a remark\n",
	} {
		require.Contains(t, text, want)
	}
	require.NotContains(t, strings.ReplaceAll(text, "INVALID", ""), "NaN")
}

func TestSweepMarkdown(t *testing.T) {
	text := SweepMarkdown(grid())
	require.Contains(t, text, "### poolvsloop: now-sweep\n")
	columns := 0
	for line := range strings.Lines(text) {
		if strings.HasPrefix(line, "|") {
			n := strings.Count(line, "|")
			require.True(t, columns == 0 || n == columns, line)
			columns = n
		}
	}
	require.Equal(t, 12, columns)
	require.Contains(t, text, "| workers | concurrency | throughput threadpool | throughput eventloop |")
	require.Contains(t, text, "| p99 threadpool | p99 eventloop | p99 ratio | p99 verdict |")
}

func TestCapacityText(t *testing.T) {
	s := grid()
	s.Search = &sweep.Search{Over: "rate", Conditions: []string{"p99<100ms"}, From: 10, To: 1000, Steps: 15}
	s.Capacities = []sweep.Capacity{{
		Settings: map[string]string{"workers": "20"}, Ahead: "eventloop", AtLeast: 1.9, AtMost: 2.1,
		Servers: []sweep.ServerCapacity{
			{Name: "threadpool", Kept: 300, Broken: 315, Unknown: results.Unknown},
			{Name: "eventloop", Kept: 600, Broken: results.Unknown, Unknown: 630, Note: "from there on nothing"},
		},
		Steps: []sweep.CapacityStep{{Load: 315, Outcomes: []string{sweep.Broken, sweep.Kept}, Why: []string{"p99 is 120 ms", ""}}},
	}}
	text := Sweep(s)
	for _, want := range []string{
		"looked for:   the most load (rate, 10 to 1000) under which p99<100ms", "an open loop: the search is over the rate of arrivals",
		"threadpool: kept at 300/s, not at 315/s\n", "eventloop: kept at 600/s, not known at 630/s: from there on nothing\n",
		"eventloop carries 1.900 to 2.100 times as much\n", "315/s: threadpool broken (p99 is 120 ms), eventloop kept\n",
	} {
		require.Contains(t, text, want)
	}
	p := SweepPartsOf(s)
	require.Equal(t, "How much load does each server carry while p99<100ms?", p.Question)
	require.Equal(t, "workers=20: eventloop carries 1.900 to 2.100 times as much.", p.Verdict)
	require.Equal(t, Named{"workers=20", "threadpool: kept at 300/s, not at 315/s."}, p.Says[len(p.Says)-2])
	require.Contains(t, p.Searched, "315/s: threadpool broken")
	s.Search.Over = "concurrency"
	require.Contains(t, Sweep(s), "kept at 300 clients")
}

func TestSweepPartsSayWhatTheTextSays(t *testing.T) {
	s := grid()
	for i, verdict := range []string{"tie", "eventloop", "inconclusive"} {
		s.Cells[i].Comparison = append(s.Cells[i].Comparison, results.Comparison{Metric: "goodput", Verdict: verdict})
	}
	text, p := oneLine(Sweep(s)), SweepPartsOf(s)
	require.Equal(t, "The event loop has more throughput in 1 of 4 cells, the thread pool in 0.", p.Verdict)
	require.Equal(t, "Ties: 1. Inconclusive: 0. Not valid: 2.", p.Others)
	require.Len(t, p.Rows, 4)
	for _, row := range p.Rows {
		require.Len(t, row, len(p.Head))
		require.Contains(t, text, strings.Join(row, " "))
	}
	require.Equal(t, Named{"workers=20", "No clear lead, then eventloop ahead: that begins between 10 and 40."}, p.Says[0])
	require.Equal(t, Named{"eventloop, workers=20", "Knee: none up to 80 clients. Scalability law: refused: 2 points."}, p.Scaling[1])
	require.Contains(t, p.Faults, "FAILED workers=20 concurrency=160")
	require.Equal(t, []string{"A remark."}, p.Remarks)
	require.Equal(t, "Nothing was measured yet.", SweepPartsOf(&sweep.Sweep{}).Verdict)
}

func TestTimesAreWrittenInMilliseconds(t *testing.T) {
	s := grid()
	s.Axes = append(s.Axes, sweep.Axis{Knob: "latency-b", Values: []string{"5ms", "50ms"}})
	s.Along = "latency-b"
	s.Crossings = []sweep.Crossing{{From: "threadpool", To: "eventloop", At: 0.02, CILow: 0.015, CIHigh: 0.025, Above: 0.005, Below: 0.05}}
	require.Contains(t, Sweep(s), "equal at 20 ms (15 ms .. 25 ms), between 5 ms and 50 ms")
}
