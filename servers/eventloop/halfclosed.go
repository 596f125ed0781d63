package main

import (
	"bytes"

	"github.com/panjf2000/gnet/v2"
	"golang.org/x/sys/unix"
)

// halfClosed is what is left of a connection whose client has shut its sending side down and still waits for answers.
// gnet closes such a connection; a duplicate of its descriptor lives on here, without gnet. Nothing can come in any
// more, and the socket is not watched: what it does not take at once is tried again on the connection's timer.
type halfClosed struct {
	fd  int
	in  []byte // came in before the end and was not taken yet
	out []byte // not taken by the socket yet
	// unsettled: gnet is still to make its last attempt to write what it has; out begins with those bytes. before is
	// the socket's position ahead of that attempt.
	unsettled bool
	before    uint64
}

// halfClose keeps the connection that gnet is about to close. It returns nil when the client has not shut its side down
// but reset the connection, or when there is no descriptor left.
func halfClose(c gnet.Conn, x *conn) *halfClosed {
	if code, err := unix.GetsockoptInt(c.Fd(), unix.SOL_SOCKET, unix.SO_ERROR); err != nil || code != 0 {
		return nil
	}
	fd, err := unix.FcntlInt(uintptr(c.Fd()), unix.F_DUPFD_CLOEXEC, 0)
	if err != nil {
		return nil
	}
	h := &halfClosed{fd: fd}
	if in, err := c.Peek(-1); err == nil {
		h.in = bytes.Clone(in)
	}
	if kept := c.OutboundBuffered(); kept > 0 {
		h.out = bytes.Clone(x.tail[len(x.tail)-kept:])
		h.unsettled = true
		h.before = position(fd)
		x.loop.post(func() {
			if x.half == h {
				h.settle()
				x.pollOutput()
			}
		})
	}
	return h
}

// settle drops from out what gnet's last attempt has written.
func (h *halfClosed) settle() {
	h.unsettled = false
	h.out = h.out[position(h.fd)-h.before:]
}

// position is the number of bytes that were ever written to the socket, from some fixed start: those acknowledged, and
// those that are not yet.
func position(fd int) uint64 {
	for {
		before, err := unix.GetsockoptTCPInfo(fd, unix.SOL_TCP, unix.TCP_INFO)
		queued, err2 := unix.IoctlGetInt(fd, unix.SIOCOUTQ)
		after, err3 := unix.GetsockoptTCPInfo(fd, unix.SOL_TCP, unix.TCP_INFO)
		if err != nil || err2 != nil || err3 != nil {
			return 0 // not a socket any more: the next write says so
		}
		if before.Bytes_acked == after.Bytes_acked {
			return after.Bytes_acked + uint64(queued)
		}
	}
}

// write sends b, behind what waits.
func (h *halfClosed) write(b []byte) error {
	if len(h.out) > 0 {
		h.out = append(h.out, b...)
		return nil
	}
	n, err := h.send(b)
	h.out = append(h.out, b[n:]...)
	return err
}

// flush sends what waits, as far as the socket takes it.
func (h *halfClosed) flush() error {
	if h.unsettled || len(h.out) == 0 {
		return nil
	}
	n, err := h.send(h.out)
	h.out = h.out[n:]
	return err
}

func (h *halfClosed) send(b []byte) (sent int, err error) {
	for sent < len(b) {
		n, err := unix.Write(h.fd, b[sent:])
		switch err {
		case nil:
			sent += n
		case unix.EINTR:
		case unix.EAGAIN:
			return sent, nil
		default:
			return sent, err
		}
	}
	return sent, nil
}

func (h *halfClosed) close() { _ = unix.Close(h.fd) }
