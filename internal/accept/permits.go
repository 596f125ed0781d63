package accept

import (
	"sync/atomic"
	"time"
)

// permits bounds the open connections: one is taken before each accept(2) and given back when the connection is closed.
type permits struct {
	taken   chan struct{}
	handed  atomic.Int64
	start   time.Time
	waited  atomic.Int64 // nanoseconds of waits that ended
	waiting atomic.Int64 // when the wait under way began, in nanoseconds since start; 0 without one
}

func newPermits(n int) *permits { return &permits{taken: make(chan struct{}, n), start: time.Now()} }

func (p *permits) size() int { return cap(p.taken) }

func (p *permits) open() int { return int(p.handed.Load()) }

func (p *permits) try() bool {
	select {
	case p.taken <- struct{}{}:
		return true
	default:
		return false
	}
}

// opened says that the permit taken went out with a connection.
func (p *permits) opened() { p.handed.Add(1) }

// giveBack returns the acceptor's own permit.
func (p *permits) giveBack() { <-p.taken }

// release returns the permit of a connection.
func (p *permits) release() {
	p.handed.Add(-1)
	<-p.taken
}

// block starts the clock of a wait for a permit; the function it returns stops it.
func (p *permits) block() func() {
	began := max(time.Since(p.start), 1)
	p.waiting.Store(int64(began))
	return func() {
		p.waiting.Store(0)
		p.waited.Add(int64(time.Since(p.start) - began))
	}
}

// blocked is the time waited for permits so far.
func (p *permits) blocked() time.Duration {
	total := time.Duration(p.waited.Load())
	if began := p.waiting.Load(); began != 0 {
		total += time.Since(p.start) - time.Duration(began)
	}
	return total
}
