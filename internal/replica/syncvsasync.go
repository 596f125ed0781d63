package replica

import (
	"fmt"
	"io/fs"
	"strconv"
	"strings"

	"poolvsloop/internal/abreport"
	"poolvsloop/internal/sweep"
)

// syncVsAsync is a comparison of a pool of 200 threads with one of 2 behind a long queue, which its author calls an event
// loop: ab with 5000 requests of 50 clients, once each.
var syncVsAsync = &Replica{
	Name: "sync-vs-async", Title: "Performance test: multithreaded vs event loop (ab)", Scale: 1, Rounds: 4,
	flags: func(scale float64, _ int) []Flag {
		return []Flag{
			{"requests", strconv.Itoa(max(500, int(5000*scale)))}, {"concurrency", "50"}, {"body-size", "922"}, {"workers", "200"}, {"queue", "100"},
			{"loops", "2"},
		}
	},
	differs: []string{
		"The delays of the two services behind the handler are the lab's: the report does not tell its own.",
		"Its async server was the same pool with two threads and a queue of 15000. Here it is an event loop with two loops.",
		"50 clients never fill a pool of 200: as in the report, the pool limits nothing, and the test says nothing of threads.",
		"The report of each server is of all its rounds together.",
	},
	tables: syncVsAsyncTables,
}

func syncVsAsyncTables(r *Replica, s *sweep.Sweep, _ fs.FS) ([]Table, error) {
	var all []Table
	for server, name := range s.Servers {
		for _, c := range s.Cells {
			t := Table{File: name + ".txt", Title: map[int]string{0: "Sync", 1: "Async"}[server] + ": " + name}
			switch {
			case c.Status != sweep.Valid:
				t.Text = strings.ToUpper(c.Status) + ": " + strings.Join(c.Reasons, "; ") + "\n"
			case c.Run.Targets[server].AB == nil:
				t.Text = "not measured\n"
			default:
				var text strings.Builder
				if err := abreport.WriteSummary(&text, c.Run.Targets[server].AB, nil); err != nil {
					return nil, fmt.Errorf("print the sweep as %s: %w", r.Name, err)
				}
				t.Text = text.String()
			}
			all = append(all, t)
		}
	}
	return all, nil
}
