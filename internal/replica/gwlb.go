package replica

import (
	"fmt"
	"io/fs"
	"path"
	"slices"
	"strconv"

	"poolvsloop/internal/results"
	"poolvsloop/internal/sweep"
)

// gwlb is the benchmark of a load balancer on WSO2's gateway against nginx: ab with 1 000 000 requests or 80 s at each
// level, each test twice, the averages plotted.
var gwlb = &Replica{
	Name: "gwlb", Title: "HTTP load balancer on top of WSO2 gateway against nginx (ab)", Scale: 0.05, Rounds: 2,
	axes: []sweep.Axis{{Knob: users, Values: levels()}},
	flags: func(scale float64, _ int) []Flag {
		requests := strconv.Itoa(max(12_000, int(1e6*scale)))
		return append(slices.Clone(noDelay), Flag{"requests", requests}, Flag{"duration", seconds(80 * scale)}, Flag{"warmup", seconds(5 * scale)})
	},
	notYet: []gap{
		{"bare back end", "a measurement of the back end without a server before it"},
		{"heap", "a recording of the heap over time"},
	},
	differs: []string{
		"nginx and the load balancer forwarded requests to five back ends; here two servers do one handler's work.",
		"A test ends after the requests or the time, whichever comes first; requests on their way at the end are waited for, and counted.",
	},
	tables: gwlbTables,
}

// levels are the numbers of concurrent requests.
func levels() []string {
	all := []string{"500"}
	for n := 1000; n <= 12_000; n += 1000 {
		all = append(all, strconv.Itoa(n))
	}
	return all
}

func gwlbTables(r *Replica, s *sweep.Sweep, files fs.FS) ([]Table, error) {
	var all []Table
	for server, name := range s.Servers {
		tps := Table{File: name + "-tps.csv", Title: name + ": requests per second", Head: []string{"Concurrency", "tps"}}
		latency := Table{File: name + "-latency.csv", Title: name + ": mean time per request [ms]", Head: []string{"Concurrency", "meanLat"}}
		percents := Table{File: name + "-percentiles.csv", Title: name + ": percentiles of the time per request [ms]", Head: []string{"Concurrency"}}
		for p := range 101 {
			percents.Head = append(percents.Head, strconv.Itoa(p))
		}
		for i, f := range cells(s, server) {
			keys := []string{f.users()}
			tps.Rows = append(tps.Rows, f.row(keys, two(f.rate())))
			latency.Rows = append(latency.Rows, f.row(keys, two(f.MeanMS)))
			row := make([]string, 101)
			if f.bad == "" {
				var err error
				if row, err = percentiles(files, path.Join(s.Cells[i].Folder, name+"-response.hlog")); err != nil {
					return nil, fmt.Errorf("print the sweep as %s: %w", r.Name, err)
				}
			}
			percents.Rows = append(percents.Rows, f.row(keys, row...))
		}
		all = append(all, tps, latency, percents)
	}
	return all, nil
}

// percentiles are those from 0 to 100 of all rounds in a histogram log, in milliseconds.
func percentiles(files fs.FS, name string) ([]string, error) {
	file, err := files.Open(name)
	if err != nil {
		return nil, err
	}
	defer func() { _ = file.Close() }() // it was only read
	rounds, err := results.ReadHistogramLog(file)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	sum := results.Pooled(rounds)
	if sum == nil {
		return nil, fmt.Errorf("%s has no round", name)
	}
	var row []string
	for p := range 101 {
		row = append(row, strconv.FormatFloat(float64(sum.ValueAtQuantile(float64(p)))/1e3, 'f', 3, 64))
	}
	return row, nil
}
