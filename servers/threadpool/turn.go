package main

import (
	"errors"
	"io"
	"os"
	"time"

	"golang.org/x/sys/unix"

	"poolvsloop/internal/accept"
	"poolvsloop/internal/meter"
)

// phase says who has a connection. It is guarded by conn.mu.
type phase uint8

const (
	// reading: the reader.
	reading phase = iota
	// submitted: the pool. Its ticket is queued or with a worker; the reader only watches.
	submitted
	// claimed: a worker, which also reads; the reader stands aside.
	claimed
	// expired: the reader; the ticket waited too long.
	expired
	// full: the reader; the pool did not take the ticket.
	full
	// closing: the reader; the last answer is out.
	closing
	// over: the reader; the client left, or the answer could not be sent.
	over
)

// offer submits the connection to the pool and waits until it is the reader's again. It returns the phase: reading
// after an answer, full or expired for a request that is to be refused, over when there is nothing left to do.
func (c *conn) offer() phase {
	c.mu.Lock()
	c.phase, c.gone = submitted, false
	c.more = c.in != nil && !c.in.empty()
	c.mu.Unlock()
	if !c.server.pool.submit(&c.ticket) {
		c.mu.Lock()
		defer c.mu.Unlock()
		c.phase = full
		return full
	}
	back := c.watch()
	if back == closing {
		c.linger()
		return over
	}
	return back
}

// watch waits until the connection is the reader's again, and takes it out of the queue when its client leaves.
func (c *conn) watch() phase {
	for {
		err := c.raw.Read(c.look)
		late := errors.Is(err, os.ErrDeadlineExceeded)
		c.mu.Lock()
		c.gone = c.gone || err != nil && !late
		for c.phase == claimed || c.phase == submitted && c.gone && !c.unqueue() {
			c.aside = true
			c.turn.Broadcast()
			c.turn.Wait()
		}
		c.aside = false
		if c.phase == submitted && late {
			c.arm(time.Now().Add(c.server.config.IdleTimeout)) // an old deadline; while it is away none holds
		}
		now := c.phase
		c.mu.Unlock()
		if now != submitted {
			return now
		}
	}
}

// unqueue takes the ticket of a client that left out of the queue, and ends the connection. It returns false when a
// worker has it. c.mu is held.
func (c *conn) unqueue() bool {
	if !c.server.pool.remove(&c.ticket) {
		return false
	}
	c.phase = over
	if c.asked() {
		c.server.meter.Abandoned(meter.Queued)
	}
	return true
}

// asked says whether the client that left had sent a request: with --dispatch=connection there may be none yet, or only
// a part of its head. What came ahead of a reset cannot be looked at any more, and counts as one. c.mu is held, and the
// reading is the caller's.
func (c *conn) asked() bool {
	if c.server.config.Dispatch == DispatchRequest {
		return true
	}
	for {
		if c.in != nil {
			if done, err := c.in.head(); done || err != nil {
				return done
			}
		}
		if !c.receive(uintptr(c.fd)) {
			return false
		}
		if c.received != nil {
			return c.more && !errors.Is(c.received, io.EOF)
		}
	}
}

// lookNow looks at the socket for the watching reader, without reading. It returns true when there is something to do.
func (c *conn) lookNow(fd uintptr) bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.phase != submitted {
		return true
	}
	seen := peek(int(fd))
	left := int16(unix.POLLERR | unix.POLLHUP)
	if !c.hungUp {
		left |= pollPeerClosed
	}
	c.gone = c.gone || seen&left != 0
	// The end of the stream is an event to read, too.
	if seen&unix.POLLIN != 0 && (!c.gone || hasBytes(int(fd))) {
		c.more = true
	}
	return c.gone
}

// hasBytes says whether bytes can be read from a socket now.
func hasBytes(fd int) bool {
	n, _, err := unix.Recvfrom(fd, make([]byte, 1), unix.MSG_PEEK|unix.MSG_DONTWAIT)
	return n > 0 && err == nil
}

// pollPeerClosed is POLLRDHUP of poll(2): the peer closed its sending half. It has the value of EPOLLRDHUP.
const pollPeerClosed = unix.EPOLLRDHUP

