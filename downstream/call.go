package main

import (
	"context"
	"io"
	"net"
	"time"

	"github.com/gofiber/fiber/v2"
)

// call serves one request: refuse it, or compute its answer, wait for a place, for the delay and for what it depends on,
// and answer or fail as its draw says. The order is the same for every call.
func (s *Server) call(c *fiber.Ctx, r Route) error {
	call := s.ledger.Begin(r.Name)
	if !s.rate.Allow(time.Now()) {
		call.End(Rejected)
		c.Set(fiber.HeaderRetryAfter, "1")
		return answerProblem(c, fiber.StatusServiceUnavailable, "rate limit")
	}
	settings := s.settings.Load()
	draw := settings.source.Draw(s.requestID(c))
	answer, err := r.Answer(c, draw)
	if err != nil {
		call.End(BadRequest)
		return answerProblem(c, fiber.StatusBadRequest, err.Error())
	}
	s.enter(call)
	fault := settings.Pick(draw.Fault)
	if fault == Hang {
		s.hang(c, call)
		return nil
	}
	s.delay(call, settings.model.Delay(draw.Delay))
	s.gate.Leave()
	if err := s.ask(settings.Ask); err != nil {
		call.End(Failed)
		return answerProblem(c, fiber.StatusBadGateway, err.Error())
	}
	return s.finish(c, call, fault, settings, answer)
}

// enter waits at the concurrency limit.
func (s *Server) enter(call Call) {
	turn := s.gate.Enter()
	if turn == nil {
		return
	}
	came := time.Now()
	<-turn
	call.Queued(time.Since(came))
}

// delay waits as long as intended, and then for the end of a stall window when the answer is due inside it.
func (s *Server) delay(call Call, intended time.Duration) {
	came := time.Now()
	s.timers.Wait(intended)
	if stalled := s.stall.Load().Remaining(time.Now()); stalled > 0 {
		call.Stalled()
		s.timers.Wait(stalled)
		intended += stalled
	}
	call.Delayed(intended, time.Since(came))
}

// finish answers, or fails, now that the answer is due.
func (s *Server) finish(c *fiber.Ctx, call Call, fault Fault, settings *Settings, answer any) error {
	switch fault {
	case Reset:
		call.End(WasReset)
		reset(c)
		return nil
	case Error:
		call.End(Failed)
		return answerProblem(c, settings.ErrorStatus, "injected error")
	case SlowBody:
		return s.dribble(c, call, encode(answer), settings.SlowBodyTime)
	}
	call.End(Answered)
	c.Response().Header.SetContentType(fiber.MIMEApplicationJSON)
	c.Response().SetBodyRaw(encode(answer))
	return nil
}

// hang takes the connection out of the server's hands and reads on until the client leaves. Only then does the call end
// and give its place back.
func (s *Server) hang(c *fiber.Ctx, call Call) {
	raw := c.Context().Conn()
	c.Context().HijackSetNoResponse(true)
	c.Context().Hijack(func(conn net.Conn) {
		letGo := context.AfterFunc(s.leave, func() { _ = raw.Close() })
		defer letGo()
		_, _ = io.Copy(io.Discard, conn) // whatever ended it, the client is gone
		s.gate.Leave()
		call.End(Hung)
	})
}

// reset closes the connection without an answer; zero linger turns the close into RST (socket(7)).
func reset(c *fiber.Ctx) {
	if tcp, ok := c.Context().Conn().(interface{ SetLinger(seconds int) error }); ok {
		_ = tcp.SetLinger(0) // fails only when the client has closed already
	}
	c.Context().HijackSetNoResponse(true)
	c.Context().Hijack(func(net.Conn) {}) // closes on return
}
