package main

import "github.com/panjf2000/gnet/v2"

// peer is one end that a loop owns: a client's connection, a connection to a downstream or to the cache, the loop's own
// home. Its methods are called on the loop.
type peer interface {
	// on is the peer's loop.
	on() *loop
	// opened is called once, before any other.
	opened(gnet.Conn)
	// traffic is called when bytes have come in.
	traffic()
	// closed is called once, whoever closed the connection, also inside a Write that fails. The gnet.Conn must not be
	// used after it.
	closed(error)
	// abort closes the connection.
	abort()
}

// events hands gnet's callbacks to the peer that the connection belongs to.
type events struct {
	gnet.BuiltinEventEngine
	server *server
}

// OnOpen, OnTraffic and OnClose implement gnet.EventHandler.
func (e *events) OnOpen(c gnet.Conn) ([]byte, gnet.Action) {
	p := c.Context().(peer)
	if x, ok := p.(*conn); ok {
		x.loop = e.server.byHandle[c.EventLoop()]
	}
	l := p.on()
	l.enter()
	defer l.leave(p)
	p.opened(c)
	return nil, gnet.None
}

func (e *events) OnTraffic(c gnet.Conn) gnet.Action {
	p := c.Context().(peer)
	l := p.on()
	l.enter()
	defer l.leave(p)
	p.traffic()
	return gnet.None
}

func (e *events) OnClose(c gnet.Conn, err error) gnet.Action {
	p := c.Context().(peer)
	l := p.on()
	l.enter()
	defer l.leave(p)
	p.closed(err)
	return gnet.None
}
