package abreport

import (
	"bytes"
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/HdrHistogram/hdrhistogram-go"
	"github.com/stretchr/testify/require"

	"poolvsloop/internal/load"
)

// times makes what the engine keeps of these microseconds.
func times(t *testing.T, us ...int64) load.Times {
	t.Helper()
	x := load.Times{Histogram: hdrhistogram.New(1, 3_600_000_000, 3)}
	for i, v := range us {
		require.NoError(t, x.Histogram.RecordValue(v))
		if i == 0 || v < x.Min {
			x.Min = v
		}
		x.Max = max(x.Max, v)
		x.Sum += v
		x.SumSquares += float64(v) * float64(v)
	}
	return x
}

// run is one with every kind of outcome.
func run(t *testing.T) *load.Result {
	return &load.Result{
		Counts: load.Counts{Planned: 9, Sent: 8, Dropped: 1, Answered: 3, TimedOut: 1, Reset: 1, Refused: 1, Aborted: 1, InFlight: 1},
		OK2xx:  2, Non2xx: 1, Length: 10, Different: 1, Server: "nginx/1.22 (x)", Kept: 2,
		Bytes:    load.Bytes{Read: 500, Head: 400, Body: 90, Written: 1000},
		Duration: 2 * time.Second, Clients: 4,
		Samples: []load.Sample{
			{Connect: 100, Wait: 300, Total: 500, Status: 200},
			{Wait: 700, Total: 1000, Status: 200},
			{Wait: 10, Total: 20, Status: 503},
			{Connect: 50, Total: 60, Outcome: load.Refused},
			{Total: 70, Outcome: load.Reset},
			{Total: 80, Outcome: load.Aborted},
			{Wait: 999_000, Total: 1_000_000, Outcome: load.TimedOut},
		},
		Response: times(t, 500, 1000, 20), GivenUp: times(t, 1_000_000),
		Connect: times(t, 100, 0, 0, 0), Processing: times(t, 400, 1000, 20, 1_000_000), Wait: times(t, 300, 700, 10, 999_000),
	}
}

func TestFill(t *testing.T) {
	x := run(t)
	require.NoError(t, x.Books())
	var r Report
	r.Fill(x)
	require.Equal(t, "nginx/1.22", r.ServerSoftware)
	require.Equal(t, 3, r.Complete, "only what was answered is complete")
	require.Equal(t, Failed{Connect: 1, Receive: 2, Length: 1, Exceptions: 1}, r.Failed)
	require.Equal(t, 4, r.Concurrency)
	f := r.Figures()
	require.Equal(t, 1.5, f.RequestsPerSecond)
	require.InDelta(t, 4*2000/3.0, f.TimePerRequestMs, 1e-9)
	require.Equal(t, Row{Min: 20, Mean: 250380, SD: f.Total.SD, Median: 750, Max: 1_000_000}, f.Total)
	require.Equal(t, Percentile{Percent: 100, Micros: 1_000_000}, f.Percentiles[len(f.Percentiles)-1])
}

func TestFillVariableLength(t *testing.T) {
	r := Report{VariableLength: true, Concurrency: 100}
	r.Fill(run(t))
	require.Equal(t, 4, r.Failed.Sum())
	require.Equal(t, 100, r.Concurrency)
}

// A run too long for single times gives the same report, within the precision of the histograms.
func TestFillWithoutSamples(t *testing.T) {
	var exact, rough Report
	exact.Fill(run(t))
	x := run(t)
	x.Samples = nil
	rough.Fill(x)
	var a, b bytes.Buffer
	require.NoError(t, Write(&a, &exact))
	require.NoError(t, Write(&b, &rough))
	require.Equal(t, a.String(), b.String())
	require.EqualValues(t, 3, x.Response.Count(), "the result was changed")
}

func TestFillNothing(t *testing.T) {
	var r Report
	r.Fill(&load.Result{Length: -1, Samples: []load.Sample{}})
	var b bytes.Buffer
	require.NoError(t, Write(&b, &r))
	require.Contains(t, b.String(), "Document Length:        0 bytes\n")
	require.NotContains(t, b.String(), "per second")
	require.NotContains(t, b.String(), "Connection Times")
}

func TestAnOpenLoopHasNoConcurrencyLevel(t *testing.T) {
	r := Report{Open: &Open{Rate: 300, InFlight: 15.66, MostInFlight: 34}}
	r.Fill(run(t))
	var direct, kept bytes.Buffer
	require.NoError(t, Write(&direct, &r))
	text := direct.String()
	require.Contains(t, text, "Offered rate:           300.00 [#/sec] (open loop)\nRequests in flight:     15.66 mean, 34 max\nTime taken")
	require.NotContains(t, text, "Concurrency Level")
	require.Equal(t, 1, strings.Count(text, "Time per request:"))
	require.Contains(t, text, "[ms] (mean, across all concurrent requests)")
	require.NoError(t, WriteSummary(&kept, r.Summary(), r.Open))
	require.Equal(t, text, kept.String())
}

type fullDisk struct{}

var errFull = errors.New("disk full")

func (fullDisk) Write([]byte) (int, error) { return 0, errFull }

func TestWriteError(t *testing.T) { require.ErrorIs(t, Write(fullDisk{}, &Report{}), errFull) }

func TestWarnings(t *testing.T) {
	for _, c := range []struct {
		name string
		row  Row
		want string
	}{
		{"alike", Row{Mean: 5000, Median: 5000}, ""},
		{"one deviation apart", Row{Mean: 7000, Median: 5000, SD: 2000}, ""},
		{"more than one", Row{Mean: 8000, Median: 5000, SD: 2000},
			"WARNING: The median and mean for X are not within a normal deviation\n        These results are probably not that reliable.\n"},
		{"more than two", Row{Mean: 5000, Median: 10000, SD: 2000},
			"ERROR: The median and mean for X are more than twice the standard\n       deviation apart. These results are NOT reliable.\n"},
		{"rounded before they are compared", Row{Mean: 1499, Median: 500, SD: 1}, ""},
	} {
		t.Run(c.name, func(t *testing.T) { require.Equal(t, c.want, c.row.warning("X")) })
	}
}
