package main

import (
	"net/http"
	"time"

	"poolvsloop/internal/flow"
	"poolvsloop/internal/meter"
	"poolvsloop/internal/wire"
)

// request is one request on its way through the handler. It waits in one place at a time; whoever holds it there gives
// it back by resume, once.
type request struct {
	loop *loop
	wire wire.Request
	flow flow.Flow

	conn     *conn    // nil once its client has left
	next     *request // the one behind it on its connection
	finished bool     // the response is complete
	closes   bool     // the connection ends with it
	counted  bool     // it is in flight

	call     flow.Call
	where    place
	line     *line // where it waits in a line, where that says so, and its place there
	ticket   uint64
	outbound *outbound // what it waits for, where that says so
	resent   bool      // the call was sent a second time
	timer    timer     // the call's deadline, or the end of a Timer

	begun, called time.Duration // when a callback began, as loop.now
	timed         time.Duration // the beginning of the call, where the request is timed: the handler's work before is no part
	timing        flow.Timing
	serverTiming  []byte
}

// place is where a request waits.
type place uint8

const (
	nowhere place = iota
	forConnection
	forReply
	forCache
	forTimer
	elsewhere // on another goroutine, which cannot be called back
)

// reset makes the request ready for the next one, and keeps its memory.
func (r *request) reset() {
	r.wire.Reset()
	r.flow.Release()
	r.conn, r.next, r.outbound, r.line = nil, nil, nil, nil
	r.finished, r.closes, r.counted = false, false, false
	r.where = nowhere
	r.begun = 0
	r.timing = flow.Timing{}
}

// admit puts a complete request into service, or refuses it.
func (l *loop) admit(r *request) {
	s := l.server
	most, inFlight := s.maxInflight.Load(), s.inFlight.Add(1)
	mostLag := time.Duration(s.maxLag.Load())
	switch {
	case most > 0 && inFlight > most:
		s.inFlight.Add(-1)
		r.refuse(meter.InflightLimit, "in-flight limit")
	case mostLag > 0 && l.lag.mean > mostLag:
		s.inFlight.Add(-1)
		r.refuse(meter.LagLimit, "lag limit")
	default:
		r.counted = true
		s.meter.InFlight(1)
		r.start()
	}
}

// start begins the service of a request.
func (r *request) start() {
	l := r.loop
	r.begun = l.now
	switch l.server.config.Mistake {
	case MistakeBlock:
		r.startBlocking()
		return
	case MistakeUnbounded:
		r.startUnbounded()
		return
	}
	l.serving = r
	call := r.flow.Start(l.server.handler, &r.wire)
	l.serving = nil
	r.step(call)
}

// resume takes the outcome of the call that the request waits for, and goes on.
func (r *request) resume(o flow.Outcome) { r.step(r.callAfter(o)) }

// callAfter closes the books of the call that ended, and asks the handler for the next one.
func (r *request) callAfter(o flow.Outcome) flow.Call {
	l := r.loop
	l.timers.stop(&r.timer)
	r.where = nowhere
	if r.wire.Timing {
		r.timing[r.call.Stage] += l.server.clock() - r.timed
	}
	l.server.meter.Called(r.call.To, o.Failure)
	l.serving = r
	call := r.flow.Resume(o)
	l.serving = nil
	return call
}

// step does what the handler asks for. It returns when the request waits, or is finished.
func (r *request) step(call flow.Call) {
	for call.To != flow.Done {
		r.call, r.called, r.resent = call, r.loop.now, false
		if r.wire.Timing {
			r.timed = r.loop.server.clock()
		}
		outcome, done := r.do()
		if !done {
			return
		}
		call = r.callAfter(outcome)
	}
	r.finish()
}

