package abreport

import (
	"fmt"
	"io"
	"time"
)

// Summary is a report without the single times: all that [Write] prints, to be kept in a JSON document and printed again
// by [WriteSummary]. Times are in microseconds, sizes in bytes.
type Summary struct {
	ServerSoftware string `json:"server_software"`
	Host           string `json:"host"`
	Port           int    `json:"port"`
	Path           string `json:"path"`
	// DocumentLength is the body length of the first answer.
	DocumentLength int      `json:"document_length_bytes"`
	Concurrency    int      `json:"concurrency"`
	ElapsedUS      int64    `json:"elapsed_us"`
	Complete       int      `json:"complete"`
	Failed         Failed   `json:"failed"`
	Non2xx         int      `json:"non_2xx"`
	KeepAlive      bool     `json:"keep_alive"`
	Kept           int      `json:"keep_alive_requests"`
	WithBody       bool     `json:"with_body"`
	TotalRead      int64    `json:"total_read_bytes"`
	BodyRead       int64    `json:"body_read_bytes"`
	TotalSent      int64    `json:"total_sent_bytes"`
	Connect        Row      `json:"connect"`
	Processing     Row      `json:"processing"`
	Waiting        Row      `json:"waiting"`
	Total          Row      `json:"total"`
	Served         []Served `json:"served"`
}

// Served is a row of ab's last table.
type Served struct {
	Percent float64 `json:"percent"`
	US      int64   `json:"us"`
}

// Summary returns the report without TLS and the switches of ab's command line, which a comparison does not have.
func (r *Report) Summary() *Summary {
	f := r.Figures()
	s := &Summary{
		ServerSoftware: r.ServerSoftware, Host: r.Host, Port: r.Port, Path: r.Path, DocumentLength: r.Length,
		Concurrency: r.Concurrency, ElapsedUS: r.Elapsed.Microseconds(), Complete: r.Complete, Failed: r.Failed,
		Non2xx: r.Non2xx, KeepAlive: r.KeepAlive, Kept: r.KeepAliveRequests, WithBody: r.WithBody,
		TotalRead: r.TotalRead, BodyRead: r.HTMLRead, TotalSent: r.TotalSent,
		Connect: f.Connect, Processing: f.Processing, Waiting: f.Waiting, Total: f.Total,
	}
	for _, p := range f.Percentiles {
		if !p.extra {
			s.Served = append(s.Served, Served{Percent: p.Percent, US: p.Micros})
		}
	}
	return s
}

// WriteSummary prints what [Write] prints of the report that s was made of; open is nil for a closed loop. The error is
// that of w.
func WriteSummary(w io.Writer, s *Summary, open *Open) error {
	r := &Report{
		Open:           open,
		ServerSoftware: s.ServerSoftware, Host: s.Host, Port: s.Port, Path: s.Path, Length: s.DocumentLength,
		Concurrency: s.Concurrency, Elapsed: time.Duration(s.ElapsedUS) * time.Microsecond, Complete: s.Complete,
		Failed: s.Failed, Non2xx: s.Non2xx, KeepAlive: s.KeepAlive, KeepAliveRequests: s.Kept, WithBody: s.WithBody,
		TotalRead: s.TotalRead, HTMLRead: s.BodyRead, TotalSent: s.TotalSent,
	}
	f := r.Figures()
	f.Connect, f.Processing, f.Waiting, f.Total, f.Percentiles = s.Connect, s.Processing, s.Waiting, s.Total, nil
	for _, p := range s.Served {
		f.Percentiles = append(f.Percentiles, Percentile{Percent: p.Percent, Micros: p.US})
	}
	if _, err := io.WriteString(w, r.text(f)); err != nil {
		return fmt.Errorf("write report: %w", err)
	}
	return nil
}
