package replica

import (
	"io/fs"
	"strconv"

	"poolvsloop/internal/sweep"
)

// choreo is the report about the router of Choreo Connect with one CPU: JMeter, tests of 900 s of which the first 300 s
// should have been left out.
var choreo = &Replica{
	Name: "choreo", Title: "Performance test results for the router of Choreo Connect with one CPU (JMeter)", Scale: 0.01, Rounds: 4,
	axes: []sweep.Axis{
		{Knob: size, Values: []string{"71", "1024", "10240", "102400"}},
		{Knob: users, Values: []string{"10", "50", "100", "200", "500", "1000"}},
	},
	flags:  timed(300, 600),
	notYet: []gap{{"50B", "a body of 50 bytes: an order has 71 at least, and those are measured"}},
	differs: []string{
		"The smallest message has 71 bytes, not 50: the least that an order has.",
		"The router had a quota of one CPU; here nothing is throttled. Ingress, enforcer and tokens are left out.",
		"Response times are those of orders with two back ends and a cache; the router asked one back end.",
	},
	tables: choreoTables,
}

var choreoHead = []string{
	"Concurrent Users", "Message Size (Bytes)", "Total requests", "Average Response Time (ms)", "Throughput (Requests/sec)", "Error %", "Error Count",
	"Little's law verification", "90th Percentile of Response Time (ms)", "95th Percentile of Response Time (ms)",
	"99th Percentile of Response Time (ms)",
}

func choreoTables(r *Replica, s *sweep.Sweep, _ fs.FS) ([]Table, error) {
	var all []Table
	for server, name := range s.Servers {
		t := Table{File: name + "-summary.csv", Title: r.Title + ": " + name, Head: choreoHead}
		for _, f := range cells(s, server) {
			t.Rows = append(t.Rows, f.row([]string{f.users(), sizeWords(f.size())}, whole(f.Sent), two(f.MeanMS), two(f.rate()),
				two(f.errorPercent()), whole(f.Failed), two(f.inFlight()), two(f.P90MS), two(f.P95MS), two(f.P99MS)))
		}
		for _, g := range r.notYet {
			row := gapRow(g, len(t.Head))
			row[0], row[1] = notYet, g.test
			t.Rows = append(t.Rows, row)
		}
		all = append(all, t)
	}
	return all, nil
}

// sizeWords is a size as the report writes it.
func sizeWords(text string) string {
	n, err := strconv.Atoi(text)
	if err == nil && n >= 1024 && n%1024 == 0 {
		return strconv.Itoa(n/1024) + "KiB"
	}
	return text + "B"
}
