package load

import (
	"math"
	"runtime"
	"sync/atomic"
	"time"

	"golang.org/x/sys/unix"
)

const (
	// burst is the number of clients that start from the ready queue before events are looked at again, so that
	// opening a thousand connections does not delay the reading of the first answers.
	burst = 16
	// batch is the number of events taken at a time.
	batch = 256
	// inBuffer is the size of the read buffer of a loop.
	inBuffer = 64 << 10
)

// shared is what the loops of a run have in common. All of it is read far more often than written.
type shared struct {
	Config
	fixed      []byte // as many requests as a pipeline holds, when all are alike
	fixedHeads uint64 // which of them are of HEAD
	scheduled  bool   // requests have an intended start apart from the actual one
	noDelay    bool
	tunnels    *tunnels // with TLS
	crowds     *crowds  // nil without
	origin     time.Time
	stop       atomic.Bool
	halt       func()       // sets stop and wakes the loops
	length     atomic.Int64 // of the first answer's body, -1 before
}

// loop runs a share of the clients on one thread. Only ended and the shared part are seen by others while it runs.
type loop struct {
	*shared
	poller
	dialer   dialer
	clients  []client
	busy     queue
	inFlight int
	ready    ring    // clients without a request, waiting to start one
	again    []int32 // clients that were answered in this batch of events and go on
	thinking ring    // clients that pause, in the order in which they resume

	// Of an open loop alone.
	pacer pacer
	free  []int32 // clients without a request
	bound int     // the loop's share of MaxInFlight

	index              int // among the loops, from 0
	next, stride, left int // number of the next request, step to the one after, how many are left
	unbegun            int // clients that have not sent a request yet; one is kept for each of them

	now     int64 // when the clock was last read, ns since origin
	woke    int64 // when epoll last returned
	turned  int64 // when the loop last yielded to Go's scheduler
	lastEnd int64 // when a request last ended

	events [batch]unix.EpollEvent
	in     []byte // what was read last
	out    []byte // the request being sent, unless all are alike
	server string // the first Server header
	known  known  // the last header of an answer

	ledger
	lagSum, lagMax int64 // of handled events, see Lag
	handled        int64
	cpu, starved   time.Duration // what the thread used of a processor, and waited for one
	cut            bool          // the stop flag ended it
	unheard        bool          // MostRefused did

	_     [64]byte // keeps what others read away from what the loop writes all the time
	ended atomic.Int64
}

// newLoop makes loop number i of as many as there are threads. It takes every threads-th request and client. It is to be
// released, also when there is an error.
func newLoop(s *shared, i int) (*loop, error) {
	share := func(n int) int { return (n - i + s.Threads - 1) / s.Threads }
	l := &loop{
		shared:  s,
		dialer:  dialer{peer: newPeer(s.Addr), prepare: s.Prepare},
		clients: make([]client, share(s.Clients)),
		index:   i, next: i, stride: s.Threads, left: math.MaxInt, bound: share(s.MaxInFlight),
		in:     make([]byte, inBuffer),
		ledger: newLedger(s.MaxSamples),
	}
	if s.Arrivals != nil {
		l.pacer = newPacer(*s.Arrivals, i, s.Threads, s.Duration)
	}
	if s.Requests > 0 {
		l.left = share(s.Requests)
		l.pacer.more = l.pacer.more && l.left > 0
	}
	l.busy = queue{clients: l.clients, oldest: none, newest: none}
	l.ready = newRing(len(l.clients))
	l.unbegun = len(l.clients)
	for j := range l.clients {
		l.clients[j].fd = none
		l.clients[j].answer = l.framer()
		l.ready.push(int32(j))
	}
	var err error
	l.poller, err = newPoller()
	return l, err
}

// framer makes the framer of a client. A header line that is wanted must be read, so none is known then.
func (l *loop) framer() framer {
	if l.Header != "" {
		return framer{want: l.Header}
	}
	return framer{known: &l.known}
}

// clock reads the time.
func (l *loop) clock() int64 {
	l.now = int64(time.Since(l.origin))
	return l.now
}

