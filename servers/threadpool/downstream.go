package main

import (
	"errors"
	"io"
	"net"
	"os"
	"time"

	"poolvsloop/internal/flow"
	"poolvsloop/internal/meter"
	"poolvsloop/internal/wire"
)

// outbound is a worker's own connection to a downstream or the cache. It is dialled at the first call and kept.
type outbound struct {
	target  flow.Target
	addr    string // host:port
	timeout time.Duration
	waits   waiting
	meter   *meter.Server
	answer  answer

	conn    net.Conn // nil before the first call and after a failure
	buf     []byte
	surplus bool // more came than was asked for
}

// answer decodes what comes back on an outbound.
type answer interface {
	// reset forgets the last answer; fresh says that the connection is a new one.
	reset(fresh bool)
	// feed decodes b, which begins with the bytes that it did not take before. It returns how many it takes, and whether
	// the answer is complete.
	feed(b []byte) (n int, done bool, err error)
	// end is called when the connection was closed, and returns nil if the answer is complete by that.
	end() error
	// started says whether a byte of the answer came.
	started() bool
	// reusable says, of a complete answer, whether the connection can be used again.
	reusable() bool
}

// call sends request and blocks until the answer is decoded, the timeout has passed, or the connection failed. A reused
// connection that dies before the first byte of the answer was closed while it was idle, or spoke unasked; the request is
// then sent once more, on a new one.
func (o *outbound) call(request []byte) flow.Failure {
	deadline := time.Now().Add(o.timeout)
	reused := o.conn != nil
	err := o.exchange(request, deadline)
	if reused && isDead(err) && !o.answer.started() {
		o.meter.Resent(o.target)
		err = o.exchange(request, deadline)
	}
	failure := flow.FailureOf(err)
	o.meter.Called(o.target, failure)
	return failure
}

// isDead says that a connection failed, other than by time or by what came over it.
func isDead(err error) bool { return flow.FailureOf(err) == flow.Down }

// exchange makes one attempt. A connection that failed is closed: what still comes would be taken for the next answer.
func (o *outbound) exchange(request []byte, deadline time.Time) error {
	fresh := o.conn == nil
	o.answer.reset(fresh)
	o.surplus = false
	if fresh {
		if err := o.dial(deadline); err != nil {
			return err
		}
	}
	err := o.conn.SetDeadline(deadline)
	if err == nil {
		_, err = o.conn.Write(request)
	}
	if err == nil {
		err = o.receive()
	}
	if err != nil || o.surplus || !o.answer.reusable() {
		o.close()
	}
	return err
}

func (o *outbound) dial(deadline time.Time) error {
	left := time.Until(deadline)
	if left <= 0 {
		return os.ErrDeadlineExceeded
	}
	conn, err := o.waits.dial(o.addr, left)
	if err == nil {
		o.conn = conn
	}
	return err
}

// leastReply is the size, in bytes, of an outbound's first buffer.
const leastReply = 4 << 10

// receive reads until the answer is complete.
func (o *outbound) receive() error {
	if o.buf == nil {
		o.buf = make([]byte, leastReply)
	}
	for have := 0; ; {
		n, err := o.conn.Read(o.buf[have:])
		if errors.Is(err, io.EOF) {
			return o.answer.end()
		}
		if err != nil {
			return err
		}
		have += n
		taken, done, err := o.answer.feed(o.buf[:have])
		if err != nil {
			return errors.Join(flow.ErrMalformed, err)
		}
		if done {
			o.surplus = taken < have
			return nil
		}
		have = copy(o.buf, o.buf[taken:have])
		if have == len(o.buf) {
			o.buf = append(o.buf, make([]byte, have)...)
		}
	}
}

// close closes the connection; the next call dials.
func (o *outbound) close() {
	if o.conn != nil {
		o.conn.Close()
		o.conn = nil
	}
}

// httpAnswer is the answer of a downstream.
type httpAnswer struct {
	decoder *wire.ReplyDecoder
	reply   wire.Reply
}

func newHTTPAnswer() *httpAnswer { return &httpAnswer{decoder: wire.NewReplyDecoder(wire.ReplyLimits)} }

func (a *httpAnswer) reset(fresh bool) {
	if fresh {
		a.decoder.Reset()
	}
}

func (a *httpAnswer) feed(b []byte) (n int, done bool, err error) {
	n, p, err := a.decoder.Decode(b, &a.reply)
	return n, p == wire.Complete, err
}

func (a *httpAnswer) end() error {
	if _, err := a.decoder.Closed(&a.reply); err != nil {
		return io.ErrUnexpectedEOF
	}
	return nil
}

func (a *httpAnswer) started() bool  { return a.decoder.Started() }
func (a *httpAnswer) reusable() bool { return a.reply.KeepAlive }
