package main

import (
	"errors"
	"io"
	"net"
	"os"
	"sync/atomic"
	"time"

	"golang.org/x/sys/unix"
)

// blockingConn is a TCP connection to a downstream whose reads and writes block the calling thread in the kernel
// (O_NONBLOCK cleared); Go's network poller does not know it. Deadlines are the socket's own timeouts (SO_RCVTIMEO,
// SO_SNDTIMEO, socket(7)), set anew only when they would fire more than a clock tick off.
//
// One goroutine at a time reads, writes and sets deadlines. Close may come from another one when none of these is under
// way.
type blockingConn struct {
	fd            int
	local, remote net.Addr
	closed        atomic.Bool

	readDeadline, writeDeadline time.Time
	readTimeout, writeTimeout   time.Duration // what the socket is set to; 0 is none
}

// tick is the resolution of socket timeouts: one jiffy at 250 Hz.
const tick = 4 * time.Millisecond

// dialBlocking connects by Go's dialler, which resolves names and bounds the time, and takes the socket away from the
// poller.
func dialBlocking(addr string, timeout time.Duration) (*blockingConn, error) {
	dialled, err := dialTCP(addr, timeout)
	if err != nil {
		return nil, err
	}
	defer dialled.Close()
	raw, err := dialled.(*net.TCPConn).SyscallConn()
	if err != nil {
		return nil, err
	}
	c := &blockingConn{local: dialled.LocalAddr(), remote: dialled.RemoteAddr()}
	var taken error
	err = raw.Control(func(fd uintptr) {
		if c.fd, taken = unix.FcntlInt(fd, unix.F_DUPFD_CLOEXEC, 0); taken == nil {
			taken = unix.SetNonblock(c.fd, false)
		}
	})
	if err = errors.Join(err, taken); err != nil {
		return nil, os.NewSyscallError("take over the socket", err)
	}
	return c, nil
}

// Read implements net.Conn.
func (c *blockingConn) Read(b []byte) (int, error) {
	for {
		if err := c.setTimeout(unix.SO_RCVTIMEO, &c.readTimeout, c.readDeadline); err != nil {
			return 0, err
		}
		n, err := unix.Read(c.fd, b)
		switch {
		case err == nil && n == 0 && len(b) > 0:
			return 0, io.EOF
		case err == nil:
			return n, nil
		case err != unix.EAGAIN && err != unix.EINTR:
			return 0, os.NewSyscallError("read", err)
		}
	}
}

// Write implements net.Conn.
func (c *blockingConn) Write(b []byte) (int, error) {
	written := 0
	for written < len(b) {
		if err := c.setTimeout(unix.SO_SNDTIMEO, &c.writeTimeout, c.writeDeadline); err != nil {
			return written, err
		}
		n, err := unix.Write(c.fd, b[written:])
		switch {
		case err == nil:
			written += n
		case err != unix.EAGAIN && err != unix.EINTR:
			return written, os.NewSyscallError("write", err)
		}
	}
	return written, nil
}

// setTimeout makes a read or a write end at the deadline. It returns os.ErrDeadlineExceeded when that has passed, and
// net.ErrClosed after Close.
func (c *blockingConn) setTimeout(option int, set *time.Duration, deadline time.Time) error {
	if c.closed.Load() {
		return net.ErrClosed
	}
	left := time.Duration(0)
	if !deadline.IsZero() {
		if left = time.Until(deadline); left <= 0 {
			return os.ErrDeadlineExceeded
		}
	}
	if (left == 0) == (*set == 0) && (left-*set).Abs() < tick {
		return nil
	}
	// Rounded up to whole microseconds: a timeout of 0 would be none.
	timeout := unix.NsecToTimeval(int64(left + time.Microsecond - 1))
	if left == 0 {
		timeout = unix.Timeval{}
	}
	if err := unix.SetsockoptTimeval(c.fd, unix.SOL_SOCKET, option, &timeout); err != nil {
		return os.NewSyscallError("setsockopt", err)
	}
	*set = left
	return nil
}

// Close implements net.Conn.
func (c *blockingConn) Close() error {
	if c.closed.Swap(true) {
		return net.ErrClosed
	}
	return os.NewSyscallError("close", unix.Close(c.fd))
}

// LocalAddr implements net.Conn.
func (c *blockingConn) LocalAddr() net.Addr { return c.local }

// RemoteAddr implements net.Conn.
func (c *blockingConn) RemoteAddr() net.Addr { return c.remote }

// SetDeadline implements net.Conn.
func (c *blockingConn) SetDeadline(t time.Time) error {
	c.readDeadline, c.writeDeadline = t, t
	return nil
}

// SetReadDeadline implements net.Conn.
func (c *blockingConn) SetReadDeadline(t time.Time) error {
	c.readDeadline = t
	return nil
}

// SetWriteDeadline implements net.Conn.
func (c *blockingConn) SetWriteDeadline(t time.Time) error {
	c.writeDeadline = t
	return nil
}
