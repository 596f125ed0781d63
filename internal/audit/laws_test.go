package audit

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// A report of ab and one of wrk, and a table, whose figures agree.
const (
	soundAB = `Document Path:          /x
Document Length:        100 bytes
Concurrency Level:      10
Time taken for tests:   10.000 seconds
Complete requests:      1000
Failed requests:        0
Total transferred:      200000 bytes
HTML transferred:       100000 bytes
Requests per second:    100.00 [#/sec] (mean)
Time per request:       100.000 [ms] (mean)
Time per request:       10.000 [ms] (mean, across all concurrent requests)
Transfer rate:          19.53 [Kbytes/sec] received
Connect:        0    1   0.5      1       4
Processing:    80   98  10.0     97     150
Waiting:       80   97  10.0     96     150
Total:         80   99  10.0     98     152
  50%     98
  66%    102
  90%    115
  99%    140
 100%    152 (longest request)
`
	soundWrk = `Running 10s test @ http://127.0.0.1/x
  2 threads and 10 connections
    Latency   100.00ms   10.00ms 150.00ms   70.00%
     50%   99.00ms
     99%  130.00ms
  1000 requests in 10.00s, 195.31KB read
Requests/sec:    100.00
Transfer/sec:     19.53KB
`
	soundTable = `The duration of each test is 20 seconds, with a warm-up of 10 seconds.
Concurrent Users,# Samples,Average,Min,Max,Std. Dev.,90% Line,99% Line,Error Count,Error %,Throughput,Received KB/sec,Avg. Bytes
10,1000,100,80,150,10,115,140,0,0.00%,100.0/sec,19.53,200.0
20,1000,200,180,250,10,215,240,0,0.00%,100.0/sec,19.53,200.0
`
)

// Of tests of five seconds, one waited most of a second longer for its last answer.
func TestATestLastsUntilItsLastAnswer(t *testing.T) {
	const table = "Duration: 7 seconds, warm-up: 2 seconds\n" +
		"Users,# Samples,Average,Max,Throughput\n4,400,50,80,79.68\n8,400,114,620,68.97\n12,1200,50,90,239.04\n"
	require.Empty(t, Read("x", table).Findings)
	shorter := strings.Replace(table, ",620,", ",120,", 1)
	require.Equal(t, "uneven", Read("x", shorter).Findings[0].Law)
}

