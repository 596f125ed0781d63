package results

import (
	"encoding/json"
	"math"
	"time"
)

// Config is every resolved flag of loadrunner compare. In attach mode the settings of servers and downstreams are those
// that the programs themselves report.
type Config struct {
	Name string `json:"name"`

	Requests    int     `json:"requests"`
	Concurrency int     `json:"concurrency"`
	Duration    Seconds `json:"duration_s"`
	KeepAlive   bool    `json:"keep_alive"`
	Rate        float64 `json:"rate_rps"`
	Arrivals    string  `json:"arrivals"`
	InFlight    int     `json:"in_flight"`
	Rounds      int     `json:"rounds"`
	Order       string  `json:"order"`
	Fresh       int     `json:"fresh"`
	Margin      float64 `json:"margin"`
	Same        string  `json:"same"`
	Handicap    int     `json:"handicap"`
	Warmup      Seconds `json:"warmup_s"`
	Timeout     Seconds `json:"timeout_s"`
	BodySize    int     `json:"body_size_bytes"`
	// At are the events of every round, as --at takes them, in the order of their times.
	At []string `json:"at"`
	// With are the crowds beside the clients that are measured, as --with takes them.
	With []string `json:"with"`

	// CostRate is 0 where the rate comes from the rounds, CostConnections where it is as many as there may be.
	Cost            bool    `json:"cost"`
	CostRate        float64 `json:"cost_rate_rps"`
	CostConnections int     `json:"cost_connections"`

	Workers     int    `json:"workers"`
	Queue       int    `json:"queue"`
	QueueFull   string `json:"queue_full"`
	Worker      string `json:"worker"`
	Dispatch    string `json:"dispatch"`
	Stack       string `json:"stack"`
	Loops       int    `json:"loops"`
	MaxInflight int    `json:"max_inflight"`
	Mistake     string `json:"mistake"`

	LatencyA string `json:"latency_a"`
	LatencyB string `json:"latency_b"`
	// The limits of A and B themselves: calls in service at once, calls a second; 0 is none.
	ConcurrencyLimitA int     `json:"concurrency_limit_a"`
	ConcurrencyLimitB int     `json:"concurrency_limit_b"`
	RateLimitA        float64 `json:"rate_limit_a_rps"`
	RateLimitB        float64 `json:"rate_limit_b_rps"`

	HitRatio float64 `json:"hit_ratio"`
	Keys     int     `json:"keys"`
	Seed     uint64  `json:"seed"`

	Lab              string `json:"lab"`
	Redis            string `json:"redis"`
	ThreadPool       string `json:"threadpool"`
	EventLoop        string `json:"eventloop"`
	ThreadPoolAdmin  string `json:"threadpool_admin"`
	EventLoopAdmin   string `json:"eventloop_admin"`
	DownstreamAAdmin string `json:"downstream_a_admin"`
	DownstreamBAdmin string `json:"downstream_b_admin"`

	Results string `json:"results"`
	Format  string `json:"format"`
	Quiet   bool   `json:"quiet"`
}

// Open says whether the load is an open loop: Rate arrivals a second, whatever became of earlier ones.
func (c Config) Open() bool { return c.Rate > 0 }

// Seconds is a duration that run.json holds as a number of seconds.
type Seconds time.Duration

// MarshalJSON implements [json.Marshaler].
func (s Seconds) MarshalJSON() ([]byte, error) { return json.Marshal(time.Duration(s).Seconds()) }

// UnmarshalJSON implements [json.Unmarshaler].
func (s *Seconds) UnmarshalJSON(b []byte) error {
	var seconds float64
	if err := json.Unmarshal(b, &seconds); err != nil {
		return err
	}
	*s = Seconds(math.Round(seconds * float64(time.Second)))
	return nil
}

// Number is a figure that may not exist (a ratio to zero, say): NaN and infinities are null in run.json.
type Number float64

// Unknown is the Number that does not exist.
var Unknown = Number(math.NaN())

// MarshalJSON implements [json.Marshaler].
func (n Number) MarshalJSON() ([]byte, error) {
	if v := float64(n); !math.IsNaN(v) && !math.IsInf(v, 0) {
		return json.Marshal(v)
	}
	return []byte("null"), nil
}

// UnmarshalJSON implements [json.Unmarshaler].
func (n *Number) UnmarshalJSON(b []byte) error {
	v := math.NaN()
	if err := json.Unmarshal(b, &v); err != nil {
		return err
	}
	*n = Number(v)
	return nil
}