// run serves the loop's clients until the run is over, on a thread of its own.
func (l *loop) run() error {
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	if l.scheduled {
		defer preciseTimers()()
	}
	cpu, starved := cpuTime(unix.RUSAGE_THREAD), starvedTime()
	l.clock()
	var err error
	for err == nil && !l.over() {
		l.start()
		var n int
		n, err = l.wait()
		l.woke = l.clock()
		for i := range n {
			l.handle(&l.events[i])
		}
		l.goOn()
		l.expire()
		l.ended.Store(int64(l.Sent - l.inFlight))
	}
	l.abandon()
	l.cpu, l.starved = cpuTime(unix.RUSAGE_THREAD)-cpu, starvedTime()-starved
	return err
}

// start starts what is due.
func (l *loop) start() {
	l.startReady()
	l.resume()
	l.arrive()
}

// over says whether the run has come to its end.
func (l *loop) over() bool {
	if l.inFlight == 0 && l.exhausted() {
		return true
	}
	l.cut = l.stop.Load()
	return l.cut || l.Duration > 0 && l.now >= int64(l.Duration+l.Grace)
}

// exhausted says whether no request will start any more unless one in flight ends first.
func (l *loop) exhausted() bool {
	if l.Arrivals != nil {
		return !l.pacer.more && (l.thinking.empty() || l.timeUp())
	}
	return l.left == 0 || l.timeUp() || l.ready.empty() && l.thinking.empty()
}

// timeUp says whether no request may start any more.
func (l *loop) timeUp() bool { return l.Duration > 0 && l.now >= int64(l.Duration) }

// more says whether a client that is counted in unbegun no longer may start a request now.
func (l *loop) more() bool { return l.left > l.unbegun && !l.timeUp() }

// startReady lets some of the ready clients start.
func (l *loop) startReady() {
	for range burst {
		if l.ready.empty() {
			return
		}
		i := l.ready.pop()
		l.begin(i, l.clock())
	}
}

// patience is how long to wait for events: until the next request is due, the oldest one expires or the run ends, which
// it does without its grace when nothing is in flight.
func (l *loop) patience() time.Duration {
	if !l.ready.empty() || l.inFlight == 0 && l.exhausted() {
		return 0
	}
	until := int64(math.MaxInt64)
	switch {
	case l.Duration > 0 && l.inFlight == 0:
		until = int64(l.Duration)
	case l.Duration > 0:
		until = int64(l.Duration + l.Grace)
	}
	if l.busy.oldest != none {
		until = min(until, l.clients[l.busy.oldest].start+int64(l.Timeout))
	}
	if !l.thinking.empty() {
		until = min(until, l.clients[l.thinking.first()].due)
	}
	if l.pacer.more {
		until = min(until, l.pacer.due)
	}
	return time.Duration(max(0, until-l.now))
}

// expire ends the requests whose time is over.
func (l *loop) expire() {
	for l.busy.oldest != none {
		i := l.busy.oldest
		c := &l.clients[i]
		if l.now-c.start < int64(l.Timeout) {
			return
		}
		l.greet(c)
		l.fail(i, timeouts[c.phase])
	}
}

// abandon ends what is still in flight, and counts what was never sent.
func (l *loop) abandon() {
	for l.busy.oldest != none {
		l.end(l.busy.oldest, InFlight)
	}
	for i := range l.clients {
		l.Dropped += l.clients[i].session
		l.disconnect(&l.clients[i])
	}
	l.turnAway()
	if l.Requests > 0 {
		l.Dropped += l.left
		l.undue = l.left
	}
}

// handle serves one event.
func (l *loop) handle(ev *unix.EpollEvent) {
	if ev.Fd == none || l.clients[ev.Fd].generation != ev.Pad || l.clients[ev.Fd].fd == none {
		return
	}
	c := &l.clients[ev.Fd]
	if c.phase <= sending {
		l.clock()
		if !l.transmit(ev.Fd, c.rest) || c.phase <= sending && ev.Events&unix.EPOLLIN == 0 {
			return
		}
	}
	if ev.Events&^unix.EPOLLOUT != 0 {
		l.read(ev.Fd, ev.Events&unix.EPOLLRDHUP != 0)
	}
}

// cpuTime is the processor time of this process or thread.
func cpuTime(who int) time.Duration {
	var u unix.Rusage
	// Fails only for an unknown who.
	_ = unix.Getrusage(who, &u)
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}
