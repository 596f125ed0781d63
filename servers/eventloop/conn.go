package main

import (
	"errors"
	"io"
	"net/http"
	"time"

	"github.com/panjf2000/gnet/v2"
	"golang.org/x/sys/unix"

	"poolvsloop/internal/meter"
	"poolvsloop/internal/wire"
)

// conn is one client's connection. Its requests run side by side, up to --max-pipeline, and are answered in the order
// in which they came.
type conn struct {
	loop *loop
	c    gnet.Conn   // nil once it is closed: a write would reach whoever has the descriptor then
	half *halfClosed // what is left when the client has shut its side down and is owed answers

	openedAt time.Duration
	decoder  *wire.RequestDecoder
	reading  *request // whose bytes are coming in
	headDone bool     // of reading
	wantsGo  bool     // reading waits for "100 Continue"

	first, last *request // unanswered, in order
	unstarted   *request // the first of them that is not in service yet
	unanswered  int
	taken       int  // requests read since the connection opened
	lastTaken   bool // no further request is taken
	pumping     bool // pump is on the stack
	waiting     bool // in loop.again

	deadlines
	output

	ending    bool // the last answer has been written
	lingering bool // and what still comes in is thrown away
	refused   bool // the last answer refused bytes that may still be coming

	isIdle    bool
	idleSince time.Duration
	idleLinks
}

// on, opened, traffic, abort and closed implement peer.
func (x *conn) on() *loop { return x.loop }

func (x *conn) opened(c gnet.Conn) {
	x.c = c
	x.timer.owner = x
	l := x.loop
	x.openedAt = l.now
	l.conns[x] = struct{}{}
	x.await(meter.HeaderTimeout, l.server.config.HeaderTimeout)
	x.schedule()
}

// inboundSlack is what a client may send ahead of its answers beyond one whole request, in bytes.
const inboundSlack = 64 << 10

// traffic takes what came in.
func (x *conn) traffic() {
	if x.lingering {
		_, _ = x.c.Discard(-1)
		return
	}
	config := &x.loop.server.config
	if x.c.InboundBuffered() > config.MaxHeader+config.MaxBody+inboundSlack {
		x.abort() // gnet cannot stop reading, so a client that sends without bound is cut
		return
	}
	x.pump()
}

// pump takes requests, starts them, and sends the answers whose turn it is, until nothing moves any more.
func (x *conn) pump() {
	if x.pumping || x.isClosed() {
		return
	}
	x.pumping = true
	for budget := x.loop.server.config.Budget; ; {
		taken := x.take(budget)
		x.startTaken()
		x.deliver()
		budget -= taken
		goesOn := taken > 0 && x.mayTake() || x.mayStart()
		if x.isClosed() || !goesOn {
			break
		}
		if budget <= 0 {
			x.loop.goOn(x)
			break
		}
	}
	x.pumping = false
	if !x.isClosed() {
		x.rest()
	}
}

// mayTake says whether another request may be read now.
func (x *conn) mayTake() bool {
	return !x.lastTaken && !x.isFull && x.unanswered < x.loop.server.config.MaxPipeline
}

// take reads up to budget requests out of what came in, and queues them. They start after that: what they do may not
// meet a half-read buffer.
func (x *conn) take(budget int) (taken int) {
	in := x.input()
	used := 0
	for taken < budget && x.mayTake() && (used < len(in) || x.headDone) {
		if x.reading == nil {
			x.reading = x.loop.newRequest()
		}
		n, progress, err := x.decoder.Decode(in[used:], &x.reading.wire)
		used += n
		if err != nil {
			x.refuse(err)
			break
		}
		if progress == wire.More {
			if x.half != nil && x.headDone {
				x.refuseWith(http.StatusBadRequest, wire.BodyCutShort)
			}
			break
		}
		if progress == wire.HeadDone {
			x.headDone, x.wantsGo = true, x.reading.wire.Expect
			continue
		}
		x.queueTaken()
		taken++
	}
	x.consume(used)
	return taken
}

// queueTaken puts a complete request behind the others.
func (x *conn) queueTaken() {
	r := x.reading
	x.taken++
	most := x.loop.server.config.MaxRequests
	r.closes = !r.wire.KeepAlive || most > 0 && x.taken >= most
	x.enqueue(r)
}

func (x *conn) enqueue(r *request) {
	x.reading, x.headDone, x.wantsGo = nil, false, false
	x.awaited()
	x.setIdle(false)
	r.conn = x
	x.lastTaken = r.closes
	x.unanswered++
	if x.last == nil {
		x.first = r
	} else {
		x.last.next = r
	}
	x.last = r
	if x.unstarted == nil {
		x.unstarted = r
	}
}

