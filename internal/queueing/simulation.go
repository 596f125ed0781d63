package queueing

import (
	"math/rand/v2"
	"slices"
	"time"

	"poolvsloop/internal/latency"
)

// Unlimited stands for places without end: of a queue, or of workers.
const Unlimited = -1

// Simulation is a discrete-event simulation of one server: requests arrive, take one of Workers places or wait for one
// in order of arrival, and alternate there between computing on a core and waiting for a downstream.
type Simulation struct {
	// Clients send in a closed loop and think between requests, when Think is not nil. With none of them, requests
	// arrive at Rate per second, as a Poisson process or evenly.
	Clients int
	Think   latency.Model
	Rate    float64
	Evenly  bool

	// Workers and Queue are the places, [Unlimited] for no limit. A request that finds none is rejected; a client knows
	// it after Rejection.
	Workers, Queue int
	Rejection      time.Duration

	// Waits are what a request waits for, in order. It computes before, between and behind them, CPU in all, which is
	// split evenly. Cores are shared in order of arrival; a turn on a core lasts Slice at most, 0 for as long as it takes.
	Waits []Wait
	CPU   latency.Model
	Cores int
	Slice time.Duration

	// Requests end the simulation once that many were served or rejected, after Warmup more that no figure contains.
	Requests, Warmup int
	Seed             uint64
}

// Wait is a wait that a share of the requests has, 0 to 1.
type Wait struct {
	Model latency.Model
	Share float64
}

// Simulated is what a simulation saw after its warm-up. Times are response times of served requests.
type Simulated struct {
	Arrived, Served, Rejected int
	// InFlightAtStart and InFlightAtEnd are requests inside or in the queue when counting began and ended.
	InFlightAtStart, InFlightAtEnd int
	Seconds                        float64
	// Inside and Queue are means over time.
	Inside, Queue float64
	Mean          time.Duration
	// sorted are all response times.
	sorted []time.Duration
}

// Throughput is of served requests.
func (s *Simulated) Throughput() float64 { return float64(s.Served) / s.Seconds }

// Blocked is the share of arrivals that were rejected.
func (s *Simulated) Blocked() float64 {
	return float64(s.Rejected) / float64(max(1, s.Served+s.Rejected))
}

// Percentile is the response time that a share p of the served requests does not exceed, 0 when none was served.
func (s *Simulated) Percentile(p float64) time.Duration {
	if len(s.sorted) == 0 {
		return 0
	}
	return s.sorted[min(len(s.sorted)-1, int(p*float64(len(s.sorted))))]
}

// Run simulates. The same simulation yields the same figures, everywhere.
func (s Simulation) Run() *Simulated {
	r := &simulation{Simulation: s, chance: rand.New(rand.NewPCG(s.Seed, 0)), free: s.Cores}
	r.begin()
	for r.ended() < s.Requests+s.Warmup {
		if !r.counting && r.ended() >= s.Warmup {
			r.count()
		}
		j, ok := r.events.next()
		if !ok {
			break
		}
		r.now = j.at
		j.then(j)
	}
	return r.figures()
}

// simulation is one that runs.
type simulation struct {
	Simulation
	chance *rand.Rand
	events events
	now    time.Duration

	inside, free int
	queue, ready fifo // requests that wait for a worker, and for a core

	counting                  bool
	since                     time.Duration
	changed                   time.Duration
	insideArea, queueArea     float64
	arrived, served, rejected int
	skipped, inFlightAtStart  int
	times                     []time.Duration
}

// ended is how many requests were served or rejected, warm-up included.
func (r *simulation) ended() int { return r.skipped + r.served + r.rejected }

// count begins counting: all that was before is warm-up.
func (r *simulation) count() {
	r.account()
	r.skipped, r.served, r.rejected, r.arrived = r.ended(), 0, 0, 0
	r.times, r.insideArea, r.queueArea = make([]time.Duration, 0, r.Requests), 0, 0
	r.counting, r.since, r.inFlightAtStart = true, r.now, r.inside+r.queue.len()
}

// account adds the time since the last change to the areas below the numbers inside and in the queue.
func (r *simulation) account() {
	span := (r.now - r.changed).Seconds()
	r.insideArea += span * float64(r.inside)
	r.queueArea += span * float64(r.queue.len())
	r.changed = r.now
}

func (r *simulation) figures() *Simulated {
	r.account()
	s := &Simulated{
		Arrived: r.arrived, Served: r.served, Rejected: r.rejected, InFlightAtStart: r.inFlightAtStart,
		InFlightAtEnd: r.inside + r.queue.len(), Seconds: (r.now - r.since).Seconds(),
	}
	if s.Seconds > 0 {
		s.Inside, s.Queue = r.insideArea/s.Seconds, r.queueArea/s.Seconds
	}
	sum := 0.0
	for _, t := range r.times {
		sum += float64(t)
	}
	slices.Sort(r.times)
	s.Mean, s.sorted = time.Duration(sum/float64(max(1, len(r.times)))), r.times
	return s
}