func TestEachLaw(t *testing.T) {
	sound := map[string]string{"ab": soundAB, "wrk": soundWrk, "table": soundTable}
	for tool, text := range sound {
		d := Read("x", text)
		require.True(t, d.Recognised(), tool)
		require.Empty(t, d.Findings, tool)
	}
	for name, c := range map[string]struct {
		tool, old, now string
		severity       Severity
		law            string
	}{
		"rate":                        {"ab", "100.00 [#", "101.00 [#", Refuted, "rate"},
		"time per request":            {"ab", "100.000 [ms]", "99.000 [ms]", Refuted, "time per request"},
		"time across all":             {"ab", " 10.000 [ms]", " 11.000 [ms]", Refuted, "time per request"},
		"transfer rate":               {"ab", "19.53 [", "19.55 [", Refuted, "transfer rate"},
		"more body than bytes":        {"ab", "HTML transferred:       100000", "HTML transferred:       300000", Refuted, "transfer rate"},
		"bodies missing":              {"ab", "HTML transferred:       100000", "HTML transferred:       99000", Refuted, "length"},
		"kinds do not add up":         {"ab", "requests:        0", "requests:        3\n   (Connect: 0, Receive: 1, Length: 1, Exceptions: 0)", Refuted, "failed"},
		"failed":                      {"ab", "requests:        0", "requests:        3\n   (Connect: 0, Receive: 1, Length: 1, Exceptions: 1)", Doubtful, "failed"},
		"non-2xx":                     {"ab", "Total transferred", "Non-2xx responses:      1000\nTotal transferred", Doubtful, "status"},
		"nothing came":                {"ab", "HTML transferred:       100000", "HTML transferred:       0", Doubtful, "empty"},
		"percentiles fall":            {"ab", "90%    115", "90%     95", Refuted, "order"},
		"mean under min":              {"ab", "Waiting:       80   97", "Waiting:       80   70", Refuted, "order or mean"},
		"longest is not max":          {"ab", "100%    152", "100%    160", Refuted, "spliced"},
		"medians apart":               {"ab", "50%     98", "50%     90", Doubtful, "spliced"},
		"deviation too great":         {"ab", "97  10.0     96", "97  90.0     96", Refuted, "deviation"},
		"median too far":              {"ab", "97  10.0     96", "97  10.0    140", Refuted, "deviation"},
		"means do not add up":         {"ab", "Connect:        0    1", "Connect:        0    4", Refuted, "sum"},
		"handshakes sent again":       {"ab", "1   0.5      1       4", "1  90.0      0    3004", Doubtful, "handshakes"},
		"too many in flight":          {"ab", "Level:      10", "Level:      9", Refuted, "little"},
		"connections without answers": {"ab", "Level:      10", "Level:      20", Doubtful, "little"},
		"not the command":             {"ab", "Document Path", "ab -n 1000 -c 20 http://x/\nDocument Path", Refuted, "command"},
		"pool never fills":            {"ab", "Document Path", "max-threads: 50\nDocument Path", Doubtful, "pool"},
		"pool holds nothing":          {"ab", "Document Path", "workers=2\nDocument Path", Doubtful, "pool"},
		"wrk's rate":                  {"wrk", "sec:    100.00", "sec:    101.00", Refuted, "rate"},
		"wrk's transfer":              {"wrk", "19.53KB", "19.80KB", Refuted, "transfer rate"},
		"wrk's order":                 {"wrk", "99%  130", "99%  160", Refuted, "order"},
		"wrk's deviation":             {"wrk", "10.00ms 150", "90.00ms 150", Refuted, "deviation"},
		"wrk's impossible mean":       {"wrk", "10 connections", "8 connections", Refuted, "little"},
		"wrk starves":                 {"wrk", "10 connections", "100 connections", Doubtful, "little"},
		"wrk opens fewer":             {"wrk", "10 connections", "11 connections", Doubtful, "connections"},
		"wrk's timeouts":              {"wrk", "Requests/sec", "Socket errors: connect 0, read 0, write 0, timeout 7\nRequests/sec", Doubtful, "timeouts"},
		"wrk's broken connections":    {"wrk", "Requests/sec", "Socket errors: connect 0, read 5, write 0, timeout 0\nRequests/sec", Doubtful, "failed"},
		"wrk's refusals":              {"wrk", "Requests/sec", "Non-2xx or 3xx responses: 1000\nRequests/sec", Doubtful, "status"},
		"wrk and the pool":            {"wrk", "Running", "workers: 10\nRunning", Doubtful, "pool"},
		"no number":                   {"table", "\n10,1000,100,", "\n10,1000,Infinity,", Refuted, "number"},
		"more users than in flight":   {"table", "\n10,", "\n11,", Doubtful, "little"},
		"more in flight than users":   {"table", "\n10,", "\n9,", Refuted, "little"},
		"seconds for milliseconds":    {"table", "\n10,1000,100,80,150,10,115,140", "\n10,1000,0.100,0.080,0.150,0.010,0.115,0.140", Doubtful, "little"},
		"errors by count":             {"table", "140,0,0.00%", "140,5,0.00%", Refuted, "errors"},
		"all failed":                  {"table", "140,0,0.00%", "140,1000,100.00%", Doubtful, "errors"},
		"timeouts are percentiles":    {"table", "140,0,0.00%", "140,20,2.00%", Doubtful, "timeouts"},
		"bytes":                       {"table", "19.53,200.0\n20", "21.53,200.0\n20", Refuted, "transfer rate"},
		"one row is shorter":          {"table", "\n10,1000,", "\n10,800,", Doubtful, "uneven"},
		"warm-up inside":              {"table", "is 20 seconds, with a warm-up of 10", "is 10 seconds, with a warm-up of 5", Refuted, "warm-up"},
		"warm-up not stated":          {"table", "warm-up", "break", Doubtful, "warm-up"},
		"not the total":               {"table", "20,1000,200,180,250,10,215,240", "TOTAL,900,200,180,250,10,215,240", Refuted, "total"},
		"minimum above":               {"table", "100,80,", "100,120,", Refuted, "order or mean"},
	} {
		t.Run(name, func(t *testing.T) {
			require.Equal(t, 1, strings.Count(sound[c.tool], c.old), "one place to change")
			d := Read("x", strings.Replace(sound[c.tool], c.old, c.now, 1))
			var found []string
			for _, f := range d.Findings {
				if f.Severity == c.severity && strings.Contains(c.law, f.Law) {
					return
				}
				found = append(found, string(f.Severity)+" "+f.Law)
			}
			require.Fail(t, "not found", "found only %v", found)
		})
	}
}

// Tests that all failed, in a table that writes the share of errors as a fraction.
func TestErrorsAsAFraction(t *testing.T) {
	table := func(shares ...string) string {
		text := "Label,# Samples,Average,Median,90% Line,95% Line,99% Line,Min,Max,Error %,Throughput,Date,Payload,Users\n"
		for i, share := range shares {
			text += fmt.Sprintf("pass,1000,%d,10,12,13,15,8,20,%s,90.%d,day %d,50,1\n", 10, share, i, i)
		}
		return "The duration of each test is 22 s, the warm-up 11 s.\n" + text
	}
	found := func(text string) bool {
		for _, f := range Read("x", text).Findings {
			if f.Law == "errors" {
				return true
			}
		}
		return false
	}
	require.True(t, found(table("1.0", "1.0", "1.0")))
	require.False(t, found(table("1.0", "0.9", "1.0")))
	require.False(t, found(table("1.0%", "1.0%", "1.0%")))
	require.False(t, found(table("1.0")))
}