// mayStart says whether a queued request may go into service now: a client that is owed much must read first.
func (x *conn) mayStart() bool {
	return x.unstarted != nil && x.owed() <= x.loop.server.config.OutHigh
}

// owed is the size of the answers that are ready or on their way, in bytes.
func (x *conn) owed() int {
	n := x.unsent()
	for r := x.first; r != nil && r != x.unstarted; r = r.next {
		if r.finished {
			n += len(r.flow.Response.Body)
		}
	}
	return n
}

// startTaken puts the queued requests into service.
func (x *conn) startTaken() {
	for !x.isClosed() && x.mayStart() {
		r := x.unstarted
		x.unstarted = r.next
		if !r.finished {
			x.loop.admit(r)
		}
	}
}

// refuse queues the answer to a request that cannot be taken. The connection ends with it.
func (x *conn) refuse(err error) {
	status, reason := http.StatusBadRequest, err.Error()
	var refusal *wire.Refusal
	if errors.As(err, &refusal) {
		status, reason = refusal.Status, refusal.Reason
	}
	x.refuseWith(status, reason)
}

func (x *conn) refuseWith(status int, reason string) {
	r := x.reading
	if r == nil {
		r = x.loop.newRequest()
	}
	r.problem(status, reason)
	r.finished, r.closes = true, true
	x.refused = true
	x.enqueue(r)
}

// input is what came in and was not taken.
func (x *conn) input() []byte {
	if x.half != nil {
		return x.half.in
	}
	in, err := x.c.Peek(-1)
	if err != nil {
		return nil
	}
	return in
}

func (x *conn) consume(n int) {
	switch {
	case n == 0: // gnet would take it for all
	case x.half != nil:
		x.half.in = x.half.in[n:]
	default:
		_, _ = x.c.Discard(n)
	}
}

func (x *conn) isClosed() bool { return x.c == nil && x.half == nil }

// abort closes the connection, whatever is owed.
func (x *conn) abort() {
	switch {
	case x.c != nil:
		_ = x.loop.handle.Close(x.c)
	case x.half != nil:
		x.half.close()
		x.half = nil
		x.gone()
	}
}

// reset closes the connection so that the kernel does not go on sending what it has: the client does not read.
func (x *conn) reset() {
	var fd int
	if x.half != nil {
		fd = x.half.fd
	} else {
		fd = x.c.Fd()
	}
	_ = unix.SetsockoptLinger(fd, unix.SOL_SOCKET, unix.SO_LINGER, &unix.Linger{Onoff: 1})
	x.abort()
}

// closed is called once, whoever closed the connection. A client that only shut its sending side down still gets the
// answers it is owed, or is told that its request was cut short.
func (x *conn) closed(err error) {
	c := x.c
	x.c = nil
	if errors.Is(err, io.EOF) && !x.lingering && (x.unanswered > 0 || x.headDone || c.OutboundBuffered() > 0) {
		if x.half = halfClose(c, x); x.half != nil {
			x.pump()
			return
		}
	}
	x.gone()
}

// gone gives up everything that the connection held.
func (x *conn) gone() {
	l := x.loop
	l.timers.remove(&x.timer)
	x.setIdle(false)
	delete(l.conns, x)
	l.unsent -= x.seen
	if x.isFull {
		l.full--
	}
	for r := x.first; r != nil; r = x.first {
		x.first = r.next
		r.cancel()
	}
	x.last, x.unstarted, x.unanswered = nil, nil, 0
	for range x.sending {
		l.server.meter.Abandoned(meter.InService)
	}
	x.sending = nil
	if r := x.reading; r != nil {
		if x.headDone {
			l.server.meter.Abandoned(meter.InService)
		}
		x.reading, x.headDone = nil, false
		l.free(r)
	}
	l.server.listener.Release()
}

// lingerTime is how long a client that was refused may go on sending before it is reset.
const lingerTime = 2 * time.Second

// end closes the connection once the last answer has left, so that the client gets all of it: closing with bytes unread
// would reset it.
func (x *conn) end() {
	switch {
	case x.unsent() > 0:
	case x.half != nil:
		x.abort()
	case x.refused || x.c.InboundBuffered() > 0:
		x.lingering = true
		_, _ = x.c.Discard(-1)
		_ = unix.Shutdown(x.c.Fd(), unix.SHUT_WR)
		x.lingerBy = x.loop.now + lingerTime
	default:
		x.abort()
	}
}
