package main

import (
	"errors"
	"net"
	"os"
	"runtime"
	"time"

	"golang.org/x/sys/unix"
)

// threads waits in the kernel: a worker is an OS thread that sleeps in a system call, as in a server of the classic
// thread-per-request kind.
type threads struct{}

// begin locks the worker to its thread, which ends with it.
func (threads) begin() { runtime.LockOSThread() }

func (threads) parker() parker { return new(futexParker) }

func (threads) sleep(d time.Duration) {
	left := unix.NsecToTimespec(int64(d))
	for errors.Is(unix.ClockNanosleep(unix.CLOCK_MONOTONIC, 0, &left, &left), unix.EINTR) {
	}
}

func (threads) fill(c *conn, deadline time.Time) error {
	for {
		if c.receive(uintptr(c.fd)) {
			return c.received
		}
		if err := pollUntil(c.fd, unix.POLLIN, deadline); err != nil {
			return err
		}
	}
}

func (threads) flush(c *conn, b []byte, deadline time.Time) error {
	for len(b) > 0 {
		if err := pollUntil(c.fd, unix.POLLOUT, deadline); err != nil {
			return err
		}
		n, err := writeNow(c.fd, b)
		if err != nil {
			return err
		}
		b = b[n:]
	}
	return nil
}

// standAside does nothing: poll(2) on the socket is not in the way of Go's poller. The reader stands aside when the
// next byte wakes it.
func (threads) standAside(*conn) {}

func (threads) dial(addr string, timeout time.Duration) (net.Conn, error) {
	dialled, err := dialBlocking(addr, timeout)
	if err != nil {
		return nil, err
	}
	return &keptConn{Conn: dialled, fd: dialled.fd}, nil
}

// pollUntil blocks in ppoll(2) until one of the events, a hang-up or an error is there. It returns
// os.ErrDeadlineExceeded at the deadline.
func pollUntil(fd int, events int16, deadline time.Time) error {
	fds := []unix.PollFd{{Fd: int32(fd), Events: events}}
	for {
		left := unix.NsecToTimespec(max(0, int64(time.Until(deadline))))
		n, err := unix.Ppoll(fds, &left, nil)
		switch {
		case err == nil && n > 0:
			return nil
		case err == nil:
			return os.ErrDeadlineExceeded
		case !errors.Is(err, unix.EINTR):
			return os.NewSyscallError("ppoll", err)
		}
	}
}

// writeNow writes what a socket that does not block takes now, possibly nothing.
func writeNow(fd int, b []byte) (int, error) {
	for {
		n, err := unix.Write(fd, b)
		switch err {
		case nil:
			return n, nil
		case unix.EAGAIN:
			return 0, nil
		case unix.EINTR:
		default:
			return 0, os.NewSyscallError("write", err)
		}
	}
}
