package main

import (
	"io"
	"net"
	"sync"

	"poolvsloop/internal/accept"
)

// listener hands the connections of an [accept.Listener] to fasthttp, which asks for them one by one. Fasthttp's own
// way ends the server when descriptors run out; this one waits.
type listener struct {
	*accept.Listener
	accepted chan net.Conn
	failure  error
}

func newListener(l *accept.Listener) *listener {
	return &listener{Listener: l, accepted: make(chan net.Conn)}
}

// run accepts until the listener is closed or broken; Accept then ends.
func (l *listener) run() {
	defer close(l.accepted)
	l.failure = l.Serve(func(c *net.TCPConn) { l.accepted <- &connection{TCPConn: c, release: l.Release} })
}

// Accept implements [net.Listener]: io.EOF is the regular end.
func (l *listener) Accept() (net.Conn, error) {
	if c, open := <-l.accepted; open {
		return c, nil
	}
	if l.failure != nil {
		return nil, l.failure
	}
	return nil, io.EOF
}

// Addr implements [net.Listener].
func (l *listener) Addr() net.Addr { return l.Listener.Addr() }

// connection gives its permit back when it is closed.
type connection struct {
	*net.TCPConn
	closed  sync.Once
	release func()
}

// Close implements [net.Conn].
func (c *connection) Close() error {
	err := c.TCPConn.Close()
	c.closed.Do(c.release)
	return err
}
