package load

import (
	"math"
	"time"
)

// none stands for no client in the links of the queues, and no socket in a client.
const none = -1

// client is one of the clients of a loop: its connection and the request it has in flight. It belongs to its loop.
type client struct {
	fd         int    // none without a connection
	generation int32  // of the connection: tells its events from those of an earlier one
	interest   uint32 // what its epoll entry waits for, 0 without an entry
	used       bool   // the connection has carried an answer
	begun      bool   // the client has sent a request
	greeted    bool   // the tunnel's handshake is known to be done
	carried    int    // requests sent on the connection
	tunnel     *tunnel
	session    int // requests that the session still has to send, in an open loop

	phase     phase
	rest      []byte // what the socket has not taken of the request
	held      []byte // the memory behind rest, unless all requests are alike
	batch     int    // requests in flight, above 1 in a pipeline
	number    int    // of the request that is answered next, as Source counts
	heads     uint64 // which of the batch are of HEAD, the next one in bit 0
	due       int64  // ns since the run's start, as all times here; when thinking, of the next request
	start     int64
	connected int64
	sent      int64
	firstByte int64

	answer framer

	older, newer int32 // neighbours in the order of start among the busy clients

	ended    int64 // when its last request did, 0 before
	answered int
	age      int64 // of the oldest request that was not answered in time
}

// sample says what is kept of a request that ends now.
func (c *client) sample(now int64, o Outcome) Sample {
	x := Sample{
		Start:   c.start / int64(time.Microsecond),
		Total:   micros(now - c.due),
		Length:  uint32(min(c.answer.bodyBytes, math.MaxUint32)),
		Status:  uint16(c.answer.status),
		Outcome: o,
	}
	if c.phase == connecting {
		x.Connect = micros(now - c.start)
	} else {
		x.Connect = micros(c.connected - c.start)
	}
	switch {
	case c.sent == 0:
	case c.firstByte == 0:
		x.Wait = micros(now - c.sent)
	default:
		x.Wait = micros(c.firstByte - c.sent)
	}
	return x
}

// micros cuts a time to microseconds; an early answer's negative wait is 0.
func micros(ns int64) uint32 { return uint32(max(0, ns) / int64(time.Microsecond)) }

// queue keeps the busy clients of a loop in the order in which their requests started, which with one timeout for all
// is the order in which they expire. Adding and removing take constant time and no memory.
type queue struct {
	clients        []client
	oldest, newest int32
}

// add puts a client that starts now at the end.
func (q *queue) add(i int32) {
	c := &q.clients[i]
	c.older, c.newer = q.newest, none
	if q.newest == none {
		q.oldest = i
	} else {
		q.clients[q.newest].newer = i
	}
	q.newest = i
}

// remove takes a client out.
func (q *queue) remove(i int32) {
	c := &q.clients[i]
	if c.older == none {
		q.oldest = c.newer
	} else {
		q.clients[c.older].newer = c.newer
	}
	if c.newer == none {
		q.newest = c.older
	} else {
		q.clients[c.newer].older = c.older
	}
}
