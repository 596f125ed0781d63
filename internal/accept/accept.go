// Package accept takes connections for both servers in one way: a kernel backlog of the size asked for, a permit taken
// before accept(2) so that never more than MaxConns are open, back-off when descriptors run out, and a drain that
// leaves nobody reset in the kernel accept queue. Linux only.
package accept

import (
	"context"
	"errors"
	"fmt"
	"net"
	"sync"
	"sync/atomic"

	"github.com/rs/zerolog"
	"golang.org/x/sys/unix"
)

// Config says how to listen.
type Config struct {
	Addr string
	// Backlog is the kernel accept queue's limit asked for by a second listen(2); somaxconn cuts it.
	Backlog int
	// MaxConns is the number of permits; 0 stands for as many as the descriptors allow. It is always cut to what the
	// descriptor limit leaves after Reserve.
	MaxConns int
	// Reserve is the number of descriptors kept free for everything that is not a client's connection.
	Reserve int
	// Full, when set, is called on Serve's goroutine when no permit is free and a connection waits; it should close an
	// idle connection (evict-idle). It is called again 50 ms later while that lasts. Nil waits.
	Full func()
}

// Listener is a listening socket with permits. All methods may be called from any goroutine.
type Listener struct {
	config   Config
	log      zerolog.Logger
	listener *net.TCPListener
	socket   *socket
	permits  *permits

	serving    atomic.Bool
	drain      chan struct{}
	startDrain sync.Once
	closed     chan struct{}
	close      sync.Once

	accepted, descriptorsFull atomic.Uint64
}

// Listen binds. The error names the address and what to do.
//
// Keep-alive probes are off: the servers' own timeouts find a dead client, and four system calls per connection are
// saved. TCP_NODELAY stays on, Go's default.
func Listen(c Config, log zerolog.Logger) (*Listener, error) {
	conns, err := connectionLimit(c.MaxConns, c.Reserve)
	if err != nil {
		return nil, err
	}
	bound, err := (&net.ListenConfig{KeepAlive: -1}).Listen(context.Background(), "tcp", c.Addr)
	if err != nil {
		return nil, bindError(c.Addr, err)
	}
	l := &Listener{
		config: c, log: log, listener: bound.(*net.TCPListener), permits: newPermits(conns),
		drain: make(chan struct{}), closed: make(chan struct{}),
	}
	if l.socket, err = newSocket(l.listener, c.Backlog); err != nil {
		return nil, errors.Join(fmt.Errorf("set backlog %d on %s: %w", c.Backlog, bound.Addr(), err), bound.Close())
	}
	return l, nil
}

// mostPermits bounds the permits where the descriptor limit is said to be infinite.
const mostPermits = 1 << 20

// connectionLimit cuts the connections asked for to what the descriptor limit leaves after reserve.
func connectionLimit(asked, reserve int) (int, error) {
	var limit unix.Rlimit
	if err := unix.Getrlimit(unix.RLIMIT_NOFILE, &limit); err != nil {
		return 0, fmt.Errorf("read the descriptor limit: %w", err)
	}
	free := int(min(limit.Cur, mostPermits)) - reserve
	switch {
	case free < 1:
		return 0, fmt.Errorf("descriptor limit %d leaves no connection after %d kept for other use: raise it (ulimit -n)",
			limit.Cur, reserve)
	case asked == 0:
		return free, nil
	default:
		return min(asked, free), nil
	}
}

func bindError(addr string, err error) error {
	advice := "check --addr"
	switch {
	case errors.Is(err, unix.EADDRINUSE):
		advice = "stop what uses it, or choose another --addr (port 0 picks a free one)"
	case errors.Is(err, unix.EACCES):
		advice = "choose a port above 1023 with --addr"
	}
	return fmt.Errorf("listen on %s: %w: %s", addr, err, advice)
}

// Addr is the bound address.
func (l *Listener) Addr() *net.TCPAddr { return l.listener.Addr().(*net.TCPAddr) }

// Release gives one permit back; call it once for each connection handed out, when it is closed.
func (l *Listener) Release() { l.permits.release() }

// Close closes the socket at once; the kernel resets what waits in the kernel accept queue. Serve and Drain then return.
func (l *Listener) Close() error {
	var err error
	l.close.Do(func() {
		close(l.closed)
		err = l.listener.Close()
	})
	return err
}

func isDone(c <-chan struct{}) bool {
	select {
	case <-c:
		return true
	default:
		return false
	}
}

// Stats is a snapshot for metrics and the log line of limits.
type Stats struct {
	// BacklogAsked and Backlog are the limit asked for and the one in force.
	BacklogAsked int `json:"backlog_asked"`
	Backlog      int `json:"backlog"`
	// QueueDepth is the number of connections that wait to be accepted now; up to Backlog+1 fit.
	QueueDepth int `json:"queue_depth"`
	// MaxConnsAsked and MaxConns are the permits asked for and those in force.
	MaxConnsAsked int `json:"max_conns_asked"`
	MaxConns      int `json:"max_conns"`
	// Open is the number of connections handed out and not released. The acceptor's own permit is not in it.
	Open int `json:"conns_open"`
	// Accepted and DescriptorsFull are counts since the start: connections handed out, and accepts that failed because
	// the process or the host had no descriptor left.
	Accepted        uint64 `json:"conns_accepted"`
	DescriptorsFull uint64 `json:"descriptors_full"`
	// BlockedSeconds is the time that the acceptor waited for a permit, since the start, the wait under way included.
	BlockedSeconds float64 `json:"accept_blocked_s"`
}

// Stats reads the listener's state. After Close the queue and its limit read 0.
func (l *Listener) Stats() Stats {
	depth, limit := l.socket.queue()
	return Stats{
		BacklogAsked: l.config.Backlog, Backlog: limit, QueueDepth: depth,
		MaxConnsAsked: l.config.MaxConns, MaxConns: l.permits.size(), Open: l.permits.open(),
		Accepted: l.accepted.Load(), DescriptorsFull: l.descriptorsFull.Load(),
		BlockedSeconds: l.permits.blocked().Seconds(),
	}
}