// peek returns what poll(2) says of a socket now.
func peek(fd int) int16 {
	fds := []unix.PollFd{{Fd: int32(fd), Events: unix.POLLIN | pollPeerClosed}}
	if n, err := unix.Ppoll(fds, &unix.Timespec{}, nil); n <= 0 || err != nil {
		return 0
	}
	return fds[0].Revents
}

// claim gives the calling worker the reading; unclaim or handBack ends it. It returns false when the worker has it.
func (c *conn) claim(w waiting) bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.phase == claimed {
		return false
	}
	c.phase = claimed
	w.standAside(c)
	return true
}

// unclaim gives the reading back while the worker goes on with the request.
func (c *conn) unclaim() {
	c.mu.Lock()
	c.phase = submitted
	c.more = c.more || !c.in.empty()
	c.turn.Broadcast()
	c.mu.Unlock()
}

// handBack gives the connection back to its reader: reading after an answer that keeps it, closing after the last one,
// over when it could not be sent. The worker must not touch it any more.
func (c *conn) handBack(to phase) {
	if to == closing && !c.closeSending() {
		to = over
	}
	c.release(to == reading)
	c.mu.Lock()
	defer c.mu.Unlock()
	c.phase = to
	c.since = time.Now()
	switch to {
	case reading:
		c.served++
		c.rest()
		c.more = c.more || c.in != nil
		if idleEnd := c.since.Add(c.server.config.IdleTimeout); c.more {
			c.wake()
		} else if idleEnd.Before(c.armed) {
			c.arm(idleEnd) // a later deadline may stay: at its end the reader looks again
		}
	case closing:
		_ = c.socket.SetReadDeadline(c.since.Add(lingerTime))
	default:
		c.wake()
	}
	c.turn.Broadcast()
}

// release lets go of the inbox, unless bytes of a next request are in it. Its decoder can serve other connections only
// after a whole request.
func (c *conn) release(whole bool) {
	if c.in == nil || whole && !c.in.empty() {
		return
	}
	if c.in.whole && c.in.empty() {
		c.server.inboxes.giveBack(c.in)
	}
	c.in = nil
}

// answered begins the keep-alive wait for whoever has the reading and goes on with it.
func (c *conn) answered() {
	c.served++
	c.release(true)
	c.mu.Lock()
	defer c.mu.Unlock()
	c.since = time.Now()
	c.rest()
}

// rest begins the keep-alive wait. c.mu is held.
func (c *conn) rest() {
	c.idle = true
	c.server.conns.rest(c)
	if c.server.draining.Load() {
		c.closeReading()
	}
}

// rouse ends the wait for the first byte of a request.
func (c *conn) rouse() {
	c.mu.Lock()
	defer c.mu.Unlock()
	if !c.idle {
		return
	}
	c.idle = false
	if c.served > 0 {
		c.headSince = time.Now()
		c.server.conns.rouse(c)
	}
}

// expire makes the reader refuse the request. The pool calls it, after it took the ticket out of the queue.
func (c *conn) expire() {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.phase = expired
	c.wake()
	c.turn.Broadcast()
}

// hangUp closes the connection if it is idle; one that was accepted last has [accept.FirstGrace] to ask. A request that
// is on its way is still read and answered; the connection then ends. Any goroutine may call it.
func (c *conn) hangUp() {
	c.mu.Lock()
	defer c.mu.Unlock()
	if !c.idle {
		return
	}
	if grace := accept.FirstGrace - time.Since(c.since); c.served == 0 && grace > 0 {
		time.AfterFunc(grace, c.hangUp)
		return
	}
	c.closeReading()
}

// closeReading makes whoever waits for the next request see the end of the stream, unless a request has begun to come
// in. c.mu is held, and the connection idle.
func (c *conn) closeReading() {
	if peek(c.fd)&unix.POLLIN != 0 {
		return
	}
	c.hungUp = true
	_ = c.socket.CloseRead() // fails when the client is gone, which the reader sees
}

// wake makes the reader, if it is in the poller, look again. c.mu is held.
func (c *conn) wake() {
	_ = c.socket.SetReadDeadline(time.Unix(1, 0)) // fails only on a closed socket
}
