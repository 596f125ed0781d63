package main

import (
	"errors"
	"io"
	"net"
	"syscall"
	"time"

	"golang.org/x/sys/unix"

	"poolvsloop/internal/flow"
	"poolvsloop/internal/wire"
)

// blockingConn is a connection of blocking to a downstream or the cache.
type blockingConn struct {
	net.Conn
	decoder  *wire.ReplyDecoder
	reply    wire.Reply
	buf      []byte
	have     int  // bytes of buf that came and were not taken
	answered bool // a byte of the answer came
	surplus  bool // more came than was asked for
}

func dialBlocking(address string, timeout time.Duration) (*blockingConn, error) {
	c, err := dial(address, timeout)
	if err != nil {
		return nil, err
	}
	return &blockingConn{Conn: c, decoder: wire.NewReplyDecoder(wire.ReplyLimits), buf: make([]byte, 4<<10)}, nil
}

// quiet says that the peer has neither spoken nor closed since its last answer: what it said would be taken for the next.
func (c *blockingConn) quiet() bool {
	raw, err := c.Conn.(syscall.Conn).SyscallConn()
	events := 0
	if err == nil {
		err = raw.Control(func(fd uintptr) {
			events, _ = unix.Poll([]unix.PollFd{{Fd: int32(fd), Events: unix.POLLIN}}, 0)
		})
	}
	return err == nil && events == 0
}

// ask sends the call and reads until the answer is complete.
func (c *blockingConn) ask(call flow.Call, deadline time.Time) (o flow.Outcome, err error) {
	c.have, c.answered, c.surplus = 0, false, false
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
		switch {
		case errors.Is(err, io.EOF) && call.To != flow.Cache && c.answered:
			_, err := c.decoder.Closed(&c.reply)
			return flow.Outcome{Reply: &c.reply}, malformed(err)
		case err != nil:
			return o, err
		}
		c.answered = true
		c.have += n
		if complete, err := c.decode(call.To, &o); complete || err != nil {
			return o, err
		}
	}
}

// decode reads an answer out of what came.
func (c *blockingConn) decode(to flow.Target, o *flow.Outcome) (complete bool, err error) {
	n := 0
	if to == flow.Cache {
		o.Value, n, err = wire.ParseValue(c.buf[:c.have], wire.ReplyLimits.MaxBody)
		complete = n > 0
	} else {
		var progress wire.Progress
		n, progress, err = c.decoder.Decode(c.buf[:c.have], &c.reply)
		o.Reply, complete = &c.reply, progress == wire.Complete
	}
	c.surplus = complete && n < c.have
	if !complete {
		c.have = copy(c.buf, c.buf[n:c.have])
	}
	return complete, malformed(err)
}

func malformed(err error) error {
	if err == nil {
		return nil
	}
	return errors.Join(flow.ErrMalformed, err)
}
