// Package predict makes predictions of both servers from the settings of a run, and holds them against what was
// measured. The models are those of internal/queueing. It is pure but for a trace's file.
package predict

import (
	"fmt"
	"math"
	"strings"
	"time"

	"poolvsloop/internal/latency"
	"poolvsloop/internal/queueing"
	"poolvsloop/internal/results"
)

// Names of the servers.
const (
	ThreadPool = "threadpool"
	EventLoop  = "eventloop"
)

// Cost is what a request costs besides waiting for A and B.
type Cost struct {
	// CPU is time of the server, OtherCPU of the programs that share its processors. Overhead is what else it waits for:
	// the cache, timers that are late, the network.
	CPU, OtherCPU, Overhead time.Duration
}

// CostOf reads the cost from a calibration. What is not known of other programs counts as overhead.
func CostOf(c results.Calibration) Cost {
	other := float64(c.OtherCPUUS)
	if math.IsNaN(other) {
		other = 0
	}
	return Cost{
		CPU: micros(c.ServerCPUUS), OtherCPU: micros(other),
		Overhead: micros(max(0, 1e3*(c.MeanMS-c.WaitMS)-c.ServerCPUUS-other)),
	}
}

func micros(us float64) time.Duration { return time.Duration(us * float64(time.Microsecond)) }

// Load is an open loop in place of the clients of a [results.Config]: Rate arrivals a second, 0 for the clients. Think
// is a client's pause between requests.
type Load struct {
	Rate   float64
	Evenly bool
	Think  time.Duration
}

// Inputs returns what a prediction of that server is derived from. cores are those of the machine. The error names the
// latency model that cannot be read.
func Inputs(server string, c results.Config, l Load, cost Cost, cores int) (queueing.Inputs, error) {
	in := queueing.Inputs{
		Clients: c.Concurrency, Think: l.Think, Rate: l.Rate, Evenly: l.Evenly, HitRatio: c.HitRatio,
		Unseen: unseen(c), CPU: cost.CPU, OtherCPU: cost.OtherCPU, Overhead: cost.Overhead, Cores: cores, Seed: c.Seed,
	}
	if l.Rate > 0 {
		in.Clients = 0
	}
	var err error
	if in.A, err = latency.Parse(c.LatencyA, latency.OpenFile); err != nil {
		return in, fmt.Errorf("--latency-a: %w", err)
	}
	if in.B, err = latency.Parse(c.LatencyB, latency.OpenFile); err != nil {
		return in, fmt.Errorf("--latency-b: %w", err)
	}
	if server == ThreadPool {
		in.Workers, in.Queue = c.Workers, c.Queue
		in.Rejects = c.QueueFull != "wait" && c.Queue >= 0
		in.KeepsConnection = c.Dispatch == "connection" && c.KeepAlive
		return in, nil
	}
	in.Workers, in.Loops, in.Blocking = queueing.Unlimited, c.Loops, c.Mistake == "block"
	if in.Loops == 0 {
		in.Loops = cores
	}
	if c.MaxInflight > 0 {
		in.Workers, in.Rejects = c.MaxInflight, true
	}
	return in, nil
}

// unseen names the limits of A and B themselves, which no model has; "" when they have none.
func unseen(c results.Config) string {
	var limits []string
	for _, l := range []struct {
		flag  string
		limit float64
	}{
		{"--concurrency-limit-a", float64(c.ConcurrencyLimitA)}, {"--concurrency-limit-b", float64(c.ConcurrencyLimitB)},
		{"--rate-limit-a", c.RateLimitA}, {"--rate-limit-b", c.RateLimitB},
	} {
		if l.limit > 0 {
			limits = append(limits, fmt.Sprintf("%s %g", l.flag, l.limit))
		}
	}
	return strings.Join(limits, ", ")
}
