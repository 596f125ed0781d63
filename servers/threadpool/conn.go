package main

import (
	"errors"
	"io"
	"net"
	"net/http"
	"os"
	"sync"
	"syscall"
	"time"

	"golang.org/x/sys/unix"

	"poolvsloop/internal/meter"
	"poolvsloop/internal/wire"
)

// conn is a client's connection. A goroutine of its own, the reader, waits for heads in Go's network poller, so that
// idle connections and slow heads hold no worker. A complete head goes to the pool; from then on the worker that takes
// it has the connection, writes the answer and gives the connection back (see turn.go). The reader meanwhile watches
// for the client to leave.
type conn struct {
	ticket
	server *server
	socket *net.TCPConn
	raw    syscall.RawConn
	fd     int // the socket's descriptor, valid until the reader closes it

	// receive, look and keeps are readNow, lookNow and mayGoOn, made once.
	receive, look func(fd uintptr) bool
	keeps         func() bool

	// These belong to whoever has the reading: the reader, or the worker that claimed it.
	in        *inbox    // nil while no byte of a request is here
	received  error     // what the last receive brought
	armed     time.Time // the socket's read deadline, unless it was woken since
	headSince time.Time // when the first byte of the head came

	served int // answers after which it went on, each the start of a keep-alive wait; of whoever has the request

	mu      sync.Mutex
	turn    sync.Cond // signals a change of phase or aside
	phase   phase
	since   time.Time // accept, or the end of the last answer; read by whoever has the connection
	idle    bool      // the reader waits for the first byte of a request
	gone    bool      // the client left, or closed its half, while a worker had the request
	more    bool      // bytes that the reader could not look at yet are here
	aside   bool      // the reader is out of the poller
	hungUp  bool      // our half of the reading is closed: hang-ups are not the client's
	resting restPlace
}

// newConn takes over an accepted socket. Call serve next.
func newConn(s *server, socket *net.TCPConn) (*conn, error) {
	raw, err := socket.SyscallConn()
	if err != nil {
		return nil, err
	}
	now := time.Now()
	c := &conn{server: s, socket: socket, raw: raw, since: now, headSince: now, idle: true}
	c.conn = c
	c.turn.L = &c.mu
	c.receive, c.look, c.keeps = c.readNow, c.lookNow, c.mayGoOn
	return c, raw.Control(func(fd uintptr) { c.fd = int(fd) })
}

// serve is the reader: it runs until the connection is over, and closes it.
func (c *conn) serve() {
	defer c.close()
	if c.server.config.Dispatch == DispatchConnection {
		c.serveWhole()
	} else {
		c.serveRequests()
	}
}

// serveRequests gives the pool one request after the other (--dispatch=request).
func (c *conn) serveRequests() {
	for {
		if !c.hearRequest() {
			return
		}
		switch c.offer() {
		case reading:
		case expired:
			if !c.refuse(meter.QueueTimeout) {
				return
			}
		case full:
			if !c.refuse(meter.QueueFull) {
				return
			}
		default:
			return
		}
	}
}

// serveWhole gives the pool the connection as it is (--dispatch=connection): the heads are the worker's to read. Only
// to refuse a request with an answer its head is read here; then the connection is offered again.
func (c *conn) serveWhole() {
	for {
		reason := meter.QueueFull
		switch c.offer() {
		case full:
		case expired:
			reason = meter.QueueTimeout
		default:
			return
		}
		if !c.server.answersRefusal(reason) {
			c.server.refused(reason)
			return
		}
		if !c.hearRequest() || !c.refuse(reason) {
			return
		}
	}
}

// hearRequest reads the next head off the workers, and answers a bad one. It returns false when the connection is over.
func (c *conn) hearRequest() bool {
	err := c.readHead(goroutines{})
	if err != nil && c.refuseHead(goroutines{}, err) == closing {
		c.takeLeave()
	}
	return err == nil
}

// readHead waits for the head of the next request and decodes it, with what is here of the body. The error is a
// *wire.Refusal, which the client is to read, or any other, after which there is nothing to say.
func (c *conn) readHead(w waiting) error {
	for {
		if c.in != nil && !c.in.empty() {
			c.rouse()
			if done, err := c.in.head(); done || err != nil {
				return err
			}
		}
		started := c.started()
		if err := w.fill(c, c.headDeadline(started)); err != nil {
			return c.headFailed(err, started)
		}
	}
}

// started says that a byte of a head is here.
func (c *conn) started() bool { return c.in != nil && c.in.started() }

