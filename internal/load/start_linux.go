package load

import (
	"bytes"

	"golang.org/x/sys/unix"
)

// begin starts the next request of a client, which was due at that time, or lets the client go when there is none. The
// clock has just been read.
func (l *loop) begin(i int32, due int64) {
	c := &l.clients[i]
	if !c.begun {
		c.begun = true
		l.unbegun--
	}
	size := l.share(c)
	if size == 0 {
		l.retire(i)
		return
	}
	l.Sent += size
	l.inFlight += size
	c.batch = size
	c.due, c.start, c.connected, c.sent, c.firstByte = due, l.now, 0, 0, 0
	l.noteLag(c)
	l.busy.add(i)
	request := l.compose(c)
	c.answer.reset(c.heads&1 != 0, l.Check != nil, l.server == "")
	if c.fd == none {
		c.phase = connecting
		if !l.open(i, len(request)) {
			return
		}
	} else {
		c.phase, c.connected = sending, c.start
		l.Reused += size
	}
	c.carried += size
	if l.transmit(i, request) && c.phase <= sending && l.fixed == nil {
		c.held = append(c.held[:0], c.rest...) // out serves the next client
		c.rest = c.held
	}
}

// share takes the number of requests that the client sends next from those that are left: one, or as many as a
// pipeline holds; 0 when it is over.
func (l *loop) share(c *client) int {
	if l.Arrivals != nil {
		c.session--
		return 1
	}
	if !l.more() {
		return 0
	}
	size := min(l.Pipeline, l.left-l.unbegun)
	if l.PerConnection > 0 {
		size = min(size, l.PerConnection-c.carried)
	}
	l.left -= size
	return size
}

// compose puts the bytes of the client's batch together.
func (l *loop) compose(c *client) []byte {
	c.number = l.next
	if l.fixed != nil {
		c.heads = l.fixedHeads
		l.next += c.batch * l.stride
		return l.fixed[:c.batch*len(l.fixed)/l.Pipeline]
	}
	l.out, c.heads = l.out[:0], 0
	for k := range c.batch {
		from := len(l.out)
		l.out = l.Source.Append(l.out, l.next)
		l.next += l.stride
		if bytes.HasPrefix(l.out[from:], head) {
			c.heads |= 1 << k
		}
	}
	return l.out
}

// head starts a request whose answer has no body.
var head = []byte("HEAD ")

// noteLag books how late requests start: behind their schedule, or, when they have none, behind the client's last one.
func (l *loop) noteLag(c *client) {
	if !l.scheduled {
		l.turnaround += c.start - c.ended
		return
	}
	lag := c.start - c.due
	l.lag.record(int64(micros(lag)), int64(c.batch))
	if lag > int64(LateAfter) {
		l.late += c.batch
	}
}

// oneSegment is a request size that surely leaves in one segment, so that the socket needs no TCP_NODELAY for it.
const oneSegment = 1400

// open starts a connection; on a failure it ends the request and returns false.
func (l *loop) open(i int32, request int) bool {
	c := &l.clients[i]
	var errno unix.Errno
	if l.TLS != nil {
		c.fd, c.tunnel, errno = l.tunnels.open()
	} else {
		c.fd, errno = l.dialer.open(l.noDelay || request > oneSegment)
	}
	if errno != 0 {
		c.fd = none
		l.fail(i, failureOf(errno, connecting))
		return false
	}
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
		if c.tunnel == nil {
			l.Opened++
		}
	}
	if n < len(b) {
		c.rest = b[n:]
		return l.watch(i, unix.EPOLLIN|unix.EPOLLRDHUP|unix.EPOLLOUT)
	}
	c.phase, c.sent = waiting, max(l.now, c.start)
	return l.watch(i, unix.EPOLLIN|unix.EPOLLRDHUP)
}

// watch has epoll report what the connection waits for, once when it comes (EPOLLET): so the kernel need not look at
// the connection again at the next wait.
func (l *loop) watch(i int32, interest uint32) bool {
	c := &l.clients[i]
	if c.interest == interest {
		return true
	}
	op := unix.EPOLL_CTL_MOD
	if c.interest == 0 {
		op = unix.EPOLL_CTL_ADD
	}
	return l.setInterest(i, op, interest)
}

// setInterest tells epoll what the connection waits for. What is there already is then reported, too, even if it was
// before. On a failure it ends the request and returns false.
func (l *loop) setInterest(i int32, op int, interest uint32) bool {
	c := &l.clients[i]
	ev := unix.EpollEvent{Events: interest | unix.EPOLLET, Fd: i, Pad: c.generation}
	if errno := control(l.epoll, op, c.fd, &ev); errno != 0 {
		l.fail(i, failureOf(errno, c.phase))
		return false
	}
	c.interest = interest
	return true
}
