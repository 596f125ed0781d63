package load

import (
	"bytes"
	"time"

	"golang.org/x/sys/unix"
)

// begin starts the next request of a client, or lets it go when there is none. The clock has just been read.
func (l *loop) begin(i int32) {
	c := &l.clients[i]
	if !c.begun {
		c.begun = true
		l.unbegun--
	}
	if !l.more() {
		l.disconnect(c)
		return
	}
	number := l.next
	l.next += l.stride
	l.left--
	l.Sent++
	l.inFlight++
	c.start, c.connected, c.sent, c.firstByte = l.now, 0, 0, 0
	l.busy.add(i)

	request := l.fixed
	if request == nil {
		l.out = l.Source.Append(l.out[:0], number)
		request = l.out
	}
	c.answer.reset(bytes.HasPrefix(request, []byte("HEAD ")), l.Check != nil, l.server == "")
	if c.fd == none {
		c.phase = connecting
		if !l.open(i, len(request)) {
			return
		}
	} else {
		c.phase, c.connected = sending, c.start
		l.Reused++
	}
	if l.transmit(i, request) && c.phase <= sending && l.fixed == nil {
		c.held = append(c.held[:0], c.rest...) // out serves the next client
		c.rest = c.held
	}
}

// oneSegment is a request size that surely leaves in one segment, so that the socket needs no TCP_NODELAY for it.
const oneSegment = 1400

// open starts a connection; on a failure it ends the request and returns false.
func (l *loop) open(i int32, request int) bool {
	c := &l.clients[i]
	fd, errno := dial(l.peer, l.noDelay || request > oneSegment)
	if errno != 0 {
		l.fail(i, failureOf(errno, connecting))
		return false
	}
	c.fd = fd
	c.generation++
	l.clock()
	return true
}

// transmit sends what is left of the request; on a failure it ends the request and returns false. On loopback a
// connection stands as soon as connect(2) returns, whatever that said, so sending is tried before waiting.
func (l *loop) transmit(i int32, b []byte) bool {
	c := &l.clients[i]
	n, errno := send(c.fd, b)
	if errno != 0 && errno != unix.EAGAIN {
		l.salvage(i, failureOf(errno, c.phase))
		return false
	}
	l.Written += int64(n)
	if c.phase == connecting && n > 0 {
		c.phase, c.connected = sending, l.now
		l.Opened++
	}
	if n < len(b) {
		c.rest = b[n:]
		return l.watch(i, unix.EPOLLIN|unix.EPOLLRDHUP|unix.EPOLLOUT)
	}
	c.phase, c.sent = waiting, max(l.now, c.start)
	return l.watch(i, unix.EPOLLIN|unix.EPOLLRDHUP)
}

// watch has epoll report what the connection waits for.
func (l *loop) watch(i int32, interest uint32) bool {
	c := &l.clients[i]
	if c.interest == interest {
		return true
	}
	op := unix.EPOLL_CTL_MOD
	if c.interest == 0 {
		op = unix.EPOLL_CTL_ADD
	}
	ev := unix.EpollEvent{Events: interest, Fd: i, Pad: c.generation}
	if errno := control(l.epoll, op, c.fd, &ev); errno != 0 {
		l.fail(i, failureOf(errno, c.phase))
		return false
	}
	c.interest = interest
	return true
}

// read takes what has come. closing says that the server's end of the connection is known to be behind it.
func (l *loop) read(i int32, closing bool) {
	c := &l.clients[i]
	n, errno := receive(c.fd, l.in)
	lag := l.clock() - l.woke
	l.lagSum += lag
	l.lagMax = max(l.lagMax, lag)
	switch {
	case errno == unix.EAGAIN:
		return
	case errno != 0:
		l.fail(i, failureOf(errno, c.phase))
		return
	}
	l.take(i, n, closing)
}

