package main

import (
	"errors"
	"fmt"
	"net"

	"github.com/panjf2000/gnet/v2"
)

// home is a loop's own end: a socket that nothing is ever sent to. gnet shows a loop only to the callbacks of its
// connections, so the loop is learnt from it before the first client comes. And gnet does not say when a loop ends; but
// then its connections are closed, this one too.
type home struct {
	loop *loop
	c    gnet.Conn
}

func (h *home) on() *loop { return h.loop }

// opened is the first callback of the loop.
func (h *home) opened(c gnet.Conn) {
	h.c = c
	h.loop.home, h.loop.handle = h, c.EventLoop()
	h.loop.goroutine = goroutineName()
}

// traffic throws away what a stranger sent.
func (h *home) traffic() { _, _ = h.c.Discard(-1) }

func (h *home) abort() {}

// closed means that the loop has ended. Unless it was told to, the server is broken.
func (h *home) closed(err error) {
	s := h.loop.server
	if s.stopping.Load() {
		return
	}
	select {
	case s.failed <- errors.Join(fmt.Errorf("event loop %d ended unasked", h.loop.index), err):
	default:
	}
}

// discard is a port that nobody sends from (RFC 863): a datagram socket connected to it hears nothing.
const discard = 9

var loopback = net.IPv4(127, 0, 0, 1)

// settle gives every loop its home. gnet puts a new connection on the loop with the fewest, so each comes to a loop of
// its own.
func (s *server) settle() error {
	for _, l := range s.loops {
		socket, err := net.DialUDP("udp4", &net.UDPAddr{IP: loopback}, &net.UDPAddr{IP: loopback, Port: discard})
		if err != nil {
			return fmt.Errorf("open the home socket of loop %d: %w", l.index, err)
		}
		if _, err := s.client.EnrollContext(socket, &home{loop: l}); err != nil {
			return fmt.Errorf("put the home socket on loop %d: %w", l.index, err)
		}
		if l.handle == nil || s.byHandle[l.handle] != nil {
			return fmt.Errorf("gnet did not give loop %d a connection of its own", l.index)
		}
		s.byHandle[l.handle] = l
	}
	return nil
}