// headDeadline is when the head must be complete, or when the wait for its first byte ends.
func (c *conn) headDeadline(started bool) time.Time {
	if c.served > 0 && !started {
		return c.since.Add(c.server.config.IdleTimeout)
	}
	return c.headSince.Add(c.server.config.HeaderTimeout)
}

func (c *conn) headFailed(err error, started bool) error {
	m := c.server.meter
	switch {
	case !errors.Is(err, os.ErrDeadlineExceeded):
		return err
	case started:
		m.TimedOut(meter.HeaderTimeout)
		return &wire.Refusal{Status: http.StatusRequestTimeout, Reason: "request header timeout"}
	case c.served == 0:
		m.TimedOut(meter.HeaderTimeout)
	default:
		m.TimedOut(meter.IdleTimeout)
	}
	return err
}

// readBody reads the rest of the request's body.
func (c *conn) readBody(w waiting, deadline time.Time) error {
	for !c.in.whole {
		if err := w.fill(c, deadline); err != nil {
			return err
		}
		if err := c.in.body(); err != nil {
			return err
		}
	}
	return nil
}

// readNow reads what is there into the inbox and leaves the result in c.received. It returns false, with nothing
// changed, when nothing is there. An idle connection borrows an inbox only for the time of the system call.
func (c *conn) readNow(fd uintptr) bool {
	if c.in == nil {
		c.in = c.server.inboxes.borrow()
	}
	n, err := readOnce(int(fd), c.in.space())
	switch {
	case errors.Is(err, unix.EAGAIN):
		c.releaseEmpty()
		return false
	case err != nil:
		c.received = os.NewSyscallError("read", err)
	case n == 0:
		c.received = io.EOF
	default:
		c.in.to += n
		c.received = nil
	}
	return true
}

// releaseEmpty gives the inbox back when no byte of a request is in it.
func (c *conn) releaseEmpty() {
	if c.in.empty() && !c.in.started() {
		c.server.inboxes.giveBack(c.in)
		c.in = nil
	}
}

func readOnce(fd int, b []byte) (int, error) {
	for {
		n, err := unix.Read(fd, b)
		if err != unix.EINTR {
			return n, err
		}
	}
}

// mayGoOn says whether the connection goes on after an answer to the request it has now.
func (c *conn) mayGoOn() bool {
	most := c.server.config.MaxRequests
	last := most > 0 && c.served+1 >= most
	return c.in.request.KeepAlive && !last && !c.server.draining.Load()
}

// send writes all of b, within the write timeout from its first byte.
func (c *conn) send(w waiting, b []byte) error {
	n, err := writeNow(c.fd, b)
	if err != nil || n == len(b) {
		return err
	}
	return w.flush(c, b[n:], time.Now().Add(c.server.config.WriteTimeout))
}

// unsent counts an answer that could not be sent, and returns what becomes of the connection. A client that does not
// read is reset, so that the kernel does not go on sending what it has.
func (c *conn) unsent(err error) phase {
	if errors.Is(err, os.ErrDeadlineExceeded) {
		c.server.meter.TimedOut(meter.WriteTimeout)
		_ = c.socket.SetLinger(0)
	} else {
		c.server.meter.Abandoned(meter.InService)
	}
	return over
}

// arm sets the socket's read deadline.
func (c *conn) arm(deadline time.Time) {
	c.armed = deadline
	_ = c.socket.SetReadDeadline(deadline) // fails only on a closed socket, which the next read tells
}

// closeSending closes the sending half after the last answer when bytes from the client are unread or may still come:
// closing the socket now would reset it, and could take the answer away (RFC 9112 §9.6). It returns false when all was
// read: then the socket can be closed.
func (c *conn) closeSending() bool {
	if c.in.whole && c.in.empty() && peek(c.fd)&unix.POLLIN == 0 {
		return false
	}
	_ = c.socket.CloseWrite() // fails when the client is gone, which the reader sees
	return true
}

// linger lets the client read the last answer after closeSending: what still comes is thrown away until the client
// closes too. The reader calls it.
func (c *conn) linger() {
	deadline := c.since.Add(lingerTime)
	for (goroutines{}).fill(c, deadline) == nil {
		c.in.from, c.in.to = 0, 0
	}
}

// lingerTime bounds linger.
const lingerTime = 2 * time.Second

// close ends the connection; the reader calls it, when no worker has it.
func (c *conn) close() {
	c.rouse()
	_ = c.socket.Close() // it is over either way
	c.server.listener.Release()
	c.server.conns.leave(c)
}
