package main

import (
	"errors"
	"io"
	"net/http"
	"os"
	"runtime/debug"
	"time"

	"poolvsloop/internal/meter"
	"poolvsloop/internal/wire"
)

// stack answers requests on one worker: the handler, and the connections to the downstreams and the cache that it
// calls. Only its worker uses it.
type stack interface {
	// answer appends the whole response to dst and returns it with its status. It blocks until that is ready.
	answer(dst []byte, j *job) (response []byte, status int)
	// close closes the connections.
	close()
}

// stacks makes the stacks of a server's workers.
type stacks interface {
	hire() stack
	// close ends what the stacks share, when no worker runs.
	close()
}

func newStacks(s *server) stacks {
	if s.config.Stack == StackFiber {
		return newFiberStacks(s)
	}
	return wireStacks{s}
}

// job is one request on its way through a stack.
type job struct {
	request *wire.Request
	// queued is when the head was complete, waited how long the request was in the queue.
	queued time.Time
	waited time.Duration
	// date makes the value of the Date line.
	date wire.DateLine

	keeps      func() bool // nil never keeps
	connection wire.Connection
}

// settle decides what becomes of the connection. The stack calls it once, when the answer is ready: by then the server
// may be draining.
func (j *job) settle() wire.Connection {
	j.connection = wire.Close
	if j.keeps != nil && j.keeps() {
		j.connection = wire.Reuse
	}
	return j.connection
}

// worker serves one request after the other (or one connection, see --dispatch), and waits while it does.
type worker struct {
	server *server
	parker parker
	next   *ticket // handed over while parked; guarded by pool.mu until unparked
	stack  stack
	job    job
	out    []byte
}

// run works until the pool has no ticket for it.
func (w *worker) run(first *ticket) {
	w.server.waits.begin()
	defer func() { w.stack.close() }()
	for t := first; t != nil; t = w.server.pool.next(w) {
		start := time.Now()
		waited := start.Sub(t.since)
		w.server.metrics.queueWait.Observe(waited.Seconds())
		if w.server.config.Dispatch == DispatchConnection {
			w.serveConnection(t.conn, waited, start)
		} else {
			t.conn.handBack(w.serve(t.conn, waited, start))
		}
	}
}

// serveConnection answers the requests of a connection until that is over. waited is its time in the queue.
func (w *worker) serveConnection(c *conn, waited time.Duration, start time.Time) {
	c.claim(w.server.waits)
	if c.served == 0 {
		c.headSince = start // the wait in the queue was not the client's
	}
	to := reading
	for to == reading {
		if err := c.readHead(w.server.waits); err != nil {
			to = c.refuseHead(w.server.waits, err)
			break
		}
		if to = w.serve(c, waited, time.Now()); to == reading {
			c.answered()
		}
		waited = 0
	}
	c.handBack(to)
}

// serve reads what is missing of a request's body and answers it. It returns what becomes of the connection: reading
// when it goes on.
func (w *worker) serve(c *conn, waited time.Duration, start time.Time) phase {
	w.server.meter.InFlight(1)
	defer w.server.meter.InFlight(-1)
	if !c.in.whole {
		if to := w.readBody(c, start); to != reading {
			return to
		}
	}
	return w.answer(c, waited, start)
}

// readBody reads what the reader did not have yet of the body. It returns reading, or what becomes of the connection
// when the body did not come.
func (w *worker) readBody(c *conn, start time.Time) phase {
	if c.claim(w.server.waits) {
		defer c.unclaim()
	}
	r := &c.in.request
	if r.Expect && len(r.Body) == 0 {
		if err := c.send(w.server.waits, wire.AppendContinue(w.out[:0])); err != nil {
			return c.unsent(err)
		}
	}
	err := c.readBody(w.server.waits, start.Add(w.server.config.BodyTimeout))
	if err == nil {
		return reading
	}
	refusal := &wire.Refusal{Status: http.StatusBadRequest, Reason: wire.BodyCutShort}
	switch {
	case errors.As(err, &refusal), errors.Is(err, io.EOF):
	case errors.Is(err, os.ErrDeadlineExceeded):
		w.server.meter.TimedOut(meter.BodyTimeout)
		refusal = &wire.Refusal{Status: http.StatusRequestTimeout, Reason: "request body timeout"}
	default:
		w.server.meter.Abandoned(meter.InService)
		return over
	}
	response := wire.Response{ID: r.ID}
	response.Problem(refusal.Status, refusal.Reason)
	if !c.say(w.server.waits, &response, wire.Close) {
		return over
	}
	return closing
}

// answer runs the handler on a whole request, sends its response, and returns what becomes of the connection.
func (w *worker) answer(c *conn, waited time.Duration, start time.Time) phase {
	j := &w.job
	j.request, j.waited, j.queued, j.keeps = &c.in.request, waited, start.Add(-waited), c.keeps
	response, status := w.handle(j)
	w.server.meter.Service(time.Since(start))
	err := c.send(w.server.waits, response)
	if w.out = response[:0]; cap(response) > wire.MaxKept {
		w.out = nil
	}
	if err != nil {
		return c.unsent(err)
	}
	w.server.meter.Response(status)
	if j.connection == wire.Close {
		return closing
	}
	return reading
}

// handle runs the stack. A panic is answered with 500; the worker lives on with a new stack, since the old one may be
// in the middle of anything.
func (w *worker) handle(j *job) (response []byte, status int) {
	defer func() {
		cause := recover()
		if cause == nil {
			return
		}
		w.server.meter.Panicked()
		w.server.log.Error().Interface("panic", cause).Bytes("stack", debug.Stack()).Msg("panic on a worker")
		w.stack.close()
		w.stack = w.server.stacks.hire()
		response, status = w.problem(j, http.StatusInternalServerError, "internal error")
	}()
	return w.stack.answer(w.out[:0], j)
}

// problem makes a response that tells the client what went wrong.
func (w *worker) problem(j *job, status int, text string) ([]byte, int) {
	r := wire.Response{ID: j.request.ID}
	r.Problem(status, text)
	return wire.AppendResponse(w.out[:0], &r, j.request, j.settle(), j.date.At(time.Now())), status
}
