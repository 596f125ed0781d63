package abreport

import (
	"strings"

	"poolvsloop/internal/load"
)

// Fill enters what a run of the load engine measured. What the report says of the target and of its own form (Host,
// Port, Path, TLS, VariableLength, KeepAlive, WithBody, NoConfidence, NoPercentiles, Median, and Concurrency when the
// engine had less clients than asked for) is the caller's; VariableLength must be set before.
//
// Every failed request is counted in one class: refused ones under Connect, reset and aborted ones under Receive,
// timed-out ones under Exceptions, and answers of another length than the first under Length.
//
// The times are those of all requests that were answered or timed out; a timed-out request counts with the time after
// which it was given up, so that what hangs can't improve the percentiles. Requests that were refused, reset or aborted
// have no answer time and count in no row. When the engine did not keep single times, ranks come from its histograms.
func (r *Report) Fill(x *load.Result) {
	r.ServerSoftware, _, _ = strings.Cut(x.Server, " ")
	r.Length = max(x.Length, 0)
	if r.Concurrency == 0 {
		r.Concurrency = x.Clients
	}
	r.Elapsed = x.Duration
	r.Complete = x.Answered
	r.Failed = Failed{Connect: x.Refused, Receive: x.Reset + x.Aborted, Length: x.Different, Exceptions: x.TimedOut}
	if r.VariableLength {
		r.Failed.Length = 0
	}
	r.Non2xx = x.Non2xx
	r.KeepAliveRequests = x.Kept
	r.TotalRead, r.HTMLRead, r.TotalSent = x.Read, x.Body, x.Written
	if x.Samples == nil {
		r.Connect, r.Processing, r.Waiting = approximate(x.Connect), approximate(x.Processing), approximate(x.Wait)
		r.Total = approximate(x.Response, x.GivenUp)
		return
	}
	r.fillExact(x.Samples)
}

// fillExact makes the series of single requests.
func (r *Report) fillExact(samples []load.Sample) {
	n := len(samples)
	connect, processing := make([]int64, 0, n), make([]int64, 0, n)
	waiting, total := make([]int64, 0, n), make([]int64, 0, n)
	for i := range samples {
		x := &samples[i]
		if !timed(x) {
			continue
		}
		connect = append(connect, int64(x.Connect))
		processing = append(processing, int64(x.Total)-int64(x.Connect))
		waiting = append(waiting, int64(x.Wait))
		total = append(total, int64(x.Total))
	}
	r.Connect, r.Processing, r.Waiting, r.Total = Exact(connect), Exact(processing), Exact(waiting), Exact(total)
}

// timed says whether a request's times count in the report.
func timed(x *load.Sample) bool { return x.Outcome == load.Answered || x.Outcome == load.TimedOut }

// approximate makes a series of histograms, leaving them as they are.
func approximate(parts ...load.Times) Series {
	all := parts[0].Clone()
	for _, p := range parts[1:] {
		all.Merge(&p)
	}
	return Histogram(all.Histogram, Moments{Min: all.Min, Max: all.Max, Sum: all.Sum, SumSquares: all.SumSquares})
}
