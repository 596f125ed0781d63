package replica

import (
	"io/fs"
	"runtime"
	"strconv"
	"strings"

	"poolvsloop/internal/sweep"
)

// restTest is a comparison of frameworks by one request each for a table of 330 MB: time by time(1), memory by docker
// stats.
var restTest = &Replica{
	Name: "rest-test", Title: "rest-test: one request for a large data set (time, docker stats)", Scale: 1, Rounds: 4,
	flags: func(float64, int) []Flag {
		return []Flag{{"requests", "1"}, {"concurrency", "1"}, {"body-size", strconv.Itoa(1 << 20)}}
	},
	notYet: []gap{
		{"Stream - GZIP", "answers that are streamed and compressed"},
		{"Stream - JSON", "answers that are streamed"},
		{"No Stream - GZIP", "compression"},
	},
	differs: []string{
		"The answer of 330 MB is not there yet: an order's answer has half a kilobyte. What is timed is one order with a body of 1 MiB.",
		"Each variant is timed in several rounds, a row each, where the report timed it once.",
		"Memory is the resident memory of the server behind the round.",
	},
	tables: restTestTables,
}

var restTestHead = []string{"Language", "Version", "Arch", "Tech", "Stream", "GZIP", "Type", "Time taken (seconds)", "Memory taken (MiB)"}

func restTestTables(r *Replica, s *sweep.Sweep, _ fs.FS) ([]Table, error) {
	t := Table{File: "stats.csv", Title: r.Title, Head: restTestHead}
	version := strings.TrimPrefix(s.Environment.Go, "go")
	for server, name := range s.Servers {
		key := func(kind string, stream, gzip bool) []string {
			return []string{"Go", version, strings.ToUpper(runtime.GOARCH), name, yes(stream), yes(gzip), kind}
		}
		for _, c := range s.Cells {
			if c.Run == nil {
				continue
			}
			for _, round := range c.Run.Targets[server].Rounds {
				f := figures{}
				if c.Status != sweep.Valid {
					f.bad = strings.ToUpper(c.Status)
				}
				t.Rows = append(t.Rows, f.row(key("No Stream - JSON, order of 1 MiB", false, false),
					strconv.FormatFloat(round.MeanMS/1e3, 'f', 4, 64), two(float64(round.ServerRSSBytes)/(1<<20))))
			}
		}
		for _, g := range r.notYet {
			t.Rows = append(t.Rows, append(key(g.test, !strings.HasPrefix(g.test, "No"), strings.HasSuffix(g.test, "GZIP")), notYet, notYet))
		}
	}
	return []Table{t}, nil
}

func yes(b bool) string {
	if b {
		return "Y"
	}
	return "N"
}
