package abreport

import (
	"os"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"poolvsloop/internal/load"
)

// The file of the real ab comes out again from the times in it: with a hundred requests it holds each of them.
func TestWriteCSVReproducesAB(t *testing.T) {
	want, err := os.ReadFile("testdata/csv-gnuplot.csv")
	require.NoError(t, err)
	var us []int64
	for _, row := range readRows(t, "testdata/csv-gnuplot.csv", ",")[:100] {
		x, err := strconv.ParseFloat(row[1], 64)
		require.NoError(t, err)
		us = append(us, int64(x*1000+0.5))
	}
	s := Exact(us)
	var b strings.Builder
	require.NoError(t, WriteCSV(&b, &s))
	require.Equal(t, string(want), b.String())
}

// ab reads beyond its data for up to 50 requests; here the last ranks are the last request.
func TestWriteCSVOfFew(t *testing.T) {
	s := Exact([]int64{3000, 1000, 2500})
	var b strings.Builder
	require.NoError(t, WriteCSV(&b, &s))
	lines := strings.Split(b.String(), "\n")
	require.Equal(t, "0,1.000", lines[1])
	require.Equal(t, "16,1.000", lines[17])
	require.Equal(t, "17,2.500", lines[18])
	require.Equal(t, "50,3.000", lines[51])
	require.Equal(t, []string{"99,3.000", "100,3.000", ""}, lines[100:])
	require.ErrorIs(t, WriteCSV(fullDisk{}, &s), errFull)
}

func TestWriteGnuplot(t *testing.T) {
	started := time.Date(2026, 11, 1, 18, 22, 49, 999_000_000, time.FixedZone("x", 3600))
	var b strings.Builder
	samples := []load.Sample{
		{Start: 2000, Connect: 1500, Wait: 2499, Total: 4000, Status: 200},
		{Start: 0, Wait: 499, Total: 600, Status: 500},
		{Start: 0, Total: 1, Outcome: load.Refused},
		{Start: 0, Connect: 100, Wait: 900, Total: 1000, Outcome: load.TimedOut},
	}
	require.NoError(t, WriteGnuplot(&b, started, samples))
	require.Equal(t, "starttime\tseconds\tctime\tdtime\tttime\twait\n"+
		"Sun Nov 01 18:22:49 2026\t1793553769\t0\t1\t1\t0\n"+
		"Sun Nov 01 18:22:49 2026\t1793553769\t0\t1\t1\t1\n"+
		"Sun Nov 01 18:22:50 2026\t1793553770\t2\t3\t4\t2\n", b.String())
	require.EqualValues(t, 2000, samples[0].Start, "the samples were changed")
	require.ErrorIs(t, WriteGnuplot(fullDisk{}, started, samples), errFull)
}

// The averages are those of rounded sums, and processing is the difference of the two others.
func TestWriteHTML(t *testing.T) {
	r := Report{ServerSoftware: "s", Host: "h", Port: 80, Path: "/", Length: 3, Concurrency: 1, Elapsed: time.Second, Complete: 2,
		Failed: Failed{Connect: 1, Receive: 2, Length: 3, Exceptions: 4}, KeepAlive: true, WithBody: true, TotalSent: 2048,
		Connect: Exact([]int64{400, 1600}), Total: Exact([]int64{1400, 4600})}
	var b strings.Builder
	require.NoError(t, WriteHTML(&b, &r, Attributes{Table: "T", Row: "R", Cell: "C"}))
	for _, line := range []string{
		"\n\n<table T>\n",
		"<tr R><th colspan=2 C>Failed requests:</th><td colspan=2 C>10</td></tr>\n" +
			"<tr R><td colspan=4 C >   (Connect: 1, Length: 3, Exceptions: 4)</td></tr>\n",
		"<tr R><td colspan=2 C>&nbsp;</td><td colspan=2 C>2.00 kb/s sent</td></tr>\n",
		"<tr R><th C>Connect:</th><td C>    0</td><td C>    1</td><td C>    2</td></tr>\n",
		"<tr R><th C>Processing:</th><td C>    1</td><td C>    2</td><td C>    3</td></tr>\n",
		"<tr R><th C>Total:</th><td C>    1</td><td C>    3</td><td C>    5</td></tr>\n</table>\n",
	} {
		require.Contains(t, b.String(), line)
	}
	require.ErrorIs(t, WriteHTML(fullDisk{}, &r, Attributes{}), errFull)
}
