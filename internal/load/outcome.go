package load

import (
	"golang.org/x/sys/unix"
)

// Outcome is what became of a request.
type Outcome uint8

// Outcomes. Every sent request has exactly one.
const (
	// Answered: a complete answer came, of whatever status.
	Answered Outcome = iota
	// TimedOut: Timeout passed first, or the kernel gave up connecting.
	TimedOut
	// Reset: the connection was reset after it was opened, or while it was.
	Reset
	// Refused: nobody listens. The request counts as sent although no byte of it left, so that the books close.
	Refused
	// Aborted: every other failure, as a connection closed before the answer was complete, a broken answer, or no
	// free port or descriptor on this side.
	Aborted
	// InFlight: the run ended first.
	InFlight
)

var outcomeNames = [...]string{"answered", "timed out", "reset", "refused", "aborted", "in flight at the end"}

// String names the outcome.
func (o Outcome) String() string { return outcomeNames[o] }

// Causes, as in [Result.Failures], that lie with this side: the run asked for more than the machine allows.
const (
	NoPort       = "no free local port"
	NoDescriptor = "no free descriptor"
)

// failure is why a request was not answered.
type failure struct {
	outcome Outcome
	cause   string
	errno   unix.Errno
}

// Failure is what [Config.OnFailure] is told of a request.
type Failure struct {
	Outcome Outcome
	// Cause is a key of [Result.Failures].
	Cause string
	// Errno is the kernel's error behind it, 0 without one: the request timed out here, or the server closed the
	// connection within the answer or sent a broken one.
	Errno unix.Errno
	// Unconnected says that the connection or its TLS handshake was not finished. Reused says that the connection had
	// carried an answer, and nothing came of this one.
	Unconnected, Reused bool
}

// phase is how far a request has come on its connection.
type phase uint8

const (
	connecting phase = iota
	sending
	waiting
	reading
	resting // the connection is open and carries no request
)

var (
	timeouts = [...]failure{
		connecting: {TimedOut, "timed out while connecting", 0},
		sending:    {TimedOut, "timed out while sending", 0},
		waiting:    {TimedOut, "timed out while waiting for the answer", 0},
		reading:    {TimedOut, "timed out within the answer", 0},
	}
	resets = [...]failure{
		connecting: {Reset, "reset while connecting", 0},
		sending:    {Reset, "reset while sending", 0},
		waiting:    {Reset, "reset while waiting for the answer", 0},
		reading:    {Reset, "reset within the answer", 0},
	}
	closes = [...]failure{
		connecting: {Aborted, "closed while connecting", 0},
		sending:    {Aborted, "closed while sending", 0},
		waiting:    {Aborted, "closed without an answer", 0},
		reading:    {Aborted, "closed within the answer", 0},
	}
	refusal      = failure{Refused, "connection refused", 0}
	kernelGaveUp = failure{TimedOut, "connection timed out in the kernel", 0}
	noPort       = failure{Aborted, NoPort, 0}
	noDescriptor = failure{Aborted, NoDescriptor, 0}
	surplus      = failure{Aborted, "bytes after the answer", 0}
)

// failureOf classifies an error of the kernel.
func failureOf(errno unix.Errno, p phase) failure {
	f := classify(errno, p)
	f.errno = errno
	return f
}

func classify(errno unix.Errno, p phase) failure {
	switch errno {
	case unix.ECONNREFUSED:
		return refusal
	case unix.ECONNRESET, unix.EPIPE:
		return resets[p]
	case unix.ETIMEDOUT:
		return kernelGaveUp
	case unix.EADDRNOTAVAIL, unix.EADDRINUSE:
		return noPort
	case unix.EMFILE, unix.ENFILE:
		return noDescriptor
	}
	return failure{Aborted, errno.Error(), 0}
}

// broken is the failure of an answer that could not be framed.
func broken(err error) failure { return failure{Aborted, "broken answer: " + err.Error(), 0} }
