package single

import (
	"time"

	"poolvsloop/internal/load"
	"poolvsloop/internal/results"
	"poolvsloop/internal/stats"
)

// Schema is the version of the JSON document.
const Schema = "poolvsloop/single/1"

// Names of models.
const (
	closedLoop = "closed"
	openLoop   = "open"
	partlyOpen = "partly open"
)

// Report is what one run on one target says. It is the JSON document of loadrunner run; units are in the names.
type Report struct {
	Schema         string    `json:"schema"`
	Started        time.Time `json:"started"`
	URL            string    `json:"url"`
	Valid          bool      `json:"valid"`
	InvalidReasons []string  `json:"invalid_reasons"`
	Warnings       []string  `json:"warnings"`
	Gates          []Gate    `json:"fail_if"`

	Model         Model          `json:"model"`
	DurationS     float64        `json:"duration_s"`
	ThroughputRPS float64        `json:"throughput_rps"`
	GoodputRPS    float64        `json:"goodput_rps"`
	Requests      Requests       `json:"requests"`
	ByStatus      map[int]int    `json:"by_status"`
	Failures      map[string]int `json:"failures"`
	Response      Times          `json:"response"`
	Service       Times          `json:"service"`
	SendLag       Times          `json:"send_lag"`
	Connections   Connections    `json:"connections"`
	Fairness      Fairness       `json:"fairness"`
	LittlesLaw    LittlesLaw     `json:"littles_law"`
	Generator     Generator      `json:"generator"`
	TLS           *TLS           `json:"tls"`
	Seconds       []Second       `json:"seconds"`
	// Series is the run second by second with its percentiles, and Timeline what the events did; empty and null without
	// events.
	Series   []results.Second  `json:"series"`
	Timeline *results.Timeline `json:"timeline"`
	// Crowds is what became of the clients beside those of the run.
	Crowds []results.Crowd `json:"crowds"`

	distributions map[string]*Distribution
	result        *load.Result
}

// Model is how the load was made.
type Model struct {
	// Loop is closed, open, or partly open.
	Loop     string  `json:"loop"`
	Clients  int     `json:"clients"`
	ThinkS   float64 `json:"think_s"`
	Arrivals string  `json:"arrivals"`
	// Stages are the rates of an open loop, as --stages takes them.
	Stages        string `json:"stages"`
	MaxInFlight   int    `json:"max_in_flight"`
	KeepAlive     bool   `json:"keep_alive"`
	PerConnection int    `json:"per_connection"`
	Pipeline      int    `json:"pipeline"`
}

// Requests is the books of the run: planned = sent + dropped, sent = answered + timed_out + reset + refused + aborted +
// in_flight_at_end, answered = ok_2xx + non_2xx.
type Requests struct {
	Planned       int `json:"planned"`
	Sent          int `json:"sent"`
	Dropped       int `json:"dropped"`
	Answered      int `json:"answered"`
	OK2xx         int `json:"ok_2xx"`
	Non2xx        int `json:"non_2xx"`
	TimedOut      int `json:"timed_out"`
	Reset         int `json:"reset"`
	Refused       int `json:"refused"`
	Aborted       int `json:"aborted"`
	InFlightAtEnd int `json:"in_flight_at_end"`
	Failed        int `json:"failed"`
	// Late were sent more than 10 ms after they were due.
	Late int `json:"late"`
}

// Times are the figures of a distribution. Mean, deviation, min and max are of the answered requests.
type Times struct {
	Count       int64    `json:"count"`
	MeanMS      float64  `json:"mean_ms"`
	SDMS        float64  `json:"sd_ms"`
	MinMS       float64  `json:"min_ms"`
	MaxMS       float64  `json:"max_ms"`
	Clamped     int64    `json:"clamped"`
	Percentiles []Ranked `json:"percentiles"`
}

// Ranked is a percentile of the document; the figures are null when there are too few requests for it.
type Ranked struct {
	Percent float64  `json:"percent"`
	MS      *float64 `json:"ms"`
	// AtLeast says that the percentile is that or more, for want of answers.
	AtLeast       bool     `json:"at_least"`
	LowMS         *float64 `json:"ci_low_ms"`
	HighMS        *float64 `json:"ci_high_ms"`
	NeedsRequests int      `json:"needs_requests"`
}

