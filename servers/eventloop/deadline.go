package main

import (
	"net/http"
	"time"

	"poolvsloop/internal/meter"
)

// deadlines are those of one client's connection. All are total: what a client sends or takes in between does not move
// them. They share one timer.
type deadlines struct {
	timer    timer
	readBy   time.Duration // end of the phase that the client is in; 0: it is our turn
	phase    meter.Timeout // HeaderTimeout, BodyTimeout or IdleTimeout
	lingerBy time.Duration
}

// await begins a phase, unless the connection is in it.
func (x *conn) await(phase meter.Timeout, within time.Duration) {
	if x.readBy != 0 && x.phase == phase {
		return
	}
	x.phase, x.readBy = phase, x.loop.now+within
}

// awaited ends the phase.
func (x *conn) awaited() { x.readBy = 0 }

// rest sets what the connection waits for, after all that could be done was done.
func (x *conn) rest() {
	config := &x.loop.server.config
	owes := x.unanswered > 0 || x.unsent() > 0
	switch fresh := x.taken == 0 && x.readBy != 0; {
	case x.half != nil && !owes:
		x.abort() // it can send nothing more
		return
	case x.lastTaken:
		x.awaited()
	case x.headDone:
		x.await(meter.BodyTimeout, config.BodyTimeout)
	case x.decoder.Started():
		x.await(meter.HeaderTimeout, config.HeaderTimeout)
	case owes:
		x.awaited()
	case fresh: // its first request is still awaited
	case x.loop.server.draining.Load():
		x.abort()
		return
	default:
		x.await(meter.IdleTimeout, config.IdleTimeout)
	}
	x.setIdle(x.readBy != 0 && x.phase == meter.IdleTimeout)
	x.schedule()
}

// schedule sets the timer to the earliest deadline.
func (x *conn) schedule() {
	at := x.readBy
	for _, other := range [...]time.Duration{x.writeBy, x.pollAt, x.lingerBy} {
		if other != 0 && (at == 0 || other < at) {
			at = other
		}
	}
	if at == 0 {
		x.loop.timers.stop(&x.timer)
		return
	}
	x.loop.timers.start(&x.timer, at)
}

// expired acts on the deadline that has passed.
func (x *conn) expired() {
	now := x.loop.now
	switch {
	case x.lingerBy != 0 && now >= x.lingerBy:
		x.abort()
		return
	case x.readBy != 0 && now >= x.readBy:
		x.readLate()
	case x.pollAt != 0 && now >= x.pollAt || x.writeBy != 0 && now >= x.writeBy:
		x.pollOutput()
	}
	if !x.isClosed() {
		x.schedule()
	}
}

// readLate ends a phase whose time is over. A client that sent nothing is not told why.
func (x *conn) readLate() {
	x.loop.server.meter.TimedOut(x.phase)
	if x.phase == meter.IdleTimeout || !x.decoder.Started() {
		x.abort()
		return
	}
	text := "request header timeout"
	if x.phase == meter.BodyTimeout {
		text = "request body timeout"
	}
	x.refuseWith(http.StatusRequestTimeout, text)
	x.pump()
}
