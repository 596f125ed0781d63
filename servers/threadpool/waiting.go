package main

import (
	"net"
	"time"
)

// waiting is how a worker waits: for work, for a time, for a client, for a downstream. It is all that --worker=thread
// and --worker=goroutine differ in.
type waiting interface {
	// begin prepares the calling goroutine to be a worker until it ends.
	begin()
	// parker returns a new parker for one worker.
	parker() parker
	// sleep waits d.
	sleep(d time.Duration)
	// fill reads what is there for c, at least a byte, into its inbox. The error is io.EOF, os.ErrDeadlineExceeded or
	// of the socket. The caller must have the reading of c (see conn.claim).
	fill(c *conn, deadline time.Time) error
	// flush writes all of b to c. The caller must be the one that answers.
	flush(c *conn, b []byte, deadline time.Time) error
	// standAside makes the reader of c leave the socket alone, which a worker needs before it may fill. c.mu is held.
	standAside(c *conn)
	// dial connects to addr (host:port) within the timeout. The connection waits as the worker does, and is a keptConn.
	dial(addr string, timeout time.Duration) (net.Conn, error)
}
