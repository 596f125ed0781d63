package queueing

import (
	"time"

	"poolvsloop/internal/latency"
)

// Inputs is all that a prediction is derived from: how the load, the server and the world are configured, and what one
// run with one client said of the cost of a request. Nothing in it is measured under the load that is predicted.
type Inputs struct {
	// Clients send in a closed loop and think for Think between requests; 0 for an open loop of Rate arrivals a second,
	// as a Poisson process or evenly.
	Clients int
	Think   time.Duration
	Rate    float64
	Evenly  bool

	// Workers and Queue are a pool's, [Unlimited] for no limit. Rejects says that a full queue rejects; otherwise
	// requests wait in front of it. An event loop has Workers [Unlimited], or with a bound of requests in progress that
	// many and no queue.
	Workers, Queue int
	Rejects        bool
	// KeepsConnection says that a worker serves the requests of one connection until that closes, and that the clients
	// keep theirs.
	KeepsConnection bool
	// Loops are an event loop's, 0 for a pool. Blocking says that its calls block it.
	Loops    int
	Blocking bool

	// A and B are the delays of the downstreams, Cache is what one call of the cache takes. A request asks A, the cache
	// and B, and the cache again when it missed, which a share of 1 − HitRatio does. Overhead is what else it waits for.
	A, B            latency.Model
	Cache, Overhead time.Duration
	HitRatio        float64

	// CPU is what a request costs the server, OtherCPU what it costs the programs that share the server's cores: the
	// load runner, the downstreams, the cache. Cores are those of the machine.
	CPU, OtherCPU time.Duration
	Cores         int

	// Unseen names what bounds the system and is in no model, "" for nothing: a known weakness.
	Unseen string

	// Seed is that of the simulation.
	Seed uint64
}

// service describes how long a request is served when it meets no other.
type service struct {
	wait     float64 // in A, B, the cache and elsewhere
	cpu      float64 // of the server, and of others beside it
	variance float64
}

func (s service) alone() float64 { return s.wait + s.cpu }

// scv is the squared coefficient of variation.
func (s service) scv() float64 {
	if s.alone() == 0 {
		return 0
	}
	return s.variance / (s.alone() * s.alone())
}

func (in Inputs) service() service {
	a, scvA := Moments(in.A)
	b, scvB := Moments(in.B)
	return service{
		wait: a + b + in.Cache.Seconds()*(2-in.HitRatio) + in.Overhead.Seconds(), cpu: (in.CPU + in.OtherCPU).Seconds(),
		variance: a*a*scvA + b*b*scvB,
	}
}

// normal replaces what a mistake or a rule makes of the configuration by what it amounts to. Of the clients it leaves
// those out that have no place: unserved ones wait for a worker that keeps another's connection, rejected ones find the
// queue full and take nothing from the others.
func (in Inputs) normal() (out Inputs, unserved, rejected int) {
	if in.Blocking {
		in.Workers, in.Queue, in.Rejects = in.Loops, Unlimited, false
	}
	if !in.Rejects {
		in.Queue = Unlimited
	}
	if in.KeepsConnection && in.Workers != Unlimited {
		unserved = max(0, in.Clients-in.Workers)
	}
	if in.Workers != Unlimited && in.Queue != Unlimited {
		rejected = max(0, in.Clients-unserved-in.Workers-in.Queue)
	}
	in.Clients -= unserved + rejected
	return in, unserved, rejected
}

// cores is how many of the machine's cores the server can use.
func (in Inputs) cores() int {
	if in.Loops > 0 {
		return min(in.Loops, in.Cores)
	}
	return in.Cores
}

// shared says that all cores are what limits computing, which the programs beside the server share; otherwise the loops
// are, of which there are fewer, and those programs have the other cores.
func (in Inputs) shared() bool {
	return in.cores() == in.Cores || in.CPU*time.Duration(in.Cores) <= (in.CPU+in.OtherCPU)*time.Duration(in.cores())
}

// network is what happens to a request that is served: its waits, and the cores that it needs.
func (in Inputs) network(s service) Network {
	if in.shared() {
		return Network{s.wait, []Station{{s.cpu, in.Cores}}}
	}
	return Network{s.wait + in.OtherCPU.Seconds(), []Station{{in.CPU.Seconds(), in.cores()}}}
}

// fixed is a delay that is always the same.
type fixed time.Duration

// Delay implements [latency.Model].
func (f fixed) Delay(float64) time.Duration { return time.Duration(f) }

// slice is how long a request of a pool computes at most before Go gives another one its core.
const slice = 10 * time.Millisecond

// simulated is how many requests a simulation counts, at least; perClient how many of each client.
const (
	simulated = 50_000
	perClient = 20
)

// simulation is that of the same system.
func (in Inputs) simulation() Simulation {
	s := Simulation{
		Clients: in.Clients, Rate: in.Rate, Evenly: in.Evenly, Workers: in.Workers, Queue: in.Queue, Rejection: in.CPU,
		Waits: []Wait{{in.A, 1}, {fixed(in.Cache), 1}, {in.B, 1}, {fixed(in.Cache), 1 - in.HitRatio}, {fixed(in.Overhead), 1}},
		CPU:   fixed(in.CPU + in.OtherCPU), Cores: in.Cores, Seed: in.Seed,
		Requests: max(simulated, perClient*in.Clients), Warmup: simulated/10 + 3*in.Clients,
	}
	if in.Think > 0 {
		s.Think = fixed(in.Think)
	}
	if in.Loops == 0 {
		s.Slice = slice
	}
	if !in.shared() {
		s.CPU, s.Cores = fixed(in.CPU), in.cores()
		s.Waits = append(s.Waits, Wait{fixed(in.OtherCPU), 1})
	}
	return s
}
