package compare

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io/fs"
	"path/filepath"

	"poolvsloop/internal/load"
	"poolvsloop/internal/page"
	"poolvsloop/internal/report"
	"poolvsloop/internal/results"
)

// files returns everything that a run leaves behind.
func (e *Evidence) files(run *results.Run) ([]results.File, error) {
	document, err := marshal(results.Document, run)
	if err != nil {
		return nil, err
	}
	predictions, err := marshal("prediction.json", run.Predictions)
	if err != nil {
		return nil, err
	}
	files := []results.File{
		{Name: results.Document, Body: document},
		{Name: "prediction.json", Body: predictions},
		{Name: "compare.txt", Body: []byte(report.Comparison(run))},
	}
	for _, target := range run.Targets {
		files = append(files, results.File{Name: target.Name + ".txt", Body: []byte(report.Server(run, target))})
		for _, log := range logged {
			body, err := e.histogramLog(Server(target.Name), log.times)
			if err != nil {
				return nil, err
			}
			files = append(files, results.File{Name: target.Name + "-" + log.name + ".hlog", Body: body})
		}
	}
	var bench bytes.Buffer
	if err := results.WriteBench(&bench, run); err != nil {
		return nil, err
	}
	return append(files, results.File{Name: "bench.txt", Body: bench.Bytes()}), nil
}

// among returns the content of one of the files.
func among(files []results.File) func(name string) ([]byte, error) {
	return func(name string) ([]byte, error) {
		for _, f := range files {
			if f.Name == name {
				return f.Body, nil
			}
		}
		return nil, &fs.PathError{Op: "open", Path: name, Err: fs.ErrNotExist}
	}
}

// where says where a run was saved, and the page about it when there is one.
func where(path string, pages []results.File) string {
	text := "Results: " + path + "\n"
	if len(pages) > 0 {
		text += "Page:    " + filepath.Join(path, page.Name) + "\n"
	}
	return text
}

// logged are the distributions of which the histograms are left behind.
var logged = []struct {
	name  string
	times func(*load.Result) load.Times
}{
	{"response", func(r *load.Result) load.Times { return r.Response }},
	{"service", func(r *load.Result) load.Times { return r.Service }},
}

// histogramLog returns the times of a server's rounds as an interval log.
func (e *Evidence) histogramLog(s Server, times func(*load.Result) load.Times) ([]byte, error) {
	var intervals []results.Interval
	for _, m := range of(s, e.Rounds) {
		intervals = append(intervals, results.Interval{
			Tag: fmt.Sprintf("round-%d", m.Round), Start: m.Load.Started, End: m.Load.Started.Add(m.Load.Duration),
			Times: times(m.Load).Histogram,
		})
	}
	var log bytes.Buffer
	err := results.WriteHistogramLog(&log, intervals)
	return log.Bytes(), err
}

// marshal returns a file of that name.
func marshal(name string, content any) ([]byte, error) {
	document, err := json.MarshalIndent(content, "", "  ")
	if err != nil {
		return nil, fmt.Errorf("write %s: %w", name, err)
	}
	return append(document, '\n'), nil
}

// Print returns a run in one of the formats [Text], [JSON] and [Markdown].
func Print(run *results.Run, format string) (string, error) {
	switch format {
	case JSON:
		document, err := marshal(results.Document, run)
		return string(document), err
	case Markdown:
		return report.Markdown(run), nil
	}
	return report.Text(run), nil
}
