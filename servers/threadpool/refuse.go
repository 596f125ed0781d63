package main

import (
	"errors"
	"net/http"
	"time"

	"poolvsloop/internal/meter"
	"poolvsloop/internal/wire"
)

// smallBody is the most bytes of a refused request's body that are read to keep its connection.
const smallBody = 64 << 10

// refuseHead tells the client what is wrong with its request, if the error is a *wire.Refusal. It returns what becomes
// of the connection: closing or over.
func (c *conn) refuseHead(w waiting, err error) phase {
	var refusal *wire.Refusal
	if !errors.As(err, &refusal) {
		return over
	}
	response := wire.Response{ID: c.in.request.ID}
	response.Problem(refusal.Status, refusal.Reason)
	if !c.say(w, &response, wire.Close) {
		return over
	}
	return closing
}

// refuse answers 503 for a request that the pool did not take; the reader does it, without a worker. It returns whether
// the connection goes on.
func (c *conn) refuse(reason meter.Rejection) bool {
	c.server.refused(reason)
	if !c.server.answersRefusal(reason) {
		return false
	}
	r := &c.in.request
	missing := r.ContentLength - len(r.Body)
	small := c.in.whole || !r.Expect && missing >= 0 && missing <= smallBody
	response := wire.Response{ID: r.ID, RetryAfter: 1}
	response.Problem(http.StatusServiceUnavailable, refusalText(reason))
	connection := wire.Close
	if small && c.mayGoOn() {
		connection = wire.Reuse
	}
	if !c.say(goroutines{}, &response, connection) {
		return false
	}
	if connection == wire.Close {
		c.takeLeave()
		return false
	}
	return c.passOver()
}

// answersRefusal says whether the client gets an answer, or only the end of its connection.
func (s *server) answersRefusal(reason meter.Rejection) bool {
	return reason != meter.QueueFull || s.config.QueueFull != FullClose
}

// refused counts a refusal, and logs that there are some, once a second at most.
func (s *server) refused(reason meter.Rejection) {
	s.meter.Rejected(reason)
	s.warnings.Warn().Str("reason", refusalText(reason)).Msg("refusing requests; see lab_rejected_total")
}

func refusalText(reason meter.Rejection) string {
	if reason == meter.QueueTimeout {
		return "queue timeout"
	}
	return "queue full"
}

// passOver reads the rest of a refused request's body and makes the connection ready for the next request.
func (c *conn) passOver() bool {
	deadline := time.Now().Add(c.server.config.BodyTimeout)
	if err := c.readBody(goroutines{}, deadline); err != nil {
		return false
	}
	c.answered()
	return true
}

// say sends a response that no handler made, and counts it.
func (c *conn) say(w waiting, r *wire.Response, connection wire.Connection) bool {
	in := c.in
	in.out = wire.AppendResponse(in.out[:0], r, &in.request, connection, in.date.At(time.Now()))
	if err := c.send(w, in.out); err != nil {
		c.unsent(err)
		return false
	}
	c.server.meter.Response(r.Status)
	return true
}

// takeLeave ends the connection after an answer that no handler made. The reader calls it.
func (c *conn) takeLeave() {
	if c.closeSending() {
		c.release(false)
		c.since = time.Now()
		c.linger()
	}
}
