package predict

import (
	"errors"
	"time"

	"poolvsloop/internal/queueing"
	"poolvsloop/internal/results"
)

// Costs are those of both servers when nobody measured them: server CPU per request of the committed example run in
// results/example, rounded. The processors are the servers' alone.
var Costs = map[string]Cost{ThreadPool: {CPU: 330 * time.Microsecond}, EventLoop: {CPU: 210 * time.Microsecond}}

// Forecast says what is to be predicted.
type Forecast struct {
	Config results.Config
	Load   Load
	// Clients are the numbers of clients of a closed loop to predict for, in the order of the report; empty for the one
	// in Config, or for arrivals.
	Clients []int
	Costs   map[string]Cost
	Cores   int
}

// Predictions returns those of both servers, for each number of clients. The error names the flag that is wrong.
func (f Forecast) Predictions() ([]results.Prediction, error) {
	var all []results.Prediction
	clients := f.Clients
	if len(clients) == 0 {
		clients = []int{f.Config.Concurrency}
	}
	for _, f.Config.Concurrency = range clients {
		for _, server := range []string{ThreadPool, EventLoop} {
			in, err := Inputs(server, f.Config, f.Load, f.Costs[server], f.Cores)
			if err != nil {
				return nil, err
			}
			all = append(all, Document(server, in, queueing.Predict(in)))
		}
	}
	return all, nil
}

// mostSwept bounds the numbers of clients of one forecast, so that it stays a matter of seconds.
const mostSwept = 50

// Validate says what is wrong with it, all in one error, or nil. The settings are checked by who reads them.
func (f Forecast) Validate() error {
	var all []error
	if f.Load.Rate < 0 || f.Load.Rate > 1e6 {
		all = append(all, errors.New("--rate: want 0 (clients) to 1000000 a second"))
	}
	if f.Load.Rate > 0 && (len(f.Clients) > 0 || f.Load.Think > 0) {
		all = append(all, errors.New("--rate has no clients: leave out --sweep-c and --think"))
	}
	if f.Load.Evenly && f.Load.Rate == 0 {
		all = append(all, errors.New("--evenly needs --rate: clients have no arrivals"))
	}
	if f.Load.Think < 0 || f.Load.Think > time.Hour {
		all = append(all, errors.New("--think: want 0 to 1h"))
	}
	if len(f.Clients) > mostSwept {
		all = append(all, errors.New("--sweep-c: want 50 numbers at most"))
	}
	for _, c := range f.Clients {
		if c < 1 || c > 100_000 {
			all = append(all, errors.New("--sweep-c: want numbers of clients, 1 to 100000"))
			break
		}
	}
	for _, cost := range f.Costs {
		if cost.CPU < 0 || cost.CPU > time.Minute || cost.OtherCPU < 0 || cost.OtherCPU > time.Minute {
			all = append(all, errors.New("--cpu, --other-cpu: want 0 to 1m"))
			break
		}
	}
	if f.Cores < 1 || f.Cores > 1024 {
		all = append(all, errors.New("--cores: want 1 to 1024"))
	}
	return errors.Join(all...)
}
