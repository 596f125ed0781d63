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

// failure is why a request was not answered.
type failure struct {
	outcome Outcome
	cause   string
}

// phase is how far a request has come on its connection.
type phase uint8

const (
	connecting phase = iota
	sending
	waiting
	reading
)

var (
	timeouts = [...]failure{
		connecting: {TimedOut, "timed out while connecting"},
		sending:    {TimedOut, "timed out while sending"},
		waiting:    {TimedOut, "timed out while waiting for the answer"},
		reading:    {TimedOut, "timed out within the answer"},
	}
	resets = [...]failure{
		connecting: {Reset, "reset while connecting"},
		sending:    {Reset, "reset while sending"},
		waiting:    {Reset, "reset while waiting for the answer"},
		reading:    {Reset, "reset within the answer"},
	}
	closes = [...]failure{
		connecting: {Aborted, "closed while connecting"},
		sending:    {Aborted, "closed while sending"},
		waiting:    {Aborted, "closed without an answer"},
		reading:    {Aborted, "closed within the answer"},
	}
	refusal      = failure{Refused, "connection refused"}
	kernelGaveUp = failure{TimedOut, "connection timed out in the kernel"}
	noPort       = failure{Aborted, "no free local port"}
	noDescriptor = failure{Aborted, "no free descriptor"}
	surplus      = failure{Aborted, "bytes after the answer"}
)

// failureOf classifies an error of the kernel.
func failureOf(errno unix.Errno, p phase) failure {
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
	return failure{Aborted, errno.Error()}
}

// broken is the failure of an answer that could not be framed.
func broken(err error) failure { return failure{Aborted, "broken answer: " + err.Error()} }
