package main

import (
	"errors"
	"io"
	"net"
	"os"
	"sync"
	"time"

	"poolvsloop/internal/flow"
	"poolvsloop/internal/wire"
)

// blocking makes calls the way that an event loop must not: whoever calls waits. It is what --mistake runs with, and
// nothing else. It may be used from any goroutine.
type blocking struct {
	config *Config
	hosts  hosts

	mu   sync.Mutex
	idle [flow.Timer][]*blockingConn
}

// blockingConn is a connection of blocking.
type blockingConn struct {
	net.Conn
	decoder *wire.ReplyDecoder
	reply   wire.Reply
	buf     []byte
	have    int
}

func newBlocking(s *server) *blocking { return &blocking{config: &s.config, hosts: s.hosts} }

// call blocks until the call has an outcome. What the outcome points to is valid until done is called.
func (b *blocking) call(call *flow.Call) (o flow.Outcome, done func()) {
	done = func() {}
	switch call.To {
	case flow.Timer:
		time.Sleep(call.Delay)
	case flow.CPU:
		flow.Burn(call.Iterations)
	default:
		return b.exchange(call)
	}
	return o, done
}

// exchange sends the call and waits for the answer, once more on a new connection when a kept one turns out to be dead.
func (b *blocking) exchange(call *flow.Call) (o flow.Outcome, done func()) {
	address, timeout := b.hosts[call.To], b.config.DownstreamTimeout
	if call.To == flow.Cache {
		timeout = b.config.CacheTimeout
	}
	deadline := time.Now().Add(timeout)
	for kept := b.take(call.To); ; kept = nil {
		c, err := kept, error(nil)
		if c == nil {
			c, err = dialBlocking(address, timeout)
		}
		if err == nil {
			o, err = c.ask(call, deadline)
		}
		switch {
		case err == nil:
			return o, func() { b.put(call.To, c) }
		case c != nil:
			_ = c.Close()
		}
		if kept == nil || c.have > 0 || errors.Is(err, os.ErrDeadlineExceeded) {
			return flow.Outcome{Failure: blockingFailure(err)}, func() {}
		}
	}
}

func dialBlocking(address string, timeout time.Duration) (*blockingConn, error) {
	c, err := net.DialTimeout("tcp", address, timeout)
	if err != nil {
		return nil, err
	}
	return &blockingConn{Conn: c, decoder: wire.NewReplyDecoder(replyLimits), buf: make([]byte, 4<<10)}, nil
}

func (c *blockingConn) ask(call *flow.Call, deadline time.Time) (o flow.Outcome, err error) {
	c.have = 0
	if err := c.SetDeadline(deadline); err != nil {
		return o, err
	}
	if _, err := c.Write(call.Bytes); err != nil {
		return o, err
	}
	for {
		if c.have == len(c.buf) {
			c.buf = append(c.buf, make([]byte, len(c.buf))...)
		}
		n, err := c.Read(c.buf[c.have:])
		if err != nil {
			return o, err
		}
		c.have += n
		if complete, err := c.decode(call.To, &o); complete || err != nil {
			return o, err
		}
	}
}

// errMalformed is the error of an answer that cannot be understood.
var errMalformed = errors.New("malformed answer")

func (c *blockingConn) decode(to flow.Target, o *flow.Outcome) (complete bool, err error) {
	if to == flow.Cache {
		value, n, err := wire.ParseValue(c.buf[:c.have], maxReplyBody)
		o.Value = value
		return n > 0, errors.Join(malformed(err), surplus(n > 0 && n < c.have))
	}
	n, progress, err := c.decoder.Decode(c.buf[:c.have], &c.reply)
	o.Reply = &c.reply
	complete = progress == wire.Complete
	err = errors.Join(malformed(err), surplus(complete && n < c.have))
	c.have = copy(c.buf, c.buf[n:c.have])
	return complete, err
}

func malformed(err error) error {
	if err != nil {
		return errors.Join(errMalformed, err)
	}
	return nil
}

func surplus(is bool) error {
	if is {
		return errMalformed
	}
	return nil
}

func blockingFailure(err error) flow.Failure {
	switch {
	case errors.Is(err, errMalformed), errors.Is(err, io.ErrUnexpectedEOF):
		return flow.Malformed
	default:
		return failureOf(err)
	}
}

func (b *blocking) take(to flow.Target) *blockingConn {
	b.mu.Lock()
	defer b.mu.Unlock()
	kept := b.idle[to]
	if len(kept) == 0 {
		return nil
	}
	b.idle[to] = kept[:len(kept)-1]
	return kept[len(kept)-1]
}

func (b *blocking) put(to flow.Target, c *blockingConn) {
	if to != flow.Cache && !c.reply.KeepAlive {
		_ = c.Close()
		return
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	b.idle[to] = append(b.idle[to], c)
}
