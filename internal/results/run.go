// Package results is what a run leaves behind: run.json and the files beside it in results/<UTC time>-<name>/. It
// measures and judges nothing.
package results

import (
	"time"

	"poolvsloop/internal/abreport"
)

// Schema is the version of run.json that this package writes; results/schema.json describes it.
const Schema = "poolvsloop/run/1"

// Run is run.json. Units are in the names of the keys.
type Run struct {
	Schema  string    `json:"schema"`
	ID      string    `json:"id"`
	Started time.Time `json:"started"`
	Argv    []string  `json:"argv"`
	// Valid says that every check passed; otherwise InvalidReasons has one line for each that did not.
	Valid          bool     `json:"valid"`
	InvalidReasons []string `json:"invalid_reasons"`
	// Interrupted says that the run was told to stop before its end.
	Interrupted bool `json:"interrupted"`
	// LateTail says that in some round more than 1 % of the delays of a downstream were too long: the slowest requests
	// are then its own in part.
	LateTail    bool        `json:"late_tail"`
	Environment Environment `json:"environment"`
	// Config is every resolved flag of the command, by its name in snake_case with its unit.
	Config     Config       `json:"config"`
	Targets    []Target     `json:"targets"`
	Comparison []Comparison `json:"comparison"`
	// Calibration has what a request costs each server, Predictions what that and the settings let expect.
	Calibration []Calibration `json:"calibration"`
	Predictions []Prediction  `json:"predictions"`
	// Cost is nil without --cost, or when nothing of it was measured.
	Cost *Cost `json:"cost"`
	// Explanations have how much of each resource each server used, and which one was its limit.
	Explanations []Explanation `json:"explanations"`
	// Why says what bounds each server, Next which command shows what this run did not; both empty when nothing was
	// measured.
	Why    string  `json:"why"`
	Next   string  `json:"next"`
	Checks []Check `json:"checks"`
}

// Environment is where the run took place.
type Environment struct {
	Host       string `json:"host"`
	Kernel     string `json:"kernel"`
	CPUs       int    `json:"cpus"`
	GoMaxProcs int    `json:"gomaxprocs"`
	// CgroupQuota is in cores; 0 is no quota.
	CgroupQuota float64 `json:"cgroup_quota"`
	SoMaxConn   int     `json:"somaxconn"`
	NoFile      uint64  `json:"nofile"`
	Go          string  `json:"go"`
	// Versions are those of the modules in the load runner and in the servers; "MODULE in SERVER" is one of which the
	// load runner has another version.
	Versions map[string]string `json:"versions"`
	Redis    Redis             `json:"redis"`
}

// Cores is how many processors a program can keep busy, at least 1: those of the machine, or what the cgroup allows.
func (e Environment) Cores() int {
	cores := e.GoMaxProcs
	if e.CgroupQuota > 0 {
		cores = min(cores, int(e.CgroupQuota+0.5))
	}
	return max(1, cores)
}

// Redis is the cache that both servers used.
type Redis struct {
	// Kind is redis-server or miniredis.
	Kind    string `json:"kind"`
	Version string `json:"version"`
}

// Target is one server and what was measured on it.
type Target struct {
	Name string `json:"name"`
	URL  string `json:"url"`
	// ServerConfig is what the server's admin port answered to GET /config.
	ServerConfig map[string]any `json:"server_config"`
	// Limits are those settings of ServerConfig that must be alike on both servers.
	Limits map[string]any `json:"limits"`
	Rounds []Figures      `json:"rounds"`
	Total  Figures        `json:"total"`
	// Steady is how each round went.
	Steady []Course `json:"steady"`
	// Series is each round second by second.
	Series []Series `json:"series"`
	// Crowds is what became of the crowds over all rounds, in the order of the configuration; none without.
	Crowds []Crowd `json:"crowds"`
	// Timeline is what the events of each round did, none without events.
	Timeline []Timeline `json:"timeline"`
	// AB is what ab would say of all rounds together, nil when none was measured.
	AB *abreport.Summary `json:"ab"`
	// Stages are where the time of sampled requests went, nil when none of them told.
	Stages     *Stages    `json:"stages"`
	Fairness   Fairness   `json:"fairness"`
	LittlesLaw LittlesLaw `json:"littles_law"`
	Ledger     Ledger     `json:"ledger"`
}

