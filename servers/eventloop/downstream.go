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

// downstream is one loop's connections to one downstream. A connection carries one request at a time; the one that came
// back last goes out first. Who finds none waits, first come first served, while connections are dialled.
type downstream struct {
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

// mostDialling bounds the connections that one loop dials to one downstream at once, and with that the goroutines that
// wait for them.
const mostDialling = 4

func newDownstream(l *loop, target flow.Target, address string) *downstream {
	return &downstream{
		loop: l, target: target, address: address,
		timeout: l.server.config.DownstreamTimeout, most: l.server.downstreamConns,
	}
}

// call sends the request's call on an idle connection, or makes it wait for one.
func (d *downstream) call(r *request) {
	if n := len(d.idle); n > 0 {
		o := d.idle[n-1]
		d.idle = d.idle[:n-1]
		o.send(r)
		return
	}
	d.wait(r, &d.waiting)
}

func (d *downstream) wait(r *request, in *line) {
	r.where = forConnection
	in.push(r)
	d.dial()
}

// dial opens as many connections as requests wait for, within the bounds.
func (d *downstream) dial() {
	for d.dialling < min(d.waiting.live+d.again.live, mostDialling) && d.open < d.most && !d.loop.server.stopping.Load() {
		d.dialling++
		d.open++
		go d.connect()
	}
}

// connect dials on a goroutine of its own and puts the connection on the loop.
func (d *downstream) connect() {
	o := &outbound{downstream: d, decoder: wire.NewReplyDecoder(wire.ReplyLimits)}
	c, err := dial(d.address, d.timeout)
	if err == nil {
		err = d.loop.enroll(c, o)
	}
	if err == nil && !o.wasOpened {
		err = errors.New("the poller refused the connection")
	}
	if err != nil {
		d.loop.post(func() { d.refused(err) })
	}
}

// dial connects with the calling goroutine waiting. Keep-alive probes are off: the calls' own timeouts find a dead peer.
func dial(address string, timeout time.Duration) (net.Conn, error) {
	return (&net.Dialer{Timeout: timeout, KeepAlive: -1}).Dial("tcp", address)
}

// refused fails one waiting request for one failed dial, as if it had dialled itself.
func (d *downstream) refused(err error) {
	d.dialling--
	d.open--
	d.loop.server.warnings.Warn().Err(err).Str("address", d.address).Msg("cannot connect to downstream")
	if r := d.firstForNew(); r != nil {
		r.resume(flow.Outcome{Failure: flow.FailureOf(err)})
	}
	d.dial()
}

// firstForNew takes the request that a new connection is for.
func (d *downstream) firstForNew() *request {
	if r := d.again.first(); r != nil {
		return r
	}
	return d.waiting.first()
}

// put gives a connection to a request, if any waits, or keeps it.
func (d *downstream) put(o *outbound, r *request) {
	if r != nil {
		o.send(r)
		return
	}
	d.idle = append(d.idle, o)
}

// lost forgets a closed connection.
func (d *downstream) lost(o *outbound) {
	d.open--
	for i, other := range d.idle {
		if other == o {
			d.idle = append(d.idle[:i], d.idle[i+1:]...)
			break
		}
	}
}

// outbound is one connection to a downstream.
type outbound struct {
	downstream *downstream
	c          gnet.Conn // nil once it is closed: a write would reach whoever has the descriptor then
	wasOpened  bool
	used       bool // it has carried a whole reply
	request    *request
	decoder    *wire.ReplyDecoder
	reply      wire.Reply
}

func (o *outbound) on() *loop { return o.downstream.loop }

func (o *outbound) opened(c gnet.Conn) {
	o.c = c
	o.wasOpened = true
	o.downstream.dialling--
	o.downstream.put(o, o.downstream.firstForNew())
	o.downstream.dial()
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
	if n < len(buf) {
		o.reply.KeepAlive = false // what came behind the reply was not asked for
	}
	if n > 0 {
		_, _ = o.c.Discard(n)
	}
	switch {
	case err != nil:
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
		o.downstream.put(o, o.downstream.waiting.first())
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
		_ = o.downstream.loop.handle.Close(o.c)
	}
}

// closed is called once, whoever closed the connection.
func (o *outbound) closed(err error) {
	d := o.downstream
	o.c = nil
	d.lost(o)
	if r := o.request; r != nil {
		o.request, r.outbound = nil, nil
		o.broken(r, err)
	}
	d.dial()
}

// broken decides what a closed connection means for the request that waited on it.
func (o *outbound) broken(r *request, err error) {
	switch started := o.decoder.Started(); {
	case started && errors.Is(err, io.EOF):
		r.resume(o.cut())
	case !started && o.used && !r.resent:
		r.resent = true
		o.downstream.loop.server.meter.Resent(o.downstream.target)
		o.downstream.wait(r, &o.downstream.again)
	default:
		r.resume(flow.Outcome{Failure: flow.Down})
	}
}

// cut is what a reply that the connection's end cut is worth: all, when it was to end there.
func (o *outbound) cut() flow.Outcome {
	if _, err := o.decoder.Closed(&o.reply); err != nil {
		return flow.Outcome{Failure: flow.Down}
	}
	return flow.Outcome{Reply: &o.reply}
}
