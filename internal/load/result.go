package load

import (
	"fmt"
	"time"
)

// Counts is the books of a run, in requests:
//
//	Planned = Sent + Dropped
//	Sent    = Answered + TimedOut + Reset + Refused + Aborted + InFlight
//
// A request is sent from the moment it starts, the opening of its connection included: one whose connection is refused
// was sent and refused.
type Counts struct {
	// Planned is Config.Requests, or Sent + Dropped when that is 0. Dropped were due and never sent: the bound of an
	// open loop, a failed request earlier in the session, or the end of the run kept them.
	Planned, Sent, Dropped int
	// The outcomes; see [Outcome].
	Answered, TimedOut, Reset, Refused, Aborted, InFlight int
}

// of returns the count of an outcome.
func (c *Counts) of(o Outcome) *int {
	return [...]*int{&c.Answered, &c.TimedOut, &c.Reset, &c.Refused, &c.Aborted, &c.InFlight}[o]
}

// add adds the counts of a loop.
func (c *Counts) add(o Counts) {
	c.Sent += o.Sent
	c.Dropped += o.Dropped
	for outcome := range InFlight + 1 {
		*c.of(outcome) += *o.of(outcome)
	}
}

// Failed is the number of sent requests that ended without an answer; those in flight at the end have not ended.
func (c Counts) Failed() int { return c.TimedOut + c.Reset + c.Refused + c.Aborted }

// Books returns an error that names the sum that does not hold, or nil.
func (c Counts) Books() error {
	if c.Planned != c.Sent+c.Dropped {
		return fmt.Errorf("books do not close: planned %d, but sent %d + dropped %d", c.Planned, c.Sent, c.Dropped)
	}
	if ended := c.Answered + c.Failed() + c.InFlight; c.Sent != ended {
		return fmt.Errorf("books do not close: sent %d, but answered %d + timed out %d + reset %d + refused %d + "+
			"aborted %d + in flight at the end %d = %d",
			c.Sent, c.Answered, c.TimedOut, c.Reset, c.Refused, c.Aborted, c.InFlight, ended)
	}
	return nil
}

// Connections counts connections over a run.
type Connections struct {
	// Opened is the number of connections that were established.
	Opened int
	// ClosedByServer is the number of kept connections that the server ended behind a complete answer, with or
	// without saying so in it. A close that reached a request already sent counts as that request's failure instead.
	ClosedByServer int
	// Reused is the number of requests sent on a connection that had carried an answer before.
	Reused int
	// ClosedOnRequest is the number of connections that had carried an answer and were ended or reset by the server
	// while a request was on its way: that request failed, and was not sent again.
	ClosedOnRequest int
	// Unasked is the number of connections hung up because the server sent something that no request had asked for.
	Unasked int
}

func (c *Connections) add(o Connections) {
	c.Opened += o.Opened
	c.ClosedByServer += o.ClosedByServer
	c.Reused += o.Reused
	c.ClosedOnRequest += o.ClosedOnRequest
	c.Unasked += o.Unasked
}

// Bytes counts bytes on the wire.
type Bytes struct {
	// Read is all that came; Head and Body are the headers (interim answers included) and the decoded bodies in it,
	// unfinished answers included. The rest is the framing of chunks and what could not be framed.
	Read, Head, Body int64
	// Written is all the kernel took of the requests.
	Written int64
}

func (b *Bytes) add(o Bytes) {
	b.Read += o.Read
	b.Head += o.Head
	b.Body += o.Body
	b.Written += o.Written
}

// Lag is how long events of a batch lay between epoll's report and their handling: the generator's own share in the
// times it measures, at most.
type Lag struct {
	Mean, Max time.Duration
}

