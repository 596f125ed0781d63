package results

// Calibration is what one client, with nobody beside it, saw of a server before the measurement: the cost of a request
// that a prediction needs and no setting tells. Times are means over its requests.
type Calibration struct {
	Server   string `json:"server"`
	Requests int    `json:"requests"`
	// MeanMS is the response time, WaitMS the part of it that A and B were told to take.
	MeanMS float64 `json:"mean_ms"`
	WaitMS float64 `json:"wait_ms"`
	// ServerCPUUS is CPU time of the server, OtherCPUUS of the load runner, the downstreams and the cache on the same
	// machine; null when that is not known.
	ServerCPUUS float64 `json:"server_cpu_us"`
	OtherCPUUS  Number  `json:"other_cpu_us"`
}

// Prediction is what a server was expected to do, derived from its configuration and the calibration alone, and what it
// did.
type Prediction struct {
	Server string           `json:"server"`
	Inputs PredictionInputs `json:"inputs"`
	// Model is where throughput and mean come from; percentiles come from a simulation.
	Model string `json:"model"`
	// Bounds are the limits of the throughput, the lowest first.
	Bounds []Bound `json:"bounds"`
	// KneeClients is the number of clients from which on requests queue.
	KneeClients Number `json:"knee_clients"`

	Predicted Predicted `json:"predicted"`
	Measured  Predicted `json:"measured"`
	// ErrorPercent is (predicted − measured) / measured.
	ErrorPercent Predicted `json:"error_percent"`
	// ModelOff are the figures that are off by more than 10 %.
	ModelOff []string `json:"model_off"`
	// Weak says why the model may be off, as far as that was known before.
	Weak []string `json:"weak"`
	// Laws hold whatever the model: a broken one is an error of the measurement.
	Laws []Law `json:"laws"`
}

// PredictionInputs are what a prediction was derived from.
type PredictionInputs struct {
	Clients int     `json:"clients"`
	RateRPS float64 `json:"rate_rps"`
	// Workers is null for a server that has no bound, Queue for a queue without one.
	Workers    Number  `json:"workers"`
	Queue      Number  `json:"queue"`
	Cores      int     `json:"cores"`
	WaitMS     float64 `json:"wait_ms"`
	OverheadMS float64 `json:"overhead_ms"`
	CPUUS      float64 `json:"cpu_us"`
	OtherCPUUS float64 `json:"other_cpu_us"`
	Seed       uint64  `json:"seed"`
}

// Bound is a limit of the throughput.
type Bound struct {
	Name  string  `json:"name"`
	Means string  `json:"means"`
	RPS   float64 `json:"rps"`
}

// Predicted are the figures of a prediction, as predicted, as measured, or the error of them; null is not known.
type Predicted struct {
	ThroughputRPS Number `json:"throughput_rps"`
	MeanMS        Number `json:"mean_ms"`
	P50MS         Number `json:"p50_ms"`
	P90MS         Number `json:"p90_ms"`
	P99MS         Number `json:"p99_ms"`
	BusyWorkers   Number `json:"busy_workers"`
	QueueLength   Number `json:"queue_length"`
	BlockedShare  Number `json:"blocked_share"`
}

// Law is one operational law: both sides of its equation, as measured, and whether it holds.
type Law struct {
	Name string  `json:"name"`
	LHS  float64 `json:"lhs"`
	// Relation of LHS to RHS: =, <= or >=.
	Relation string  `json:"relation"`
	RHS      float64 `json:"rhs"`
	OK       bool    `json:"ok"`
}
