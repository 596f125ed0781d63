package load

import (
	"context"
	"fmt"
	"runtime"
	"sync/atomic"
	"time"

	"golang.org/x/sys/unix"
)

const (
	// crowdPatience bounds how long a run waits for the crowds that are opened before it.
	crowdPatience = 3 * time.Second
	// crowdBurst is how many alarms are served before events are looked at.
	crowdBurst = 64
	// smallBuffer is the receive buffer of a slow reader in bytes, as asked for; the kernel doubles it.
	smallBuffer = 4096
)

// crowds serve the clients beside those of a run, on one thread. Times are in ns since zero.
type crowds struct {
	configs []Crowd
	results []CrowdResult
	dialers []dialer
	timeout time.Duration

	poller
	zero time.Time
	now  int64
	alarms
	unsettled int           // members that the run waits for
	settled   chan struct{} // closed when there are none
	waited    bool          // settled is closed

	origin    atomic.Int64 // when the run began, 0 before
	scheduled bool         // those that come within the run have their alarms
	stop      atomic.Bool
	over      chan struct{}
	err       error
	cpu       time.Duration // of the thread since the run began

	events [batch]unix.EpollEvent
	in     []byte
}

// gatherCrowds starts to open the crowds of a configuration and returns when those that come before the run stand, have
// failed, or took too long; nil when there are none.
func gatherCrowds(ctx context.Context, c *Config) (*crowds, error) {
	if len(c.Crowds) == 0 {
		return nil, nil
	}
	x := &crowds{
		configs: c.Crowds, timeout: c.Timeout, zero: time.Now(),
		settled: make(chan struct{}), over: make(chan struct{}), in: make([]byte, inBuffer),
	}
	x.prepare(c)
	var err error
	if x.poller, err = newPoller(); err != nil {
		return nil, fmt.Errorf("crowds: %w", err)
	}
	go x.run()
	patience := time.NewTimer(crowdPatience)
	defer patience.Stop()
	select {
	case <-x.settled:
	case <-x.over:
	case <-patience.C:
	case <-ctx.Done():
	}
	return x, nil
}

// prepare makes the members, and has those that come before the run opened at once.
func (x *crowds) prepare(c *Config) {
	for k, g := range c.Crowds {
		d := dialer{peer: newPeer(c.Addr), prepare: c.Prepare}
		if g.Kind == SlowRead {
			d.receiveBuffer = max(smallBuffer, int32(min(g.Rate*stepTime(g.Rate).Seconds(), 1<<20)))
		}
		x.dialers = append(x.dialers, d)
		x.results = append(x.results, NewCrowdResult())
		for range g.Count {
			x.members = append(x.members, member{crowd: int32(k), fd: none, place: noAlarm})
		}
	}
	for i := range x.members {
		if x.configs[x.members[i].crowd].Before {
			x.members[i].awaited = true
			x.unsettled++
			x.set(int32(i), 0)
		}
	}
	x.settle(0)
}

// begin tells the moment at which the run begins. Any goroutine may call it, once.
func (x *crowds) begin(origin time.Time) {
	if x != nil {
		x.origin.Store(max(1, int64(origin.Sub(x.zero))))
		x.interrupt()
	}
}

// end ends all crowds and returns their books and the processor time that they took within the run.
func (x *crowds) end() ([]CrowdResult, time.Duration, error) {
	if x == nil {
		return nil, 0, nil
	}
	x.halt()
	return x.results, x.cpu, x.err
}

// halt ends the thread of the crowds, once or again.
func (x *crowds) halt() {
	x.stop.Store(true)
	x.interrupt()
	<-x.over
}

// release ends what is still going on and closes what gatherCrowds opened.
func (x *crowds) release() {
	if x != nil {
		x.halt()
		x.poller.release()
	}
}

func (x *crowds) clock() int64 {
	x.now = int64(time.Since(x.zero))
	return x.now
}

// run serves all members until end, on a thread of its own.
func (x *crowds) run() {
	defer close(x.over)
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	defer preciseTimers()()
	x.cpu = -cpuTime(unix.RUSAGE_THREAD)
	for x.err == nil && !x.stop.Load() {
		x.clock()
		x.schedule()
		x.ring()
		x.err = x.await()
	}
	x.disperse()
	x.cpu += cpuTime(unix.RUSAGE_THREAD)
}

// schedule gives those members that come within the run their alarms, once it has begun.
func (x *crowds) schedule() {
	origin := x.origin.Load()
	if x.scheduled || origin == 0 {
		return
	}
	x.scheduled = true
	x.cpu = -cpuTime(unix.RUSAGE_THREAD)
	first := 0
	for k, g := range x.configs {
		for n := range g.Count {
			if !g.Before {
				x.set(int32(first+n), origin+int64(g.At)+int64(float64(g.Within)*float64(n)/float64(g.Count)))
			}
		}
		first += x.configs[k].Count
	}
}

// ring serves the alarms that are due, some of them.
func (x *crowds) ring() {
	for range crowdBurst {
		i, due, ok := x.next()
		if !ok || due > x.now {
			return
		}
		x.clear(i)
		x.alarm(i)
		x.clock()
	}
}

// await waits for events until the next alarm, and serves them.
func (x *crowds) await() error {
	patience := time.Hour
	if _, due, ok := x.next(); ok {
		patience = time.Duration(max(0, due-x.clock()))
	}
	n, errno := poll(x.epoll, x.events[:], patience)
	switch errno {
	case 0:
	case unix.EINTR:
		return nil
	case unix.ENOSYS:
		coarse.Store(true)
		return nil
	default:
		return fmt.Errorf("crowds: wait for events: %w", errno)
	}
	for k := range n {
		ev := &x.events[k]
		if ev.Fd == none {
			x.drainWake()
			continue
		}
		if m := &x.members[ev.Fd]; m.fd != none && m.generation == ev.Pad {
			x.clock()
			x.event(ev.Fd, ev.Events)
		}
	}
	return nil
}

// drainWake makes the eventfd quiet again.
func (x *crowds) drainWake() { _, _ = unix.Read(x.wake, x.in[:8]) }

// settle counts members that the run has to wait for no longer.
func (x *crowds) settle(n int) {
	x.unsettled -= n
	if x.unsettled == 0 && !x.waited {
		x.waited = true
		close(x.settled)
	}
}

// disperse books what has not ended, and hangs up.
func (x *crowds) disperse() {
	for i := range x.members {
		m := &x.members[i]
		r := &x.results[m.crowd]
		switch {
		case m.fd == none && !m.begun:
			r.NotStarted++
		case m.fd == none:
		case m.phase == connecting:
			r.StillConnecting++
		default:
			r.StillOpen++
		}
		if m.fd != none {
			hangUp(m.fd)
			m.fd = none
		}
	}
	for k := range x.results {
		x.results[k].Span = time.Duration(x.results[k].last - x.results[k].first)
	}
}
