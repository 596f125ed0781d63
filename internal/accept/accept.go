// Package accept takes connections for both servers in one way: a kernel backlog of the size asked for, a permit taken
// before accept(2) so that never more than MaxConns are open, back-off when descriptors run out, and a drain that
// leaves nobody reset in the accept queue.
package accept

import (
	"net"

	"github.com/rs/zerolog"
)

// Config says how to listen.
type Config struct {
	Addr string
	// Backlog is the accept queue's limit asked for by a second listen(2); somaxconn cuts it.
	Backlog int
	// MaxConns is the number of permits; 0 stands for as many as the descriptors allow. It is always cut to what the
	// descriptor limit leaves after Reserve.
	MaxConns int
	// Reserve is the number of descriptors kept free for everything that is not a client's connection.
	Reserve int
	// Full, when set, is called when no permit is free; it should close an idle connection (evict-idle). Nil waits.
	Full func()
}

// Listener is a listening socket with permits. All methods may be called from any goroutine.
type Listener struct {
	config Config
	log    zerolog.Logger
}

// Listen binds. The error names the address and what to do.
func Listen(c Config, log zerolog.Logger) (*Listener, error) { panic("not written") }

// Addr is the bound address.
func (l *Listener) Addr() *net.TCPAddr { panic("not written") }

// Serve accepts and hands every connection to handle, on Serve's goroutine: handle must not block for long. It returns
// nil after Drain or Close, and an error only when the listening socket itself is broken; a full descriptor table is
// waited out (5 ms to 1 s) and counted.
func (l *Listener) Serve(handle func(*net.TCPConn)) error { panic("not written") }

// Release gives one permit back; call it once for each connection handed out, when it is closed.
func (l *Listener) Release() { panic("not written") }

// Drain hands out what waits in the accept queue (permits allowing), then closes the socket. Serve then returns.
func (l *Listener) Drain() { panic("not written") }

// Close closes the socket at once.
func (l *Listener) Close() error { panic("not written") }

// Stats is a snapshot for metrics and the log line of limits.
type Stats struct {
	// BacklogAsked and Backlog are the limit asked for and the one in force.
	BacklogAsked, Backlog int
	// QueueDepth is the number of connections that wait to be accepted now.
	QueueDepth int
	// MaxConnsAsked and MaxConns are the permits asked for and those in force.
	MaxConnsAsked, MaxConns int
	// Open is the number of permits taken.
	Open int
	// Accepted and DescriptorsFull are counts since the start.
	Accepted, DescriptorsFull uint64
	// BlockedSeconds is the time that the acceptor waited for a permit, since the start.
	BlockedSeconds float64
}

// Stats reads the listener's state.
func (l *Listener) Stats() Stats { panic("not written") }
