package main

import (
	"context"
	"net"
	"strconv"
	"sync"
	"sync/atomic"
	"time"

	"github.com/panjf2000/gnet/v2"

	"poolvsloop/internal/flow"
	"poolvsloop/internal/wire"
)

// loop is what one event loop owns: its clients' connections, its own connections to the downstreams and the cache, its
// deadlines, and the requests on their way. A request never leaves its loop, so nothing here needs a lock.
//
// A round of the loop is: wait for events, a callback for each of them, then the queued tasks. Everything below runs in
// a callback or in a task, between enter and leave, on the loop's goroutine, unless its comment says otherwise. None of
// it may block.
type loop struct {
	server *server
	index  int
	home   *home
	handle gnet.EventLoop
	// goroutine names the loop's goroutine in a stack dump.
	goroutine string

	now   time.Duration // since the server's start, read when the callback began
	depth int           // callbacks inside each other: gnet calls OnClose inside Write
	usage usage

	timers  timers
	alarm   *time.Timer
	alarmAt time.Duration // when the alarm goes off; 0: it is not set
	onAlarm gnet.Runnable

	roundEnd gnet.Runnable
	ending   bool    // roundEnd is queued
	again    []*conn // connections that used up their budget of this round

	downstreams [flow.Cache]*downstream // DownstreamA and DownstreamB
	cache       *cache

	conns        map[*conn]struct{}
	idle         idleList
	full, unsent int          // connections above --out-high, and bytes that wait to be sent, over all connections
	longestIdle  atomic.Int64 // since when idle.front is idle, a time.Duration since the server's start; 0: none is

	spare   []*request
	serving *request // whose handler runs now, to blame a panic on
	date    wire.DateLine
	out     []byte // scratch for answers

	lag      lag
	onTick   gnet.Runnable
	watchdog watchdog
	shown    shown

	enrolling sync.Mutex
}

func newLoop(s *server, index int) *loop {
	l := &loop{server: s, index: index, conns: map[*conn]struct{}{}}
	l.downstreams[flow.DownstreamA] = newDownstream(l, flow.DownstreamA, s.hosts[flow.DownstreamA])
	l.downstreams[flow.DownstreamB] = newDownstream(l, flow.DownstreamB, s.hosts[flow.DownstreamB])
	l.cache = newCache(l, s.config.Redis)
	l.onAlarm = l.task(l.expire)
	l.roundEnd = l.task(l.endRound)
	l.onTick = l.task(l.tick)
	l.lag.samples = s.lagSamples.WithLabelValues(strconv.Itoa(index))
	l.lag.next = s.clock()/s.config.LagInterval*s.config.LagInterval + s.config.LagInterval
	l.alarm = time.AfterFunc(time.Hour, func() { l.queue(l.onAlarm) })
	l.alarm.Stop()
	return l
}

// task makes a callback of do.
func (l *loop) task(do func()) gnet.Runnable {
	return gnet.RunnableFunc(func(context.Context) error {
		l.enter()
		defer l.leave(nil)
		do()
		return nil
	})
}

// queue runs t on the loop, after the events of this round or the next. Any goroutine may call it; after the loop has
// stopped it does nothing.
func (l *loop) queue(t gnet.Runnable) { _ = l.handle.Execute(context.Background(), t) }

// post is queue for something that is done once.
func (l *loop) post(do func()) { l.queue(l.task(do)) }

// enter begins a callback.
func (l *loop) enter() {
	l.depth++
	l.now = l.server.clock()
	if l.depth == 1 {
		l.usage.enter(l.now, l.ending)
	}
}

// leave ends a callback; defer it. A panic ends the request whose handler ran, and the connection that the callback was
// for unless the request came by it: what was read from it may be half used. The loop lives on.
func (l *loop) leave(p peer) {
	if cause := recover(); cause != nil {
		l.panicked(cause, p)
	}
	l.depth--
	if l.depth == 0 {
		now := l.server.clock()
		l.setAlarm(now)
		l.usage.leave(now)
	}
}

func (l *loop) panicked(cause any, p peer) {
	l.server.panicked(l.index, cause)
	defer func() {
		if again := recover(); again != nil {
			l.server.panicked(l.index, again)
		}
	}()
	r := l.serving
	l.serving = nil
	ownHandler := r != nil && p == peer(r.conn)
	if r != nil {
		r.crash()
	}
	if p != nil && !ownHandler {
		p.abort()
	}
}

// setAlarm makes the alarm go off at the earliest deadline.
func (l *loop) setAlarm(now time.Duration) {
	at, ok := l.timers.wake()
	if !ok || l.alarmAt != 0 && l.alarmAt <= at {
		return
	}
	l.alarmAt = at
	l.alarm.Reset(at - now)
}

// expire acts on every deadline that has passed.
func (l *loop) expire() {
	l.alarmAt = 0
	for t := l.timers.next(l.now); t != nil; t = l.timers.next(l.now) {
		t.owner.expired()
	}
}

// atRoundEnd makes endRound run once the events that are known now have had their callbacks.
func (l *loop) atRoundEnd() {
	if !l.ending {
		l.ending = true
		l.queue(l.roundEnd)
	}
}

// endRound gives the connections that used up their budget their next turn, and writes the cache commands of the round
// in one piece.
func (l *loop) endRound() {
	turn := l.again
	l.again = nil
	for _, x := range turn {
		x.waiting = false
		x.pump()
	}
	l.cache.flush()
	l.ending = len(l.again) > 0
	if l.ending {
		// Queued from here, the task would run before the loop looks for events; another goroutine lets it look first.
		go l.queue(l.roundEnd)
	}
}

// goOn gives x another turn in the next round.
func (l *loop) goOn(x *conn) {
	if x.waiting {
		return
	}
	x.waiting = true
	l.again = append(l.again, x)
	l.atRoundEnd()
}

// newRequest takes a request from the spare ones.
func (l *loop) newRequest() *request {
	if n := len(l.spare); n > 0 {
		r := l.spare[n-1]
		l.spare = l.spare[:n-1]
		return r
	}
	r := &request{loop: l}
	r.timer.owner = r
	return r
}

// mostSpare bounds the memory that is kept for a next burst of requests.
const mostSpare = 4096

// free gives r back. Nothing may hold it any more.
func (l *loop) free(r *request) {
	r.reset()
	if len(l.spare) == mostSpare {
		l.timers.remove(&r.timer)
		return
	}
	l.timers.stop(&r.timer)
	l.spare = append(l.spare, r)
}

// enroll puts an outbound connection on the loop; it is p's from then on, as p.opened says. It blocks until the loop
// has taken it: call it from a goroutine of its own. On an error the connection is closed.
//
// One at a time, because gnet keeps a goroutine for each enrolment under way.
func (l *loop) enroll(c net.Conn, p peer) error {
	l.enrolling.Lock()
	defer l.enrolling.Unlock()
	if l.server.stopping.Load() {
		_ = c.Close()
		return net.ErrClosed
	}
	done, err := l.handle.Enroll(gnet.NewContext(context.Background(), p), c)
	if err != nil {
		_ = c.Close()
		return err
	}
	return (<-done).Err
}
