package load

import (
	"context"
	"errors"
	"net"
	"net/netip"
	"time"

	"golang.org/x/sys/unix"
)

// Idle is what became of the connections that carried no request.
type Idle struct {
	// Opened stood when the run began; Failed could not be opened, for Cause.
	Opened, Failed int
	Cause          string
	// ClosedByServer is the number that the server had ended when the run was over.
	ClosedByServer int
}

// idleTimeout bounds the opening of an idle connection.
const idleTimeout = 3 * time.Second

// idlers hold the idle connections of a run.
type idlers struct {
	open   []*net.TCPConn
	failed int
	cause  string
}

// holdIdle opens so many connections, one after another; what can't be opened is only counted. Behind one that got no
// answer in time no other is tried: each would take as long.
func holdIdle(ctx context.Context, addr netip.AddrPort, count int) *idlers {
	var x idlers
	dialer := net.Dialer{Timeout: idleTimeout, KeepAlive: -1}
	for range count {
		conn, err := dialer.DialContext(ctx, "tcp", addr.String())
		if err != nil {
			x.failed++
			x.cause = err.Error()
			var network net.Error
			if ctx.Err() != nil || errors.As(err, &network) && network.Timeout() {
				x.failed = count - len(x.open)
				break
			}
			continue
		}
		x.open = append(x.open, conn.(*net.TCPConn))
	}
	return &x
}

// result looks at every connection.
func (x *idlers) result() Idle {
	r := Idle{Opened: len(x.open), Failed: x.failed, Cause: x.cause}
	for _, c := range x.open {
		if endedByPeer(c) {
			r.ClosedByServer++
		}
	}
	return r
}

// endedByPeer says whether the other side has closed or reset the connection.
func endedByPeer(c *net.TCPConn) (ended bool) {
	raw, err := c.SyscallConn()
	if err != nil {
		return true
	}
	err = raw.Control(func(fd uintptr) {
		poll := []unix.PollFd{{Fd: int32(fd), Events: unix.POLLRDHUP}}
		n, _ := unix.Poll(poll, 0)
		ended = n > 0 && poll[0].Revents&(unix.POLLRDHUP|unix.POLLHUP|unix.POLLERR) != 0
	})
	return ended || err != nil
}

// release closes the connections.
func (x *idlers) release() {
	for _, c := range x.open {
		// Nothing was written that a failing close could lose.
		_ = c.Close()
	}
}