// Result is all a run has to say. It belongs to the caller.
type Result struct {
	Counts
	// OK2xx and Non2xx split Answered by status; ByStatus counts each status.
	OK2xx, Non2xx int
	ByStatus      map[int]int
	// Failures counts the causes behind Counts.Failed.
	Failures map[string]int
	// Length is the body length of the first answer in bytes, -1 without one; Different is the number of answers of
	// another length.
	Length, Different int
	// Wrong is the number of answers that Config.Check found fault with, WrongSample the first few faults.
	Wrong       int
	WrongSample []string
	// Server is the Server header of the first answer that had one.
	Server string

	Connections
	// Kept is the number of answers after which the connection could be used again.
	Kept int
	Bytes

	// Started is the moment of the first request's start. Duration goes from there to the last request's end (or the
	// run's, when it left some in flight).
	Started  time.Time
	Duration time.Duration
	// LastAnswer is the time from Started to the last answer, 0 without one.
	LastAnswer time.Duration
	// Window is Config.Duration when that ended the run, else Duration; InWindow is the number of answers that came
	// within it, GoodInWindow of those with 2xx among them. Their quotients are throughput and goodput free of the waiting for
	// the last answers.
	Window                 time.Duration
	InWindow, GoodInWindow int
	// Interrupted says that the context ended the run, or what Config lets end it as that does; NobodyListens that this was
	// Config.MostRefused.
	Interrupted, NobodyListens bool

	// Clients is the number of clients that took part, and AnswersPerClient the number of answers each got: with
	// KeepAlive, a client is a connection and its replacements. In an open loop they are the most connections that were
	// in use at a time.
	Clients          int
	AnswersPerClient []int
	// Starved has, for each client that got no answer and had at least one request that was neither answered nor ended
	// before its time, the age of the oldest of those.
	Starved []time.Duration

	// Response goes from an answered request's intended start to its last byte, Service from its actual start, which is
	// when the engine turned to it: opening the connection belongs to the service time. They are equal in a closed loop
	// without think time. Good is Response of the 2xx answers alone.
	Response, Service, Good Times
	// SendLag is the time from the intended to the actual start of every sent request, the generator's own delay; it is
	// empty in a closed loop without think time. Late counts those above LateAfter.
	SendLag Times
	Late    int
	// Undue are those of Dropped that were planned and not yet due when the run ended.
	Undue int
	// Turnaround is the time that all clients together lay without a request, from the end of one (or the run's start) to the
	// start of the next: the generator's own delay in a closed loop without think time, 0 elsewhere.
	Turnaround time.Duration
	// GivenUp holds the ages at which requests timed out, counted from their intended start: an answer would have taken
	// longer.
	GivenUp Times
	// Connect, Processing and Wait are for the table of the ab report and hold the timed-out requests too. Connect is
	// the time to open the connection, 0 for a reused one; Processing is the rest of the whole; Wait goes from the last
	// byte of the request to the first of the answer.
	Connect, Processing, Wait Times
	// Samples holds every ended request, in order of end within a thread, or nil when there were more than
	// Config.MaxSamples.
	Samples []Sample
	// Ages holds the ages of the requests in flight at the end, counted from their intended start.
	Ages []time.Duration
	// Seconds is the course of the run, second by second.
	Seconds []Second

	// Threads is the number of loops. CPU is the processor time of the whole process during the run, its crowds left out, LoopCPU that of
	// the loops' threads alone, and BusiestLoop that of the one that used most.
	Threads                   int
	CPU, LoopCPU, BusiestLoop time.Duration
	// NeediestLoop is the most that the thread of a loop ran or was ready to run: with the time it waited for a processor
	// that others had, where the kernel tells that.
	NeediestLoop time.Duration
	// Sources is the number of source addresses that were needed for want of ports, 1 when the kernel's choice was
	// enough.
	Sources int
	// Idle is what became of the idle connections.
	Idle Idle
	// Crowds is what became of the crowds, in the order of Config.Crowds.
	Crowds []CrowdResult
	// TLS describes the connections of a run with Config.TLS, nil without.
	TLS *TLSUse
	Lag Lag
}

// Goodput is the number of 2xx answers a second within the window.
func (r *Result) Goodput() float64 {
	if r.Window <= 0 {
		return 0
	}
	return float64(r.GoodInWindow) / r.Window.Seconds()
}

// Throughput is the number of answers a second within the window.
func (r *Result) Throughput() float64 {
	if r.Window <= 0 {
		return 0
	}
	return float64(r.InWindow) / r.Window.Seconds()
}
