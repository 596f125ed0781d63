package main

import (
	"net/http"

	"poolvsloop/internal/flow"
)

// The mistakes of --mistake: what an event loop must not do, done for real, so that its price can be measured.

// startBlocking runs the whole request on the loop, which stands still meanwhile with all its connections.
func (r *request) startBlocking() {
	r.loop.serving = r
	r.runBlocking()
	r.loop.serving = nil
	r.finish()
}

// startUnbounded runs the whole request on a goroutine of its own, as many at once as there are requests.
func (r *request) startUnbounded() {
	r.where = elsewhere
	go func() {
		defer r.loop.post(r.ended)
		defer r.recoverElsewhere()
		r.runBlocking()
	}()
}

func (r *request) runBlocking() {
	s := r.loop.server
	for call := r.flow.Start(s.handler, &r.wire); call.To != flow.Done; {
		began := s.clock()
		outcome, release := s.blocking.call(call)
		r.timing[call.Stage] += s.clock() - began
		s.meter.Called(call.To, outcome.Failure)
		call = r.flow.Resume(outcome)
		release()
	}
}

// recoverElsewhere answers 500 for a handler that panicked on another goroutine; defer it there.
func (r *request) recoverElsewhere() {
	if cause := recover(); cause != nil {
		r.loop.server.panicked(r.loop.index, cause)
		r.problem(http.StatusInternalServerError, "internal error")
	}
}

// ended takes a request back whose response is complete.
func (r *request) ended() {
	r.where = nowhere
	r.finish()
}
