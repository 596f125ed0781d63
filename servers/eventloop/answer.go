package main

import (
	"time"

	"poolvsloop/internal/meter"
	"poolvsloop/internal/wire"
)

// output is what goes out to a client. gnet's Write takes everything and keeps what the socket does not: how much that
// may become, and for how long, is bounded here.
type output struct {
	isFull  bool          // above --out-high, and not yet below --out-low
	written int64         // bytes handed to Write so far
	mark    int64         // what had been written when writeBy was set: it is for these bytes
	writeBy time.Duration // 0: nothing waits to be sent
	pollAt  time.Duration // when to look again how much waits; gnet does not say when a socket has room
	pollGap time.Duration
	tail    []byte // a copy of the last bytes written, at least those that gnet keeps
	seen    int    // bytes that waited to be sent when last looked at
	sending []sent // answers handed to Write that the socket has not taken whole yet, in order
}

// sent is an answer on its way into the socket.
type sent struct {
	end    int64 // of output.written
	status int
}

const (
	firstPoll   = 2 * time.Millisecond
	longestPoll = 100 * time.Millisecond
	// mostAtOnce bounds the answers that are put together for one write, in bytes.
	mostAtOnce = 64 << 10
	// mostScratch bounds the scratch memory that a loop keeps for that.
	mostScratch = 1 << 20
)

// deliver sends the answers whose turn it is, as few writes as may be, until the client is owed too much.
func (x *conn) deliver() {
	l := x.loop
	out := l.out[:0]
	l.out = nil
	for r := x.first; r != nil && r != x.unstarted && r.finished && !x.ending && !x.isFull; r = x.first {
		out = x.answer(out, r)
		if len(out) >= mostAtOnce {
			x.write(out)
			out = out[:0]
			if x.isClosed() {
				break
			}
		}
	}
	if x.wantsGo && x.first == nil {
		x.wantsGo = false
		out = wire.AppendContinue(out)
	}
	if len(out) > 0 {
		x.write(out)
	}
	if cap(out) <= mostScratch {
		l.out = out
	}
	if x.ending && !x.lingering && !x.isClosed() {
		x.end()
	}
}

// answer appends the response of the first request and lets it go.
func (x *conn) answer(out []byte, r *request) []byte {
	l := x.loop
	x.first = r.next
	if x.first == nil {
		x.last = nil
	}
	x.unanswered--
	connection := wire.Reuse
	if r.closes || l.server.draining.Load() && x.first == nil && x.reading == nil {
		connection = wire.Close
		x.lastTaken, x.ending = true, true
	}
	response := &r.flow.Response
	out = wire.AppendResponse(out, response, &r.wire, connection, l.date.At(l.server.began.Add(l.now)))
	x.sending = append(x.sending, sent{x.written + int64(len(out)), response.Status})
	if r.counted {
		l.server.inFlight.Add(-1)
		l.server.meter.InFlight(-1)
	}
	l.free(r)
	return out
}

// write sends b. The connection may be closed when it returns: see isClosed.
func (x *conn) write(b []byte) {
	x.written += int64(len(b))
	if x.half != nil {
		if err := x.half.write(b); err != nil {
			x.abort()
			return
		}
	} else {
		_, _ = x.c.Write(b) // an error has already come by closed
		if x.c == nil {
			return
		}
		x.keepTail(b)
	}
	if x.unsent() > 0 {
		x.watchOutput()
	} else {
		x.countSent()
	}
}

// countSent counts the answers that the socket has taken whole.
func (x *conn) countSent() {
	out := x.written - int64(x.unsent())
	n := 0
	for n < len(x.sending) && x.sending[n].end <= out {
		x.loop.server.meter.Response(x.sending[n].status)
		n++
	}
	x.sending = append(x.sending[:0], x.sending[n:]...)
}

// keepTail remembers what gnet keeps: it cannot be asked for it when the client shuts its side down.
func (x *conn) keepTail(b []byte) {
	kept := x.c.OutboundBuffered()
	if kept == 0 {
		x.tail = nil
		return
	}
	x.tail = append(x.tail, b...)
	if len(x.tail) > 2*kept {
		x.tail = append([]byte(nil), x.tail[len(x.tail)-kept:]...)
	}
}

// unsent is the number of bytes written that the socket has not taken yet.
func (x *conn) unsent() int {
	if x.half != nil {
		return len(x.half.out)
	}
	return x.c.OutboundBuffered()
}

// watchOutput sets the deadline of the answer that waits to be sent, and when to look again.
func (x *conn) watchOutput() {
	l := x.loop
	x.countSent()
	unsent := x.unsent()
	l.unsent += unsent - x.seen
	x.seen = unsent
	if x.writeBy != 0 && x.written-int64(unsent) >= x.mark {
		x.writeBy = 0 // those bytes have left; now it is about the ones behind them
	}
	if unsent == 0 {
		x.writeBy, x.pollAt, x.pollGap, x.tail = 0, 0, 0, nil
		x.setFull(false)
		return
	}
	if x.writeBy == 0 {
		x.writeBy = l.now + l.server.config.WriteTimeout
		x.mark = x.written
	}
	if unsent > l.server.config.OutHigh {
		x.setFull(true)
	} else if unsent < l.server.config.OutLow {
		x.setFull(false)
	}
	x.pollGap = min(max(2*x.pollGap, firstPoll), longestPoll)
	x.pollAt = l.now + x.pollGap
}

func (x *conn) setFull(full bool) {
	if x.isFull == full {
		return
	}
	x.isFull = full
	if full {
		x.loop.full++
	} else {
		x.loop.full--
	}
}

// pollOutput looks whether a slow client has taken what waits for it.
func (x *conn) pollOutput() {
	l := x.loop
	if x.half != nil {
		if err := x.half.flush(); err != nil {
			x.abort()
			return
		}
	}
	x.watchOutput()
	switch {
	case x.writeBy != 0 && l.now >= x.writeBy:
		l.server.meter.TimedOut(meter.WriteTimeout)
		x.sending = x.sending[min(1, len(x.sending)):] // that one is counted
		x.reset()
	case x.ending:
		x.end()
	default:
		x.pump()
	}
}