// salvage looks for an answer that the server sent before it broke the connection, as one that refuses a body too
// large for it, and ends the request with it or with f.
func (l *loop) salvage(i int32, f failure) {
	c := &l.clients[i]
	for c.phase == sending {
		n, errno := receive(c.fd, l.in)
		if errno != 0 || n == 0 && !c.answer.closed() {
			break
		}
		if l.take(i, n, true) {
			return
		}
	}
	l.fail(i, f)
}

// take reads the n bytes in the buffer, or the end of the server's side when n is 0. It says whether they ended the
// request. closing says that the server's end of the connection is known to be behind them.
func (l *loop) take(i int32, n int, closing bool) (ended bool) {
	if n == 0 {
		l.closed(i)
		return true
	}
	c := &l.clients[i]
	l.Read += int64(n)
	if c.firstByte == 0 {
		c.firstByte = l.now
	}
	k, err := c.answer.feed(l.in[:n])
	switch {
	case err != nil:
		l.fail(i, broken(err))
	case !c.answer.done():
		if c.phase == waiting {
			c.phase = reading
		}
		return false
	case k < n:
		l.fail(i, surplus)
	default:
		l.answered(i, closing && n < len(l.in))
	}
	return true
}

// closed serves the end of the server's side.
func (l *loop) closed(i int32) {
	if c := &l.clients[i]; c.answer.closed() {
		l.answered(i, true)
	} else {
		l.fail(i, closes[c.phase])
	}
}

// answered ends a request well and starts the next one, on the same connection when that may be.
func (l *loop) answered(i int32, closing bool) {
	c := &l.clients[i]
	l.judge(c)
	c.answered++
	l.end(i, Answered)
	switch whole := c.phase > sending; {
	case !l.KeepAlive || !whole:
		l.disconnect(c)
	case closing || !c.answer.reusable() || l.HTTP10 && !c.answer.persist:
		l.ClosedByServer++
		l.disconnect(c)
	default:
		l.kept++
		c.used = true
	}
	l.begin(i)
}

// judge books what the answer says.
func (l *loop) judge(c *client) {
	a := &c.answer
	l.status[a.status]++
	if l.server == "" {
		l.server = a.server
	}
	if l.length.Load() < 0 {
		l.length.CompareAndSwap(-1, a.bodyBytes)
	}
	if l.length.Load() != a.bodyBytes {
		l.different++
	}
	if l.Check == nil {
		return
	}
	if err := l.Check(a.status, a.content); err != nil {
		const kept = 5
		l.wrong++
		if len(l.wrongSample) < kept {
			l.wrongSample = append(l.wrongSample, err.Error())
		}
	}
}

// fail ends a request without an answer and hangs up. The client starts again by way of the ready queue, so that
// requests that fail at once don't keep the loop from its other clients.
func (l *loop) fail(i int32, f failure) {
	l.failures[f.cause]++
	l.end(i, f.outcome)
	l.disconnect(&l.clients[i])
	l.ready.push(i)
	if l.OnFailure != nil && l.OnFailure(Failure{f.outcome, f.cause, f.errno}) {
		l.halt()
	}
}

// end books a request.
func (l *loop) end(i int32, o Outcome) {
	c := &l.clients[i]
	l.busy.remove(i)
	l.inFlight--
	l.lastEnd = l.now
	l.Head += c.answer.headBytes
	l.Body += c.answer.bodyBytes
	*l.of(o)++
	if o == InFlight {
		l.ages = append(l.ages, time.Duration(l.now-c.start))
		return
	}
	x := c.sample(l.now, o)
	l.book(&x, l.now)
	l.samples.add(x)
	if o == Answered || o == TimedOut {
		l.times(&x, c.used)
	}
	if o == Answered && (l.Duration == 0 || l.now <= int64(l.Duration)) {
		l.inWindow++
	}
}

// disconnect closes the connection, if there is one.
func (l *loop) disconnect(c *client) {
	if c.fd == none {
		return
	}
	hangUp(c.fd)
	c.fd, c.interest, c.used = none, 0, false
}
