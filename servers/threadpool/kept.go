package main

import (
	"net"
	"os"
	"syscall"
	"time"

	"golang.org/x/sys/unix"
)

// keptConn is a connection to a downstream or the cache that carries one call after the other. What comes between two
// calls was not asked for, and must not be read as the next one's answer: the first write after a read fails then, as on
// a connection that the peer has closed.
type keptConn struct {
	net.Conn
	fd   int  // the socket's descriptor, valid until Close
	read bool // since the last write
}

// errSpoke is of a write to a peer that said something, or closed, since it was last read.
var errSpoke = os.NewSyscallError("write", unix.EPIPE)

// Read implements net.Conn.
func (c *keptConn) Read(b []byte) (int, error) {
	c.read = true
	return c.Conn.Read(b)
}

// Write implements net.Conn.
func (c *keptConn) Write(b []byte) (int, error) {
	if c.read && peek(c.fd) != 0 {
		return 0, errSpoke
	}
	c.read = false
	return c.Conn.Write(b)
}

// dialKept connects with a socket that Go's network poller knows.
func dialKept(addr string, timeout time.Duration) (net.Conn, error) {
	dialled, err := dialTCP(addr, timeout)
	if err != nil {
		return nil, err
	}
	raw, err := dialled.(syscall.Conn).SyscallConn()
	kept := &keptConn{Conn: dialled}
	if err == nil {
		err = raw.Control(func(fd uintptr) { kept.fd = int(fd) })
	}
	if err != nil {
		_ = dialled.Close() // it was never used
		return nil, err
	}
	return kept, nil
}