// Course is how the response times of a round went.
type Course struct {
	// Order is that of the round.
	Order int `json:"order"`
	// Verdict is flat, warming (they fell), drifting (they rose), or none (too few requests to tell).
	Verdict string `json:"verdict"`
	// Change is that from the first half to the second, relative; PValue that of the test for a trend.
	Change float64 `json:"change"`
	PValue float64 `json:"p_value"`
}

// Fairness is how the requests were spread over the clients, over all rounds.
type Fairness struct {
	Connections int `json:"connections"`
	// Starved clients got no answer at all in a round.
	Starved int     `json:"starved"`
	Min     int     `json:"min"`
	Median  float64 `json:"median"`
	Max     int     `json:"max"`
	// Jain is Jain's index, (Σx)²/(n·Σx²): 1 when all got the same.
	Jain float64 `json:"jain"`
}

// LittlesLaw compares the mean number of requests in progress, X·R, with the clients that sent them.
type LittlesLaw struct {
	XTimesR     float64 `json:"x_times_r"`
	Concurrency float64 `json:"concurrency"`
	Ratio       float64 `json:"ratio"`
}

// Ledger is what the dependencies of the servers counted, over all rounds.
type Ledger struct {
	ACalls    int64 `json:"a_calls"`
	BCalls    int64 `json:"b_calls"`
	CacheGets int64 `json:"cache_gets"`
	CacheHits int64 `json:"cache_hits"`
	CacheSets int64 `json:"cache_sets"`
}

// Comparison is one metric of both servers and what can be said about it.
type Comparison struct {
	Metric string `json:"metric"`
	Unit   string `json:"unit"`
	// Better is "higher" or "lower".
	Better string `json:"better"`
	// ThreadPool and EventLoop are medians over the rounds.
	ThreadPool float64 `json:"threadpool"`
	EventLoop  float64 `json:"eventloop"`
	// Ratio is the median of the ratios of every round of the event loop to every round of the thread pool; CILow and
	// CIHigh bound it with 95 % confidence.
	Ratio  Number `json:"ratio"`
	CILow  Number `json:"ci_low"`
	CIHigh Number `json:"ci_high"`
	// PValue is that of the Mann–Whitney test of the rounds, PHolm the same corrected for the number of metrics.
	PValue Number `json:"p_value"`
	PHolm  Number `json:"p_holm"`
	// RoundsToSettle is how many rounds would probably settle an inconclusive verdict; 0 when that is not known.
	RoundsToSettle int `json:"rounds_to_settle"`
	// Verdict is threadpool, eventloop, tie or inconclusive. Note says why it is inconclusive, or "".
	Verdict string `json:"verdict"`
	Note    string `json:"note"`
}

// Status of a check.
const (
	Passed     = "passed"
	Warning    = "warning"
	Failed     = "failed"
	NotChecked = "not checked"
)

// Check is one rule that the measurement must obey.
type Check struct {
	Name string `json:"name"`
	// OK is false for [Failed] alone: only that makes the run invalid.
	OK bool `json:"ok"`
	// Status is [Passed], [Warning] (to be read with the figures, but they stand), [Failed] or [NotChecked].
	Status string `json:"status"`
	// Figure is what was measured, at its worst over the rounds, Bound what it may not exceed, both in Unit; unknown
	// and empty for a rule that has none.
	Figure Number `json:"figure"`
	Bound  Number `json:"bound"`
	Unit   string `json:"unit"`
	Detail string `json:"detail"`
}
