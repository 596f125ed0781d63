package contract

import (
	"errors"
	"io"
	"net"
	"net/http"
	"os"
	"time"

	"poolvsloop/internal/flow"
	"poolvsloop/internal/meter"
	"poolvsloop/internal/wire"
)

// conn is one client's connection and its goroutine.
type conn struct {
	server *reference
	*net.TCPConn
	decoder *wire.RequestDecoder
	request wire.Request
	flow    flow.Flow
	date    wire.DateLine
	in, out []byte
	served  int

	idleSince time.Time // guarded by server.mu; zero unless idle
	woken     bool      // guarded by server.mu
}

// wake ends the wait of an idle connection. The server's lock is held.
func (c *conn) wake() {
	c.woken = true
	_ = c.SetReadDeadline(time.Unix(0, 0))
}

func (c *conn) serve() {
	for c.receive() && c.answer() {
	}
}

// receive reads the next request. It is false when there is none, and the client has been told why.
func (c *conn) receive() bool {
	phase := meter.HeaderTimeout
	if c.served > 0 && len(c.in) == 0 {
		phase = meter.IdleTimeout
	}
	c.await(phase)
	for {
		n, progress, err := c.decoder.Decode(c.in, &c.request)
		c.in = c.in[n:]
		var refusal *wire.Refusal
		switch {
		case errors.As(err, &refusal):
			c.refuse(refusal.Status, refusal.Reason)
			return false
		case progress == wire.Complete:
			return true
		case progress == wire.HeadDone:
			phase = meter.BodyTimeout
			c.await(phase)
			if c.request.Expect && len(c.in) == 0 {
				_, _ = c.Write(wire.AppendContinue(nil))
			}
			continue
		case phase == meter.IdleTimeout && c.decoder.Started():
			phase = meter.HeaderTimeout
			c.await(phase)
		}
		if !c.fill(phase) {
			return false
		}
	}
}

// await sets the deadline of a phase, and notes whether the connection is idle.
func (c *conn) await(phase meter.Timeout) {
	timeouts := map[meter.Timeout]time.Duration{
		meter.HeaderTimeout: c.server.config.HeaderTimeout, meter.BodyTimeout: c.server.config.BodyTimeout,
		meter.IdleTimeout: c.server.config.IdleTimeout,
	}
	c.server.mu.Lock()
	defer c.server.mu.Unlock()
	idle := phase == meter.IdleTimeout
	if idle && c.idleSince.IsZero() {
		c.idleSince = time.Now()
		c.server.meter.Idle(1)
	} else if !idle && !c.idleSince.IsZero() {
		c.idleSince = time.Time{}
		c.server.meter.Idle(-1)
	}
	if !c.woken {
		_ = c.SetReadDeadline(time.Now().Add(timeouts[phase]))
	}
	if idle && c.server.draining.Load() {
		c.wake()
	}
}

// fill reads more bytes; it is false when none came.
func (c *conn) fill(phase meter.Timeout) bool {
	buffer := make([]byte, 16<<10)
	n, err := c.Read(buffer)
	c.in = append(c.in, buffer[:n]...)
	if n > 0 {
		return true
	}
	inRequest := c.decoder.Started() || phase == meter.BodyTimeout
	c.server.mu.Lock()
	woken, idle := c.woken, !c.idleSince.IsZero()
	c.server.mu.Unlock()
	if idle {
		c.server.meter.Idle(-1)
	}
	switch late := errors.Is(err, os.ErrDeadlineExceeded); {
	case late && !woken:
		c.server.meter.TimedOut(phase)
		if inRequest {
			c.refuse(http.StatusRequestTimeout, "request too slow")
		}
	case late || phase != meter.BodyTimeout:
	case errors.Is(err, io.EOF):
		c.refuse(http.StatusBadRequest, wire.BodyCutShort)
	default:
		c.server.meter.Abandoned(meter.InService)
	}
	return false
}

// answer runs the request; it says whether the connection goes on.
func (c *conn) answer() bool {
	s, began := c.server, time.Now()
	s.meter.InFlight(1)
	defer s.meter.InFlight(-1)
	var timing flow.Timing
	for call := c.flow.Start(s.handler, &c.request); call.To != flow.Done; {
		start := time.Now()
		outcome := s.do(call)
		if call.Stage != flow.StageTotal {
			timing[call.Stage] += time.Since(start)
		}
		call = c.flow.Resume(outcome)
	}
	if c.flow.CacheFailed() {
		s.meter.CacheFailed()
	}
	timing[flow.StageTotal] = time.Since(began)
	if c.request.Timing {
		c.flow.Response.ServerTiming = timing.AppendServerTiming(nil)
	}
	s.meter.Service(time.Since(began))
	c.served++
	keep := c.request.KeepAlive && !s.draining.Load() && (s.config.MaxRequests == 0 || c.served < s.config.MaxRequests)
	return c.write(&c.flow.Response, keep) && keep
}

// write sends a response and counts what became of it.
func (c *conn) write(r *wire.Response, keep bool) bool {
	connection := wire.Close
	if keep {
		connection = wire.Reuse
	}
	c.out = wire.AppendResponse(c.out[:0], r, &c.request, connection, c.date.At(time.Now()))
	_ = c.SetWriteDeadline(time.Now().Add(c.server.config.WriteTimeout))
	_, err := c.Write(c.out)
	switch {
	case err == nil:
		c.server.meter.Response(r.Status)
	case errors.Is(err, os.ErrDeadlineExceeded):
		c.server.meter.TimedOut(meter.WriteTimeout)
		_ = c.SetLinger(0)
	default:
		c.server.meter.Abandoned(meter.InService)
	}
	return err == nil
}

// refuse answers, ends the connection, and reads on for a moment: unread bytes would reset it.
func (c *conn) refuse(status int, reason string) {
	var r wire.Response
	r.Problem(status, reason)
	if !c.write(&r, false) {
		return
	}
	_ = c.CloseWrite()
	_ = c.SetReadDeadline(time.Now().Add(time.Second))
	_, _ = io.CopyN(io.Discard, c, 256<<10)
}
