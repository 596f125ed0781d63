package flow

import (
	"time"

	"poolvsloop/internal/wire"
)

// Bounds of the arguments of hold: milliseconds, iterations and bytes.
const (
	MaxHoldMS   = 600_000
	MaxHoldCPU  = 10_000_000_000
	MaxHoldSize = 32 << 20
	// DefaultHoldSize is the size, in bytes, of the answer when none, or 0, is asked for.
	DefaultHoldSize = 64
)

// hold is the synthetic handler GET|POST /v1/hold?ms=&size=&cpu=: it waits ms milliseconds, burns cpu iterations and
// answers size bytes of JSON. All are 0 when absent; of repeated arguments the first counts; the body is ignored.
type hold struct {
	ms, cpu, size int
}

func (f *Flow) startHold() Call {
	h := &f.hold
	var ok bool
	if h.ms, ok = number(f.request, "ms", MaxHoldMS); !ok {
		return f.problem(400, "ms: want an integer from 0 to 600000")
	}
	if h.cpu, ok = number(f.request, "cpu", MaxHoldCPU); !ok {
		return f.problem(400, "cpu: want an integer from 0 to 10000000000")
	}
	if h.size, ok = number(f.request, "size", MaxHoldSize); !ok {
		return f.problem(400, "size: want an integer from 0 to 33554432")
	}
	if h.size == 0 {
		h.size = DefaultHoldSize
	}
	return f.nextHold()
}

func (f *Flow) resumeHold(Outcome) Call { return f.nextHold() }

// nextHold asks for what is still to be done: the wait, the work, the answer.
func (f *Flow) nextHold() Call {
	h := &f.hold
	if ms := h.ms; ms > 0 {
		h.ms = 0
		return Call{To: Timer, Stage: StageTotal, Delay: time.Duration(ms) * time.Millisecond}
	}
	if n := h.cpu; n > 0 {
		h.cpu = 0
		return Call{To: CPU, Stage: StageTotal, Iterations: n}
	}
	f.Response.Body = appendHold(f.Response.Body, f.handler.config.Server, h.size)
	return f.done(200)
}

// number reads an argument from 0 to limit; an absent one is 0.
func number(req *wire.Request, name string, limit int) (n int, ok bool) {
	value, there := req.Arg(name)
	if !there {
		return 0, true
	}
	for _, c := range value {
		if c < '0' || c > '9' {
			return 0, false
		}
		if n = n*10 + int(c-'0'); n > limit {
			return 0, false
		}
	}
	return n, len(value) > 0
}

// appendHold appends JSON of exactly size bytes, at least 1. Where the object does not fit it is a 0 and spaces.
func appendHold(dst []byte, server string, size int) []byte {
	const open, padding, end = `{"server":"`, `","padding":"`, `"}`
	fixed := len(open) + len(server) + len(padding) + len(end)
	if size < fixed {
		return appendFill(append(dst, '0'), ' ', size-1)
	}
	dst = append(dst, open...)
	dst = append(dst, server...)
	dst = append(dst, padding...)
	dst = appendFill(dst, '.', size-fixed)
	return append(dst, end...)
}