// do begins the call, or makes it where that takes no waiting. With done false the request waits, and must not be
// touched: it may already be gone.
func (r *request) do() (o flow.Outcome, done bool) {
	l := r.loop
	config := &l.server.config
	switch r.call.To {
	case flow.DownstreamA, flow.DownstreamB:
		l.timers.start(&r.timer, l.now+config.DownstreamTimeout)
		l.downstreams[r.call.To].call(r)
	case flow.Cache:
		return l.cache.call(r)
	case flow.Timer:
		if r.call.Delay <= 0 {
			return o, true
		}
		r.where = forTimer
		l.timers.start(&r.timer, l.now+r.call.Delay)
	case flow.CPU:
		return r.burn()
	}
	return flow.Outcome{}, false
}

// burn runs a CPU step on the loop, or hands it to the side pool.
func (r *request) burn() (o flow.Outcome, done bool) {
	l := r.loop
	if l.server.config.CPUOn == CPUOnLoop {
		_ = flow.Burn(r.call.Iterations)
		l.now = l.server.clock()
		return o, true
	}
	if !l.server.cpu.submit(r) {
		r.refuse(meter.QueueFull, "queue full")
		return o, false
	}
	r.where = elsewhere
	return o, false
}

// expired ends a Timer, or a call that is late.
func (r *request) expired() {
	l := r.loop
	switch r.where {
	case forTimer:
		r.resume(flow.Outcome{})
	case forConnection:
		r.leaveLine()
		r.resume(flow.Outcome{Failure: flow.Late})
	case forReply:
		r.outbound.drop()
		r.resume(flow.Outcome{Failure: flow.Late})
	case forCache:
		l.cache.late(r)
	}
}

// cancel takes the request out of wherever it waits, because its client has left.
func (r *request) cancel() {
	l := r.loop
	r.conn = nil
	if r.counted {
		r.counted = false
		l.server.inFlight.Add(-1)
		l.server.meter.InFlight(-1)
		l.server.meter.Abandoned(meter.InService)
	}
	switch r.where {
	case forConnection, forCache:
		r.leaveLine()
	case forReply:
		r.outbound.drop()
	case elsewhere:
		return // the goroutine that has it gives it back
	}
	l.free(r)
}

// finish completes the response and sends it, when it is its turn.
func (r *request) finish() {
	l := r.loop
	r.finished = true
	if r.conn == nil {
		l.free(r)
		return
	}
	if r.begun != 0 {
		l.now = l.server.clock()
		r.measure()
	}
	r.conn.pump()
}

// measure records how long the request was served.
func (r *request) measure() {
	l := r.loop
	total := l.now - r.begun
	l.server.meter.Service(total)
	if r.flow.CacheFailed() {
		l.server.meter.CacheFailed()
	}
	if r.wire.Timing {
		r.timing[flow.StageTotal] = total
		r.serverTiming = r.timing.AppendServerTiming(r.serverTiming[:0])
		r.flow.Response.ServerTiming = r.serverTiming
	}
}

// refuse answers 503 in place of what the handler would have said. The log says so once a second at most.
func (r *request) refuse(why meter.Rejection, text string) {
	s := r.loop.server
	s.meter.Rejected(why)
	s.warnings.Warn().Str("reason", text).Msg("refusing requests; see lab_rejected_total")
	r.begun = 0
	r.problem(http.StatusServiceUnavailable, text)
	r.flow.Response.RetryAfter = 1
	r.finish()
}

// problem makes the response an error of that status.
func (r *request) problem(status int, text string) {
	r.flow.Response = wire.Response{Body: r.flow.Response.Body, ID: r.wire.ID}
	r.flow.Response.Problem(status, text)
}

// crash ends a request whose handler panicked. The answer goes out in a task of its own: the next request of the
// connection may panic as well.
func (r *request) crash() {
	l, x := r.loop, r.conn
	if x == nil {
		l.free(r)
		return
	}
	r.problem(http.StatusInternalServerError, "internal error")
	r.finished = true
	if l.depth == 1 {
		x.pumping = false // the panic unwound it
	}
	l.post(x.pump)
}
