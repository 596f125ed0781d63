package main

import (
	"errors"
	"io"
	"net"
	"time"

	"github.com/panjf2000/gnet/v2"

	"poolvsloop/internal/flow"
	"poolvsloop/internal/wire"
)

// pool is one loop's connections to one downstream. A connection carries one request at a time; the one that came back
// last goes out first. Who finds none waits, first come first served, while connections are dialled.
type pool struct {
	loop    *loop
	target  flow.Target
	address string
	timeout time.Duration
	most    int // connections, those being dialled included

	idle     []*outbound
	waiting  line // for any connection
	again    line // for a new connection: the one that these were sent on turned out to be dead
	open     int  // connections, those being dialled included
	dialling int
}

// mostDialling bounds the connections that one pool dials at once, and with that the goroutines that wait for them.
const mostDialling = 4

// Bounds of what a downstream or the cache may answer, in bytes.
const (
	maxReplyHeader = 16 << 10
	maxReplyBody   = 4 << 20
)

var replyLimits = wire.Limits{MaxHeader: maxReplyHeader, MaxHeaders: maxHeaders, MaxBody: maxReplyBody}

func newPool(l *loop, target flow.Target, address string) *pool {
	return &pool{
		loop: l, target: target, address: address,
		timeout: l.server.config.DownstreamTimeout, most: l.server.downstreamConns,
	}
}

// call sends the request's call on an idle connection, or makes it wait for one.
func (p *pool) call(r *request) {
	if n := len(p.idle); n > 0 {
		o := p.idle[n-1]
		p.idle = p.idle[:n-1]
		o.send(r)
		return
	}
	p.wait(r, &p.waiting)
}

func (p *pool) wait(r *request, in *line) {
	r.where = forConnection
	in.push(r)
	p.dial()
}

// dial opens as many connections as requests wait for, within the bounds.
func (p *pool) dial() {
	for p.dialling < min(p.waiting.live+p.again.live, mostDialling) && p.open < p.most && !p.loop.server.stopping.Load() {
		p.dialling++
		p.open++
		go p.connect()
	}
}

// connect dials on a goroutine of its own and puts the connection on the loop.
func (p *pool) connect() {
	o := &outbound{pool: p, decoder: wire.NewReplyDecoder(replyLimits)}
	c, err := net.DialTimeout("tcp", p.address, p.timeout)
	if err == nil {
		err = p.loop.enroll(c, o)
	}
	if err == nil && !o.wasOpened {
		err = errors.New("the poller refused the connection")
	}
	if err != nil {
		p.loop.post(func() { p.refused(err) })
	}
}

// refused fails one waiting request for one failed dial, as if it had dialled itself.
func (p *pool) refused(err error) {
	p.dialling--
	p.open--
	p.loop.server.warnings.Warn().Err(err).Str("address", p.address).Msg("cannot connect to downstream")
	if r := p.firstForNew(); r != nil {
		r.resume(flow.Outcome{Failure: failureOf(err)})
	}
	p.dial()
}

func failureOf(err error) flow.Failure {
	var timeout net.Error
	switch {
	case err == nil:
		return flow.OK
	case errors.As(err, &timeout) && timeout.Timeout():
		return flow.Late
	case errors.Is(err, errMalformed):
		return flow.Malformed
	}
	return flow.Down
}

// firstForNew takes the request that a new connection is for.
func (p *pool) firstForNew() *request {
	if r := p.again.first(); r != nil {
		return r
	}
	return p.waiting.first()
}

// put gives a connection to a request, if any waits, or keeps it.
func (p *pool) put(o *outbound, r *request) {
	if r != nil {
		o.send(r)
		return
	}
	p.idle = append(p.idle, o)
}

// lost forgets a closed connection.
func (p *pool) lost(o *outbound) {
	p.open--
	for i, other := range p.idle {
		if other == o {
			p.idle = append(p.idle[:i], p.idle[i+1:]...)
			break
		}
	}
}

// outbound is one connection to a downstream.
type outbound struct {
	pool      *pool
	c         gnet.Conn // nil once it is closed: a write would reach whoever has the descriptor then
	wasOpened bool
	used      bool // it has carried a whole reply
	request   *request
	decoder   *wire.ReplyDecoder
	reply     wire.Reply
}

func (o *outbound) on() *loop { return o.pool.loop }

func (o *outbound) opened(c gnet.Conn) {
	o.c = c
	o.wasOpened = true
	o.pool.dialling--
	o.pool.put(o, o.pool.firstForNew())
	o.pool.dial()
}

func (o *outbound) send(r *request) {
	o.request = r
	r.outbound = o
	r.where = forReply
	_, _ = o.c.Write(r.call.Bytes) // an error has already come by closed
}

// traffic reads the reply.
func (o *outbound) traffic() {
	buf, err := o.c.Peek(-1)
	if o.request == nil || err != nil {
		o.abort() // it spoke unasked
		return
	}
	n, progress, err := o.decoder.Decode(buf, &o.reply)
	surplus := n < len(buf)
	if n > 0 {
		_, _ = o.c.Discard(n)
	}
	switch {
	case err != nil, progress == wire.Complete && surplus:
		o.drop().resume(flow.Outcome{Failure: flow.Malformed})
	case progress == wire.Complete:
		o.complete()
	}
}

// complete hands the reply over. The connection is free before, so that what the request asks next can go out on it.
func (o *outbound) complete() {
	r := o.request
	o.request, r.outbound = nil, nil
	o.used = true
	if o.reply.KeepAlive {
		o.pool.put(o, o.pool.waiting.first())
	} else {
		o.abort()
	}
	r.resume(flow.Outcome{Reply: &o.reply})
}

// drop closes the connection under a request, whose answer would now be out of step, and returns the request.
func (o *outbound) drop() *request {
	r := o.request
	o.request, r.outbound = nil, nil
	o.abort()
	return r
}

// abort closes the connection.
func (o *outbound) abort() {
	if o.c != nil {
		_ = o.pool.loop.handle.Close(o.c)
	}
}

// closed is called once, whoever closed the connection.
func (o *outbound) closed(err error) {
	p := o.pool
	o.c = nil
	p.lost(o)
	if r := o.request; r != nil {
		o.request, r.outbound = nil, nil
		o.broken(r, err)
	}
	p.dial()
}

// broken decides what a closed connection means for the request that waited on it.
func (o *outbound) broken(r *request, err error) {
	switch started := o.decoder.Started(); {
	case started && errors.Is(err, io.EOF):
		r.resume(o.cut())
	case !started && o.used && !r.resent:
		r.resent = true
		o.pool.loop.server.meter.Resent(o.pool.target)
		o.pool.wait(r, &o.pool.again)
	default:
		r.resume(flow.Outcome{Failure: flow.Down})
	}
}

// cut is what a reply that the connection's end cut is worth: all, when it was to end there.
func (o *outbound) cut() flow.Outcome {
	if _, err := o.decoder.Closed(&o.reply); err != nil {
		return flow.Outcome{Failure: flow.Malformed}
	}
	return flow.Outcome{Reply: &o.reply}
}
