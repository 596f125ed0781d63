package load

import (
	"time"

	"golang.org/x/sys/unix"
)

// stretch is how many buffers are read from one connection before the others, the timeouts and the stop flag are looked
// at again: a server may send faster than it is read.
const stretch = 16

// read takes what has come, up to a stretch of it; then epoll is asked to report the connection again. closing says that
// the server's end of the connection is known to be behind it.
func (l *loop) read(i int32, closing bool) {
	for range stretch {
		if !l.readOnce(i, closing) {
			return
		}
	}
	l.setInterest(i, unix.EPOLL_CTL_MOD, l.clients[i].interest)
}

// readOnce takes what one call gives, and says whether there may be more, of which no event will tell: events come only
// when something arrives.
func (l *loop) readOnce(i int32, closing bool) (more bool) {
	c := &l.clients[i]
	n, errno := receive(c.fd, l.in)
	lag := l.clock() - l.woke
	l.handled++
	l.lagSum += lag
	l.lagMax = max(l.lagMax, lag)
	switch {
	case errno == unix.EAGAIN:
		return false
	case c.phase == resting:
		l.stir(c, n)
		return false
	}
	l.greet(c)
	if errno != 0 {
		l.lose(i, failureOf(errno, c.phase))
		return false
	}
	return !l.take(i, n, closing) && (closing || n == len(l.in))
}

// stir hangs up a connection that carries no request: the server ended it, or sent n bytes unasked.
func (l *loop) stir(c *client, n int) {
	if n > 0 {
		l.Unasked++
	} else {
		l.ClosedByServer++
	}
	l.disconnect(c)
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
	for b := l.in[:n]; ; {
		if c.firstByte == 0 {
			c.firstByte = l.now
		}
		if l.OnRead != nil {
			l.OnRead(int(i), !c.answer.started(), b)
		}
		k, err := c.answer.feed(b)
		b = b[k:]
		switch {
		case err != nil:
			l.fail(i, broken(err))
			return true
		case !c.answer.done():
			if c.phase == waiting {
				c.phase = reading
			}
			return false
		case c.batch == 1 && len(b) > 0:
			l.fail(i, surplus)
			return true
		case c.batch == 1:
			l.answered(i, closing)
			return true
		case !l.followed(i):
			return true
		case len(b) == 0:
			return false
		}
	}
}

// closed serves the end of the server's side.
func (l *loop) closed(i int32) {
	c := &l.clients[i]
	if c.tunnel != nil && c.tunnel.reset.Load() {
		l.lose(i, failureOf(unix.ECONNRESET, c.phase))
		return
	}
	switch ended := c.answer.closed(); {
	case ended && c.batch == 1:
		l.answered(i, true)
	case ended:
		l.followed(i)
	default:
		l.lose(i, closes[c.phase])
	}
}

// answered ends the last request of a batch well and starts the client's next one, on the same connection when that
// may be.
func (l *loop) answered(i int32, closing bool) {
	c := &l.clients[i]
	whole := c.phase > sending
	l.judge(c)
	l.tell(c)
	l.end(i, Answered)
	switch {
	case !l.KeepAlive || !whole:
		l.disconnect(c)
	case closing || !l.reusable(c):
		l.ClosedByServer++
		l.disconnect(c)
	default:
		l.kept++
		c.used = true
		c.phase = resting
		if l.PerConnection > 0 && c.carried >= l.PerConnection {
			l.disconnect(c)
		}
	}
	l.after(i)
}

// reusable says whether the connection may carry another request after the answer.
func (l *loop) reusable(c *client) bool {
	return c.answer.reusable() && (!l.HTTP10 || c.answer.persist)
}

// followed ends a request of a pipeline well. It returns false when the connection can't carry the answers to those
// behind it, which then have failed.
func (l *loop) followed(i int32) bool {
	c := &l.clients[i]
	l.judge(c)
	l.tell(c)
	l.end(i, Answered)
	goesOn := l.reusable(c)
	c.used = true
	c.number += l.stride
	if c.phase == reading {
		c.phase = waiting
	}
	c.firstByte, c.connected = 0, c.start
	c.heads >>= 1
	c.answer.reset(c.heads&1 != 0, l.Check != nil, l.server == "")
	if !goesOn {
		l.lose(i, closes[waiting])
		return false
	}
	l.kept++
	return true
}

// greet notes, once, that the handshake of a connection by way of a tunnel is done.
func (l *loop) greet(c *client) {
	if c.tunnel == nil || c.greeted {
		return
	}
	at := c.tunnel.ready.Load()
	if at == 0 {
		c.phase = connecting
		return
	}
	c.greeted = true
	c.connected = at
	c.sent = max(c.sent, at)
	l.Opened++
}

// judge books what the answer says.
func (l *loop) judge(c *client) {
	a := &c.answer
	c.answered++
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
	if err := l.Check(c.number, a.status, a.content); err != nil {
		const kept = 5
		l.wrong++
		if len(l.wrongSample) < kept {
			l.wrongSample = append(l.wrongSample, err.Error())
		}
	}
}

// tell shows an answer that is complete to Config.OnAnswer.
func (l *loop) tell(c *client) {
	if l.OnAnswer != nil {
		l.OnAnswer(Answer{l.index, c.number, c.answer.status, c.answer.value, time.Duration(l.now - c.due)})
	}
}
