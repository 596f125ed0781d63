package load

import (
	"errors"
	"fmt"
	"time"
)

// CrowdKind is what the clients of a [Crowd] do.
type CrowdKind uint8

// Kinds of crowds.
const (
	// SlowSend clients send their request, behind the first Crowd.Sent bytes, at Crowd.Rate.
	SlowSend CrowdKind = iota
	// SlowRead clients send their request at once and read the answer at Crowd.Rate, through a small receive buffer.
	SlowRead
	// HalfOpen clients send the first Crowd.Sent bytes of their request and no more.
	HalfOpen
	// IdleKept clients send one request, read its answer, and then keep the connection without another.
	IdleKept
	// Storm clients send one request each, read its answer and leave.
	Storm
)

var crowdKinds = [...]string{SlowSend: "slow-send", SlowRead: "slow-read", HalfOpen: "half-open", IdleKept: "idle", Storm: "storm"}

// String names the kind.
func (k CrowdKind) String() string { return crowdKinds[k] }

// MaxCrowd bounds the clients of a crowd.
const MaxCrowd = 1_000_000

// Crowd is a group of clients beside those of the run. A thread of its own serves all crowds, and what becomes of them is
// counted apart: no figure of the run's clients has a part of theirs, but for what they do to the server.
type Crowd struct {
	Kind CrowdKind
	// Count is the number of clients, each with one connection.
	Count int
	// Request is what each of them sends (required).
	Request []byte
	// Sent is how many bytes of the request a HalfOpen client sends, and a SlowSend one sends at once before it is slow.
	Sent int
	// Rate is in bytes a second, for the kinds that are slow.
	Rate float64
	// Before says that the connections are opened before the run begins, which waits for them for a few seconds. Otherwise
	// they are opened from At on, evenly over Within.
	Before     bool
	At, Within time.Duration
	// Reopen lets a client whose connection has ended, whatever the reason, open another one a second later.
	Reopen bool
}

// validate says what is wrong with the crowd, or nil.
func (c *Crowd) validate() error {
	var all []error
	complain := func(bad bool, format string, args ...any) {
		if bad {
			all = append(all, fmt.Errorf("crowd %s: "+format, append([]any{c.Kind}, args...)...))
		}
	}
	complain(c.Count < 1 || c.Count > MaxCrowd, "number of clients %d is not in 1 to %d", c.Count, MaxCrowd)
	complain(len(c.Request) == 0, "no request")
	complain((c.Kind == SlowSend || c.Kind == SlowRead) && !(c.Rate > 0), "rate of %g bytes a second is not above 0", c.Rate)
	complain(c.Sent < 0 || c.Sent > len(c.Request), "%d bytes sent are not in 0 to the %d of the request", c.Sent, len(c.Request))
	complain(c.At < 0 || c.At > MaxDuration, "time %s is not in 0 to %s", c.At, MaxDuration)
	complain(c.Within < 0 || c.Within > MaxDuration, "span %s is not in 0 to %s", c.Within, MaxDuration)
	return errors.Join(all...)
}

// CrowdResult is the books of a crowd, in connections:
//
//	Started = Answered + ClosedByServer + Reset + Refused + TimedOut + Failed + StillConnecting + StillOpen
//
// A client that opens its connection again starts another one.
type CrowdResult struct {
	Started, NotStarted int
	// Opened are those that were established.
	Opened int
	// Answered got a whole answer, and were then ended by the client; IdleKept connections never are.
	Answered int
	// ClosedByServer were ended by the server without a whole answer, IdleKept ones with or without.
	ClosedByServer int
	// Reset and Refused as in [Outcome]; TimedOut could not be opened within Config.Timeout, or were of a Storm and not
	// answered in it. Failed is every other failure.
	Reset, Refused, TimedOut, Failed int
	// StillConnecting and StillOpen had not ended when the run did.
	StillConnecting, StillOpen int
	// ByStatus counts all answers; those of IdleKept connections, which outlive their answers, and an answer that came while
	// the request was still being sent (408, say) are among them. Causes counts what is behind Failed.
	ByStatus map[int]int
	Causes   map[string]int
	// Connect is the time until each Opened connection stood. Retried had their SYN sent again by the kernel, as when the
	// server's accept queue is full; BySeconds counts the connects of half a second and more by their time in whole seconds,
	// rounded.
	Connect   Times
	Retried   int
	BySeconds map[int]int
	// Response goes from the start of a connection to the last byte of its first whole answer.
	Response Times
	// Span is the time from the first start to the last one.
	Span time.Duration
	// Read and Written are bytes.
	Read, Written int64

	first, last int64
}

// Ended is the number of connections that ended, in one way or another, before the run did.
func (r *CrowdResult) Ended() int {
	return r.Answered + r.ClosedByServer + r.Reset + r.Refused + r.TimedOut + r.Failed
}

// Books returns an error when a started connection has no outcome, or one too many.
func (r *CrowdResult) Books() error {
	if sum := r.Ended() + r.StillConnecting + r.StillOpen; sum != r.Started {
		return fmt.Errorf("books of a crowd do not close: %d connections started, %d accounted for", r.Started, sum)
	}
	return nil
}

// Merge adds the books of another run of the same crowd.
func (r *CrowdResult) Merge(o *CrowdResult) {
	for _, c := range []struct {
		to   *int
		more int
	}{
		{&r.Started, o.Started}, {&r.NotStarted, o.NotStarted}, {&r.Opened, o.Opened}, {&r.Answered, o.Answered},
		{&r.ClosedByServer, o.ClosedByServer}, {&r.Reset, o.Reset}, {&r.Refused, o.Refused}, {&r.TimedOut, o.TimedOut},
		{&r.Failed, o.Failed}, {&r.StillConnecting, o.StillConnecting}, {&r.StillOpen, o.StillOpen}, {&r.Retried, o.Retried},
	} {
		*c.to += c.more
	}
	for status, n := range o.ByStatus {
		r.ByStatus[status] += n
	}
	for cause, n := range o.Causes {
		r.Causes[cause] += n
	}
	for seconds, n := range o.BySeconds {
		r.BySeconds[seconds] += n
	}
	r.Connect.Merge(&o.Connect)
	r.Response.Merge(&o.Response)
	r.Span = max(r.Span, o.Span)
	r.Read += o.Read
	r.Written += o.Written
}

// NewCrowdResult returns books without an entry, to merge others into.
func NewCrowdResult() CrowdResult {
	return CrowdResult{
		ByStatus: map[int]int{}, Causes: map[string]int{}, BySeconds: map[int]int{}, Connect: newTimes(), Response: newTimes(),
	}
}
