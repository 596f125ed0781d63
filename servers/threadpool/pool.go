package main

import (
	"sync"
	"time"
)

// pool is a bounded set of workers behind a bounded queue.
//
// Invariants, at every moment when mu is free: nothing is queued while a worker is parked, or while fewer than target
// workers were started; started counts the workers that run or are parked; a ticket is queued, with one worker, or with
// its connection's reader, never with two of them.
type pool struct {
	// hire makes a worker that is not started yet.
	hire func() *worker
	// expired is called, without mu, for each ticket that waited too long.
	expired func(*ticket)

	mu      sync.Mutex
	queue   queue
	target  int       // workers wanted
	started int       // workers that have not ended
	parked  []*worker // workers without work, the one that was busy last at the end: its memory is warmest
	closed  bool
	usage   poolUsage
	timer   *time.Timer // fires when the longest wait in the queue becomes too long; nil without a timeout
	running sync.WaitGroup
}

// newPool returns a pool that starts workers when they are needed, up to target.
func newPool(target int, q queue, hire func() *worker, expired func(*ticket)) *pool {
	p := &pool{hire: hire, expired: expired, queue: q, target: target}
	if q.timeout > 0 {
		p.timer = time.AfterFunc(q.timeout, p.expire)
	}
	return p
}

// submit hands t to a parked worker, to a new one, or to the queue, in this order. It returns false when none takes it:
// the queue is full or the pool closed.
func (p *pool) submit(t *ticket) bool {
	p.mu.Lock()
	t.since = time.Now()
	p.account(t.since)
	if last := len(p.parked) - 1; last >= 0 {
		w := p.parked[last]
		p.parked = p.parked[:last]
		w.next = t
		p.mu.Unlock()
		w.parker.unpark()
		return true
	}
	defer p.mu.Unlock()
	switch {
	case p.closed:
		return false
	case p.started < p.target:
		p.start(t)
		return true
	}
	if !p.queue.push(t) {
		return false
	}
	if p.timer != nil && p.queue.depth == 1 {
		p.timer.Reset(p.queue.timeout)
	}
	return true
}

// start runs a new worker on its first ticket. mu is held.
func (p *pool) start(first *ticket) {
	w := p.hire()
	p.started++
	p.running.Go(func() { w.run(first) })
}

// next returns a worker's next ticket: the longest waiting one, or, after a time parked, one that was handed over. It
// returns nil when the worker is to end. The worker calls it.
func (p *pool) next(w *worker) *ticket {
	p.mu.Lock()
	p.account(time.Now())
	if p.started > p.target || p.closed {
		p.started--
		p.mu.Unlock()
		return nil
	}
	if t := p.queue.pop(); t != nil {
		p.mu.Unlock()
		return t
	}
	w.next = nil
	p.parked = append(p.parked, w)
	p.mu.Unlock()
	w.parker.park()
	return w.next
}

// remove takes t out of the queue and says whether it was there: a ticket that is not is in service, or expired.
func (p *pool) remove(t *ticket) bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.account(time.Now())
	return p.queue.remove(t)
}

// expire runs when the timer fires.
func (p *pool) expire() {
	p.mu.Lock()
	p.account(time.Now())
	var late []*ticket
	for t := p.queue.expire(time.Now()); t != nil; t = p.queue.expire(time.Now()) {
		late = append(late, t)
	}
	if at, ok := p.queue.due(); ok {
		p.timer.Reset(time.Until(at))
	}
	p.mu.Unlock()
	for _, t := range late {
		p.expired(t)
	}
}

// resize changes the workers wanted and the queue's limit. Surplus workers end after their request; what is queued
// above a lower limit stays.
func (p *pool) resize(target, limit int) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.account(time.Now())
	p.target, p.queue.limit = target, limit
	for p.started > p.target && len(p.parked) > 0 {
		p.dismiss()
	}
	for p.started < p.target && p.queue.depth > 0 {
		p.start(p.queue.pop())
	}
}

// dismiss ends the worker that is parked longest. mu is held.
func (p *pool) dismiss() {
	w := p.parked[0]
	p.parked = append(p.parked[:0], p.parked[1:]...)
	p.started--
	w.next = nil
	w.parker.unpark()
}

// close ends all workers, those in service after their request. Nothing may be queued. It does not wait; see running.
func (p *pool) close() {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.closed = true
	if p.timer != nil {
		p.timer.Stop()
	}
	for len(p.parked) > 0 {
		p.dismiss()
	}
}
