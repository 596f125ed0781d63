package main

import (
	"errors"
	"net"
	"os"
	"time"
)

// goroutines waits in Go's scheduler and its network poller. Readers, which are goroutines in either mode, wait so too.
type goroutines struct{}

func (goroutines) begin()                {}
func (goroutines) parker() parker        { return newChannelParker() }
func (goroutines) sleep(d time.Duration) { time.Sleep(d) }

// fill sets the socket's read deadline only when the one that is set comes too late: an early one costs a look at the
// clock when it fires, a new one for each read costs every request.
func (goroutines) fill(c *conn, deadline time.Time) error {
	if c.armed.IsZero() || c.armed.After(deadline) {
		c.arm(deadline)
	}
	for {
		err := c.raw.Read(c.receive)
		switch {
		case err == nil:
			return c.received
		case !errors.Is(err, os.ErrDeadlineExceeded) || !time.Now().Before(deadline):
			return err
		}
		c.arm(deadline)
	}
}

func (goroutines) flush(c *conn, b []byte, deadline time.Time) error {
	if err := c.socket.SetWriteDeadline(deadline); err != nil {
		return err
	}
	_, err := c.socket.Write(b)
	return err
}

// standAside wakes the reader and waits until it has left the poller, which has room for one.
func (goroutines) standAside(c *conn) {
	for !c.aside {
		c.wake()
		c.turn.Wait()
	}
}

func (goroutines) dial(addr string, timeout time.Duration) (net.Conn, error) {
	return dialKept(addr, timeout)
}

// dialTCP connects as both kinds of workers do. Keep-alive probes are off: the calls' own timeouts find a dead peer.
func dialTCP(addr string, timeout time.Duration) (net.Conn, error) {
	return (&net.Dialer{Timeout: timeout, KeepAlive: -1}).Dial("tcp", addr)
}
