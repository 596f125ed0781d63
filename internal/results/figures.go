package results

// Figures are what was measured on one server in one round, or in all its rounds together. Times are response times:
// from the moment a request was due to the last byte of its answer, connecting included. Percentiles of a total come
// from the merged times of its rounds.
type Figures struct {
	// Order is the round's place among the rounds of both servers, from 1; 0 in a total.
	Order int `json:"order"`

	// Requests were planned: sent or dropped. Sent ones were completed, timed out, reset, refused, aborted, or in
	// flight at the end; nothing else can become of a request.
	Requests      int `json:"requests"`
	Sent          int `json:"sent"`
	Completed     int `json:"completed"`
	TimedOut      int `json:"timed_out"`
	Refused       int `json:"refused"`
	Reset         int `json:"reset"`
	Aborted       int `json:"aborted"`
	Dropped       int `json:"dropped"`
	InFlightAtEnd int `json:"in_flight_at_end"`
	// Late were sent more than 10 ms after they were due; SendLagP99MS is that delay of 99 % of the sent requests. Both
	// are 0 in a closed loop.
	Late         int     `json:"late"`
	SendLagP99MS float64 `json:"send_lag_p99_ms"`
	// Failed is all that were sent and not completed with a 2xx answer.
	Failed int `json:"failed"`
	// Non2xx are completed requests whose answer was not 2xx.
	Non2xx int `json:"non_2xx"`

	DurationS     float64 `json:"duration_s"`
	ThroughputRPS float64 `json:"throughput_rps"`
	// GoodputRPS counts 2xx answers alone.
	GoodputRPS float64 `json:"goodput_rps"`

	MeanMS float64 `json:"mean_ms"`
	SDMS   float64 `json:"sd_ms"`
	MinMS  float64 `json:"min_ms"`
	P50MS  float64 `json:"p50_ms"`
	P66MS  float64 `json:"p66_ms"`
	P75MS  float64 `json:"p75_ms"`
	P80MS  float64 `json:"p80_ms"`
	P90MS  float64 `json:"p90_ms"`
	P95MS  float64 `json:"p95_ms"`
	P98MS  float64 `json:"p98_ms"`
	P99MS  float64 `json:"p99_ms"`
	P999MS float64 `json:"p99_9_ms"`
	MaxMS  float64 `json:"max_ms"`

	ServerCPUUSPerRequest float64 `json:"server_cpu_us_per_request"`
	ServerCPUS            float64 `json:"server_cpu_s"`
	ServerRSSBytes        int64   `json:"server_rss_bytes"`
	ServerThreads         int     `json:"server_threads"`
	CtxSwitchesPerRequest float64 `json:"ctx_switches_per_request"`
	CtxSwitchesVoluntary  int64   `json:"ctx_switches_voluntary"`
	CtxSwitchesForced     int64   `json:"ctx_switches_involuntary"`

	// GeneratorCPUShare is the CPU time of the load runner over the duration, in cores.
	GeneratorCPUShare float64 `json:"generator_cpu_share"`
}

// Cores is how many cores the server kept busy, 0 for a round without duration.
func (f Figures) Cores() float64 {
	if f.DurationS <= 0 {
		return 0
	}
	return f.ServerCPUS / f.DurationS
}

// FailedTooMuch is the share of requests without a 2xx answer above which a server did another work than one that
// answered all: its times are not those of requests that were served.
const FailedTooMuch = 0.01

// FailedShare is the share of the sent requests that got no 2xx answer, 0 when none was sent.
func (f Figures) FailedShare() float64 {
	if f.Sent == 0 {
		return 0
	}
	return float64(f.Failed) / float64(f.Sent)
}
