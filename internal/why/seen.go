// Package why finds the resource that limited each server, from what was measured of all of them, and what would move
// that limit. It reads no clock, no socket and no file but that of a trace of delays.
package why

import (
	"fmt"
	"math"

	"poolvsloop/internal/lab"
	"poolvsloop/internal/predict"
	"poolvsloop/internal/results"
)

// Seen is one server over all its rounds.
type Seen struct {
	// Server is "threadpool" or "eventloop", Config the run's (of an attached lab with what its programs said).
	Server string
	Config results.Config
	// Cores are those that a server can use. DownstreamConns is the event loop's bound of connections to a downstream,
	// over all loops; 0 is not known.
	Cores           int
	DownstreamConns int

	Figures results.Figures
	// Own is what the server counted of its own resources, A and B what the downstreams did, and Cache the cache.
	Own   lab.Own
	A, B  lab.Ledger
	Cache lab.Counts
	// OthersCPU is CPU time in seconds of all programs beside the server on its machine, NaN when that is not known.
	OthersCPU float64
	// Periods and Throttled are those of the CPU quotas that could be looked at (of an attached lab only the load runner's):
	// all, and those in which a quota ran out. Periods is 0 without a quota.
	Periods, Throttled uint64
	// Generator is the share of one core, 0 to 1, that the load runner's loop used or waited for.
	Generator float64
	// AloneMS is the response time of a request that meets no other, NaN when that is not known. WaitMS is the part of it
	// that A and B were told to take, LateMS by how much they were late.
	AloneMS, WaitMS, LateMS float64
	// Calibration has the cost of a request, nil without one.
	Calibration *results.Calibration
}

// Names of resources and other limits.
const (
	CPU         = "CPU"
	LabCPU      = "CPU of the lab"
	CPUQuota    = "CPU quota"
	Loops       = "loops"
	ConnsA      = "connections to A"
	ConnsB      = "connections to B"
	Inflight    = "requests let in"
	Workers     = "workers"
	AcceptQueue = "accept queue"
	DownstreamA = "A"
	DownstreamB = "B"
	Cache       = "cache"
	LoadRunner  = "load runner"

	Clients = "clients"
	Rate    = "rate"
	Late    = "lateness of A and B"
	Unknown = "unknown"
)

// Resources are what the server and the lab used: seconds of use per second of measuring, which is the mean number in
// use (Little's law). The innermost come first.
func Resources(s Seen) []results.Resource {
	d := s.Figures.DurationS
	if d <= 0 {
		return nil
	}
	all := []results.Resource{resource(CPU, s.Figures.ServerCPUS/d, float64(s.Cores), "cores", "this server")}
	if !math.IsNaN(s.OthersCPU) {
		all = append(all, resource(LabCPU, (s.Figures.ServerCPUS+s.OthersCPU)/d, float64(s.Cores), "cores",
			"server, load runner, A, B and cache"))
	}
	if s.Periods > 0 {
		all = append(all, resource(CPUQuota, float64(s.Throttled), float64(s.Periods), "periods", s.quotaNote()))
	}
	inA, inB := calling(s.A, d), calling(s.B, d)
	if s.Server == predict.EventLoop {
		all = append(all, s.loopResources(d, inA, inB)...)
	} else {
		all = append(all,
			resource(Workers, s.Own.WorkersS/d, float64(s.Config.Workers), "workers", ""),
			resource(AcceptQueue, s.Own.QueueS/d, float64(s.Config.Queue), "places", ""))
	}
	return append(all,
		resource(DownstreamA, inA, 0, "calls", lateness(s.A)),
		resource(DownstreamB, inB, 0, "calls", lateness(s.B)),
		resource(Cache, float64(s.Cache.Gets+s.Cache.Sets)/d, 0, "commands/s", ""),
		resource(LoadRunner, s.Generator, 1, "cores", "its loop, with its wait for a core"))
}

// quotaNote says whose quotas were looked at.
func (s Seen) quotaNote() string {
	if s.Config.Lab == "attach" {
		return "ran out; of the load runner alone"
	}
	return "ran out, of the lab's groups"
}

func (s Seen) loopResources(d, inA, inB float64) []results.Resource {
	note := ""
	if s.Own.Ticks > 0 {
		note = fmt.Sprintf("mean loop lag %.2f ms", 1e3*s.Own.LagS/float64(s.Own.Ticks))
	}
	return []results.Resource{
		resource(Loops, s.Own.LoopsS/d, float64(s.loops()), "loops", note),
		resource(ConnsA, inA, float64(s.DownstreamConns), "connections", ""),
		resource(ConnsB, inB, float64(s.DownstreamConns), "connections", ""),
		resource(Inflight, s.Own.ServiceS/d, float64(s.Config.MaxInflight), "requests", ""),
	}
}

// loops is how many the event loop has.
func (s Seen) loops() int {
	if s.Config.Loops > 0 {
		return s.Config.Loops
	}
	return s.Cores
}

// resource makes a row; of <= 0 is no bound.
func resource(name string, used, of float64, unit, note string) results.Resource {
	r := results.Resource{
		Name: name, Used: results.Number(used), Of: results.Unknown, Unit: unit, Share: results.Unknown, Note: note,
	}
	if of > 0 {
		r.Of, r.Share = results.Number(of), results.Number(used/of)
	}
	return r
}

// calling is the mean number of calls in a downstream over d seconds.
func calling(l lab.Ledger, d float64) float64 { return float64(l.Calls) * l.DeliveredMS.Mean / 1e3 / d }

func lateness(l lab.Ledger) string {
	return fmt.Sprintf("%.1f ms wanted, %.2f ms late", l.IntendedMS.Mean, l.DeliveredMS.Mean-l.IntendedMS.Mean)
}
