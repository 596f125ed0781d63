package main

import (
	"time"

	"poolvsloop/internal/config"
	"poolvsloop/internal/flow"
	"poolvsloop/internal/wire"
)

// wireStack is --stack=wire: the flow that all servers of the lab share, driven by blocking calls over the wire code
// that they share.
type wireStack struct {
	handler *flow.Handler
	waits   waiting
	flow    flow.Flow
	timing  flow.Timing
	line    []byte // Server-Timing

	a, b, cache    outbound
	replyA, replyB *httpAnswer
	value          *cacheAnswer
}

// wireStacks makes the wire stacks of a server's workers.
type wireStacks struct{ server *server }

func (w wireStacks) hire() stack { return newWireStack(w.server) }
func (wireStacks) close()        {}

func newWireStack(s *server) *wireStack {
	w := &wireStack{
		handler: s.handler, waits: s.waits,
		replyA: newHTTPAnswer(), replyB: newHTTPAnswer(), value: new(cacheAnswer),
	}
	http, cache := s.config.DownstreamTimeout, s.config.CacheTimeout
	w.a = outbound{target: flow.DownstreamA, addr: config.AddressOf(s.config.DownstreamA), timeout: http, answer: w.replyA}
	w.b = outbound{target: flow.DownstreamB, addr: config.AddressOf(s.config.DownstreamB), timeout: http, answer: w.replyB}
	w.cache = outbound{target: flow.Cache, addr: s.config.Redis, timeout: cache, answer: w.value}
	for _, o := range w.outbounds() {
		o.waits, o.meter = s.waits, s.meter
	}
	return w
}

func (s *wireStack) outbounds() []*outbound { return []*outbound{&s.a, &s.b, &s.cache} }

// answer implements stack.
func (s *wireStack) answer(dst []byte, j *job) (response []byte, status int) {
	s.timing = flow.Timing{flow.StageQueue: j.waited}
	call := s.flow.Start(s.handler, j.request)
	for call.To != flow.Done {
		if !j.request.Timing {
			call = s.flow.Resume(s.do(call))
			continue
		}
		begin := time.Now()
		outcome := s.do(call)
		s.timing[call.Stage] += time.Since(begin)
		call = s.flow.Resume(outcome)
	}
	if s.flow.CacheFailed() {
		s.cache.meter.CacheFailed()
	}
	r := &s.flow.Response
	now := time.Now()
	if j.request.Timing {
		s.timing[flow.StageTotal] = now.Sub(j.queued)
		s.line = s.timing.AppendServerTiming(s.line[:0])
		r.ServerTiming = s.line
	}
	dst = wire.AppendResponse(dst, r, j.request, j.settle(), j.date.At(now))
	s.flow.Release()
	return dst, r.Status
}

// do makes a call and blocks until its outcome is there.
func (s *wireStack) do(call flow.Call) flow.Outcome {
	switch call.To {
	case flow.DownstreamA:
		return flow.Outcome{Failure: s.a.call(call.Bytes), Reply: &s.replyA.reply}
	case flow.DownstreamB:
		return flow.Outcome{Failure: s.b.call(call.Bytes), Reply: &s.replyB.reply}
	case flow.Cache:
		failure := s.cache.call(call.Bytes)
		return flow.Outcome{Failure: failure, Value: s.value.value}
	case flow.Timer:
		s.waits.sleep(call.Delay)
	case flow.CPU:
		_ = flow.Burn(call.Iterations) // the work is what was asked for
	}
	return flow.Outcome{}
}

// close implements stack.
func (s *wireStack) close() {
	for _, o := range s.outbounds() {
		o.close()
	}
}
