package flow

import (
	"errors"
	"net"
	"time"

	"github.com/go-faster/jx"

	"poolvsloop/internal/wire"
)

// Target is where a [Call] goes.
type Target uint8

// Targets of a call.
const (
	// Done: no call; the response is ready.
	Done Target = iota
	// DownstreamA and DownstreamB: an HTTP request, answered by a [wire.Reply].
	DownstreamA
	DownstreamB
	// Cache: one RESP command, answered by a [wire.Value].
	Cache
	// Timer: wait for Call.Delay; blocking on a worker, a timer on a loop.
	Timer
	// CPU: run [Burn] for Call.Iterations.
	CPU
)

// Call is what the handler asks for next. Bytes are ready to be sent and stay valid until Resume.
type Call struct {
	To         Target
	Stage      Stage
	Bytes      []byte
	Delay      time.Duration
	Iterations int
}

// Failure says why a call brought no answer.
type Failure uint8

// Failures of a call.
const (
	// OK: it brought one.
	OK Failure = iota
	// Down: refused, reset, closed, no connection to be had.
	Down
	// Late: the call's timeout passed.
	Late
	// Malformed: the answer was not HTTP or RESP.
	Malformed
)

// ErrMalformed is for who makes a call to mark an answer that cannot be understood; see [FailureOf].
var ErrMalformed = errors.New("malformed answer")

// FailureOf says what an error of a call's connection, or of reading its answer, is for the handler: Late for timeouts
// (a [net.Error] that says so), Malformed for what wraps [ErrMalformed], Down for the rest, OK for nil.
func FailureOf(err error) Failure {
	if err == nil {
		return OK // ahead of the variable below, which is on the heap
	}
	var timeout net.Error
	switch {
	case errors.As(err, &timeout) && timeout.Timeout():
		return Late
	case errors.Is(err, ErrMalformed):
		return Malformed
	}
	return Down
}

// Outcome is what became of a call: Reply for a downstream, Value for the cache, nothing for Timer and CPU. What it
// points to is read before Resume returns, never later.
type Outcome struct {
	Failure Failure
	Reply   *wire.Reply
	Value   wire.Value
}

// Flow is one request on its way through the handler. Reuse it: Start resets it, and after the first few requests it
// allocates nothing. One goroutine at a time.
type Flow struct {
	handler *Handler
	request *wire.Request
	// Response is complete once a Call says Done; its Body is valid until the next Start, or Release.
	Response wire.Response

	scenario    *scenario
	id          []byte
	cacheFailed bool
	order       order
	hold        hold

	json  jx.Decoder
	bytes []byte // of the call
	part  []byte // path, key or body that goes into bytes
}

// scenario is a handler of one route.
type scenario struct {
	start  func(f *Flow) Call
	resume func(f *Flow, o Outcome) Call
}

// Start routes the request and returns the first call. An unknown path, a wrong method or a bad body is Done at once.
// req must stay untouched until Done.
func (f *Flow) Start(h *Handler, req *wire.Request) Call {
	f.handler, f.request = h, req
	f.cacheFailed = false
	f.scenario = nil
	f.id = h.appendID(f.id[:0], req)
	f.Response = wire.Response{Body: f.Response.Body[:0], ID: f.id}
	r := h.route(req.Path)
	if r == nil {
		return f.problem(404, "no such path")
	}
	if !r.allows(req.Method) {
		f.Response.Allow = r.allow
		return f.problem(405, "method not allowed")
	}
	f.scenario = &r.scenario
	return f.scenario.start(f)
}

// Resume takes the outcome of the last call and returns the next one. After Done it says Done again.
func (f *Flow) Resume(o Outcome) Call {
	if f.scenario == nil {
		return Call{}
	}
	return f.scenario.resume(f, o)
}

// Release lets the memory of a response above [wire.MaxKept] go. Call it once the response was copied.
func (f *Flow) Release() {
	if cap(f.Response.Body) > wire.MaxKept {
		f.Response.Body = nil
	}
}

// CacheFailed says whether the cache could not be used for this request (it then went on as a miss).
func (f *Flow) CacheFailed() bool { return f.cacheFailed }

// done ends the flow: the response is ready.
func (f *Flow) done(status int) Call {
	f.scenario = nil
	f.Response.Status = status
	return Call{}
}

// problem ends the flow with a JSON problem.
func (f *Flow) problem(status int, text string) Call {
	f.Response.Problem(status, text)
	return f.done(status)
}
