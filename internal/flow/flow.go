package flow

import (
	"time"

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

// Stage names a part of a request in Server-Timing and in results.
type Stage uint8

// Stages, in the order in which they are reported.
const (
	StageQueue Stage = iota
	StageA
	StageCache
	StageB
	StageFill
	StageTotal
	Stages
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

// Outcome is what became of a call: Reply for a downstream, Value for the cache, nothing for Timer and CPU. What it
// points to is read before Resume returns, never later.
type Outcome struct {
	Failure Failure
	Reply   *wire.Reply
	Value   wire.Value
}

// Config is what a handler needs to know; URLs are http://host[:port][/prefix].
type Config struct {
	// Path is the route of the order handler: /v1/sync or /v1/async.
	Path string
	// Server is the value of "server" in answers: "pool" or "loop", of equal width in all servers.
	Server string
	// DownstreamA and DownstreamB are base URLs.
	DownstreamA, DownstreamB string
	// CacheTTL is the life of a filled cache entry; whole seconds, at least one.
	CacheTTL time.Duration
}

// Handler knows the routes. It is read-only after New and shared by all workers and loops.
type Handler struct {
	config Config
}

// New returns the handler, or an error that names the setting that is wrong.
func New(c Config) (*Handler, error) { panic("not written") }

// Flow is one request on its way through the handler. Reuse it: Start resets it, and after the first few requests it
// allocates nothing.
type Flow struct {
	handler *Handler
	request *wire.Request
	// Response is complete once a Call says Done; its Body is valid until the next Start.
	Response wire.Response
}

// Start routes the request and returns the first call. An unknown path, a wrong method or a bad body is Done at once.
// req must stay untouched until Done.
func (f *Flow) Start(h *Handler, req *wire.Request) Call { panic("not written") }

// Resume takes the outcome of the last call and returns the next one.
func (f *Flow) Resume(o Outcome) Call { panic("not written") }

// CacheFailed says whether the cache could not be used for this request (it then went on as a miss).
func (f *Flow) CacheFailed() bool { panic("not written") }

// Burn spins for n fixed iterations on the calling goroutine and returns a value that depends on all of them. It is
// never calibrated to a time.
func Burn(n int) uint64 { panic("not written") }

// Timing collects how long each stage of one request took. The zero value is ready; it holds durations only, the
// caller brings the clock.
type Timing [Stages]time.Duration

// AppendServerTiming appends the value of a Server-Timing header with all stages in milliseconds (W3C Server Timing),
// such as "queue;dur=0.012, a;dur=20.131, …". Widths are constant: durations print as %09.3f.
func (t *Timing) AppendServerTiming(dst []byte) []byte { panic("not written") }
