package queueing

import (
	"time"

	"poolvsloop/internal/latency"
)

// job is a client of a closed loop with its request, or one arrival of an open one.
type job struct {
	at    time.Duration // of its next event
	order uint64
	then  func(*job)

	arrived time.Duration
	// step is how many waits lie behind it; burst the time on a core that each stretch of computing takes, left what is
	// left of this one.
	step        int
	burst, left time.Duration
}

// begin has the clients send at once, or the first request arrive.
func (r *simulation) begin() {
	for range r.Clients {
		r.arrive(&job{})
	}
	if r.Clients == 0 {
		r.later(r.gap(), &job{}, r.arriveOpen)
	}
}

// later plans what happens to a job next.
func (r *simulation) later(after time.Duration, j *job, then func(*job)) {
	j.at, j.then = r.now+after, then
	r.events.plan(j)
}

// gap is the time to the next arrival.
func (r *simulation) gap() time.Duration {
	gap := 1 / r.Rate
	if !r.Evenly {
		gap *= r.chance.ExpFloat64()
	}
	return time.Duration(gap * float64(time.Second))
}

func (r *simulation) arriveOpen(j *job) {
	r.later(r.gap(), &job{}, r.arriveOpen)
	r.arrive(j)
}

// arrive gives a request a place, or rejects it.
func (r *simulation) arrive(j *job) {
	j.arrived = r.now
	r.arrived++
	switch {
	case r.Workers == Unlimited || r.inside < r.Workers:
		r.enter(j)
	case r.Queue == Unlimited || r.queue.len() < r.Queue:
		r.account()
		r.queue.push(j)
	default:
		r.rejected++
		r.again(r.Rejection, j)
	}
}

// again has a client send its next request.
func (r *simulation) again(after time.Duration, j *job) {
	if r.Clients == 0 {
		return
	}
	if r.Think != nil {
		after += r.draw(r.Think)
	}
	r.later(after, j, r.arrive)
}

// draw takes a value from a distribution.
func (r *simulation) draw(m latency.Model) time.Duration {
	return m.Delay((float64(r.chance.Uint64()>>12) + 0.5) / (1 << 52))
}

// enter begins the service of a request.
func (r *simulation) enter(j *job) {
	r.account()
	r.inside++
	j.step, j.burst = 0, r.draw(r.CPU)/time.Duration(len(r.Waits)+1)
	r.compute(j)
}

// compute begins a stretch on a core.
func (r *simulation) compute(j *job) {
	j.left = j.burst
	if j.left == 0 {
		r.computed(j)
		return
	}
	r.ready.push(j)
	r.dispatch()
}

// dispatch gives free cores to who waits for one.
func (r *simulation) dispatch() {
	for r.free > 0 && r.ready.len() > 0 {
		j := r.ready.pop()
		r.free--
		turn := j.left
		if r.Slice > 0 {
			turn = min(turn, r.Slice)
		}
		j.left -= turn
		r.later(turn, j, r.endTurn)
	}
}

// endTurn takes the core back: for the next in line, this request behind them when it isn't through.
func (r *simulation) endTurn(j *job) {
	r.free++
	if j.left > 0 {
		r.ready.push(j)
	} else {
		r.computed(j)
	}
	r.dispatch()
}

// computed sends a request into its next wait that it has, or ends it.
func (r *simulation) computed(j *job) {
	if j.step == len(r.Waits) {
		r.leave(j)
		return
	}
	wait := r.Waits[j.step]
	j.step++
	after := time.Duration(0)
	if wait.Share >= 1 || r.chance.Float64() < wait.Share {
		after = r.draw(wait.Model)
	}
	r.later(after, j, r.compute)
}

// leave ends a request: its place goes to the first in the queue.
func (r *simulation) leave(j *job) {
	r.account()
	r.inside--
	r.served++
	if r.counting {
		r.times = append(r.times, r.now-j.arrived)
	}
	if r.queue.len() > 0 {
		r.enter(r.queue.pop())
	}
	r.again(0, j)
}