// Connections is what became of connections.
type Connections struct {
	Opened int `json:"opened"`
	Reused int `json:"reused"`
	// ClosedByServer were ended behind an answer, ClosedOnRequest when the next request was on its way: that one failed
	// and was not sent again. Unasked were hung up because the server sent what nobody had asked for.
	ClosedByServer     int `json:"closed_by_server"`
	ClosedOnRequest    int `json:"closed_on_request"`
	Unasked            int `json:"unasked"`
	SourceAddresses    int `json:"source_addresses"`
	IdleOpened         int `json:"idle_opened"`
	IdleFailed         int `json:"idle_failed"`
	IdleClosedByServer int `json:"idle_closed_by_server"`
}

// Fairness is how the answers were spread over the clients of a closed loop.
type Fairness struct {
	Clients int     `json:"clients"`
	Starved int     `json:"starved"`
	Min     int     `json:"min"`
	Median  int     `json:"median"`
	Max     int     `json:"max"`
	Jain    float64 `json:"jain"`
	// OldestUnansweredS is the age of the oldest request that got no answer in time.
	OldestUnansweredS float64 `json:"oldest_unanswered_s"`
}

// LittlesLaw is X·(R+Z), the clients that throughput, response and think time account for.
type LittlesLaw struct {
	InFlight float64 `json:"in_flight"`
	Clients  int     `json:"clients"`
	Ratio    float64 `json:"ratio"`
}

// Generator is what the load engine used itself.
type Generator struct {
	Threads     int     `json:"threads"`
	BusiestLoop float64 `json:"busiest_loop_share"`
	// NeediestLoop is the share with the time that a loop waited for a processor.
	NeediestLoop    float64 `json:"neediest_loop_share"`
	CPUUSPerRequest float64 `json:"cpu_us_per_request"`
	EventLagMeanMS  float64 `json:"event_lag_mean_ms"`
	EventLagMaxMS   float64 `json:"event_lag_max_ms"`
	// TurnaroundMeanMS is how long a client of a closed loop without think time lay idle before a request, on average.
	TurnaroundMeanMS float64 `json:"turnaround_mean_ms"`
	// AchievedRate is sent over planned, of an open loop; 1 in a closed one.
	AchievedRate float64 `json:"achieved_rate"`
}

// TLS describes the connections of an https run.
type TLS struct {
	Version    string `json:"version"`
	Cipher     string `json:"cipher"`
	Handshakes int    `json:"handshakes"`
	Resumed    int    `json:"resumed"`
}

// Second is one second of the run.
type Second struct {
	Second        int     `json:"second"`
	Answered      int     `json:"answered"`
	Failed        int     `json:"failed"`
	MaxResponseMS float64 `json:"max_response_ms"`
}

// percents are the percentiles of every report.
var percents = []float64{50, 75, 90, 95, 99, 99.9, 99.99}

// NewReport makes the report of a run and judges it.
func NewReport(p *Plan, r *load.Result) *Report {
	response, service, lag := responses(r), exact(r.Service), exact(r.SendLag)
	x := &Report{
		Schema: Schema, Started: r.Started, URL: p.URL.String(), InvalidReasons: []string{}, Warnings: []string{}, Gates: []Gate{},
		Model: model(p), DurationS: r.Duration.Seconds(), ThroughputRPS: r.Throughput(), GoodputRPS: r.Goodput(), ByStatus: r.ByStatus, Failures: r.Failures,
		Requests: requests(r), Connections: connections(r), Fairness: fairness(r), Generator: generator(p, r), TLS: tlsOf(r),
		Response: times(r.Response, &response), Service: times(r.Service, &service), SendLag: times(r.SendLag, &lag),
		Seconds: seriesOf(r), Series: []results.Second{}, result: r,
		distributions: map[string]*Distribution{"response": &response, "service": &service, "lag": &lag},
	}
	if x.Model.Loop == closedLoop {
		l := stats.LittlesLawOf(answering(r), x.Response.MeanMS/1e3+x.Model.ThinkS, r.Clients*max(1, x.Model.Pipeline))
		x.LittlesLaw = LittlesLaw{InFlight: l.InFlight, Clients: l.Clients, Ratio: l.Ratio}
	} else {
		x.LittlesLaw.InFlight = answering(r) * x.Response.MeanMS / 1e3
	}
	x.judge(p, r)
	for _, c := range p.Conditions {
		x.Gates = append(x.Gates, x.gate(c))
	}
	return x
}

// Percentile is a percentile of the response time.
func (x *Report) Percentile(percent float64) Percentile {
	return x.distributions["response"].Percentile(percent)
}
