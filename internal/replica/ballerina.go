package replica

import (
	"io/fs"

	"poolvsloop/internal/sweep"
)

// ballerina is the report about REST services in Ballerina: JMeter, tests of 1200 s of which the first 600 s are left out.
var ballerina = &Replica{
	Name: "ballerina", Title: "Performance report for REST services (Ballerina, JMeter)", Scale: 0.01, Rounds: 4,
	axes:  []sweep.Axis{{Knob: users, Values: []string{"100", "200", "500", "1000"}}, {Knob: size, Values: []string{"500", "1000", "10000"}}},
	flags: timed(600, 600),
	notYet: []gap{
		{"Passthrough HTTP service (h1c -> h1c)", "a scenario that forwards requests as they are"},
		{"Passthrough HTTPS service (h1 -> h1)", "TLS on both sides"},
		{"JSON to XML transformation HTTP service", "a scenario that transforms bodies"},
		{"JSON to XML transformation HTTPS service", "the same, and TLS"},
		{"HTTP/2 client and server downgrade service (h2 -> h2)", "HTTP/2"},
	},
	differs: []string{
		"Every request is an order: two back ends and a cache, where a pass-through asks one back end.",
		"Heap size and the columns of the garbage collector's log are those of a JVM: Heap Size is N/A here, and Memory Footprint is the " +
			"resident memory of the server.",
	},
	tables: ballerinaTables,
}

// ballerinaHead are the columns of its summary.csv, up to the first one of the garbage collector that every program has.
var ballerinaHead = []string{
	"Scenario Name", "Heap Size", "Concurrent Users", "Message Size (Bytes)", "Back-end Service Delay (ms)", "Label", "# Samples",
	"Error Count", "Error %", "Throughput (Requests/sec)", "Average Response Time (ms)", "Average Users in the System",
	"Standard Deviation of Response Time (ms)", "Minimum Response Time (ms)", "Maximum Response Time (ms)",
	"75th Percentile of Response Time (ms)", "90th Percentile of Response Time (ms)", "95th Percentile of Response Time (ms)",
	"98th Percentile of Response Time (ms)", "99th Percentile of Response Time (ms)", "99.9th Percentile of Response Time (ms)",
	"Received (KB/sec)", "Sent (KB/sec)", "Server Memory Footprint (M)",
}

func ballerinaTables(r *Replica, s *sweep.Sweep, _ fs.FS) ([]Table, error) {
	t := Table{File: "summary.csv", Title: r.Title, Head: ballerinaHead}
	for server, name := range s.Servers {
		for _, f := range cells(s, server) {
			keys := []string{"Order service (h1c -> h1c), " + name, "N/A", f.users(), f.size(), f.delay(), "HTTP Request"}
			t.Rows = append(t.Rows, f.row(keys, whole(f.Sent), whole(f.Failed), two(f.errorPercent()), two(f.rate()), two(f.MeanMS), two(f.inFlight()),
				two(f.SDMS), two(f.MinMS), two(f.MaxMS), two(f.P75MS), two(f.P90MS), two(f.P95MS), two(f.P98MS), two(f.P99MS), two(f.P999MS),
				two(f.perSecond(f.ab.TotalRead)), two(f.perSecond(f.ab.TotalSent)), two(float64(f.ServerRSSBytes)/(1<<20))))
		}
	}
	for _, g := range r.notYet {
		t.Rows = append(t.Rows, gapRow(g, len(t.Head)))
	}
	return []Table{t}, nil
}
