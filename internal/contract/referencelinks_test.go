package contract

import (
	"bytes"
	"errors"
	"io"
	"net"
	"os"
	"sync"
	"time"

	"golang.org/x/sys/unix"

	"poolvsloop/internal/flow"
	"poolvsloop/internal/wire"
)

// links are the reference server's connections to one downstream, or to the cache.
type links struct {
	addr    string
	timeout time.Duration

	mu     sync.Mutex // guards what follows
	idle   []*link
	all    map[*link]bool
	closed bool
}

// link is one connection; one call at a time.
type link struct {
	net.Conn
	decoder *wire.ReplyDecoder
	in      []byte
	heard   bool // a byte of the present answer came
}

func newLinks(addr string, timeout time.Duration) *links {
	return &links{addr: addr, timeout: timeout, all: map[*link]bool{}}
}

// take returns an idle link that has stayed silent, or a new one.
func (ls *links) take(fresh bool, deadline time.Time) (l *link, reused bool, err error) {
	ls.mu.Lock()
	if last := len(ls.idle) - 1; last >= 0 && !fresh {
		l, ls.idle = ls.idle[last], ls.idle[:last]
	}
	ls.mu.Unlock()
	if l != nil && !l.spoke() {
		return l, true, nil
	}
	if l != nil {
		ls.give(l, false)
	}
	socket, err := (&net.Dialer{Deadline: deadline}).Dial("tcp", ls.addr)
	if err != nil {
		return nil, false, err
	}
	l = &link{Conn: socket, decoder: wire.NewReplyDecoder(wire.ReplyLimits)}
	ls.mu.Lock()
	defer ls.mu.Unlock()
	if ls.closed {
		drop(l)
		return nil, false, net.ErrClosed
	}
	ls.all[l] = true
	return l, false, nil
}

// give puts a link back, or ends it.
func (ls *links) give(l *link, reusable bool) {
	ls.mu.Lock()
	defer ls.mu.Unlock()
	if reusable && !ls.closed && len(l.in) == 0 {
		ls.idle = append(ls.idle, l)
		return
	}
	delete(ls.all, l)
	drop(l)
}

func (ls *links) close() {
	ls.mu.Lock()
	defer ls.mu.Unlock()
	ls.closed = true
	for l := range ls.all {
		drop(l)
	}
}

// call sends the bytes and reads the answer. A call whose reused link is dead before the first byte of an answer is
// sent once more, on a new one.
func (ls *links) call(b []byte, read func(*link, *flow.Outcome) (bool, error)) (out flow.Outcome, resent bool) {
	deadline := time.Now().Add(ls.timeout)
	for {
		l, reused, err := ls.take(resent, deadline)
		if err != nil {
			return flow.Outcome{Failure: flow.FailureOf(err)}, resent
		}
		reusable, err := l.exchange(b, deadline, &out, read)
		again := err != nil && reused && !l.heard && !errors.Is(err, os.ErrDeadlineExceeded)
		ls.give(l, reusable && err == nil)
		if err == nil {
			return out, resent
		}
		if !again {
			return flow.Outcome{Failure: flow.FailureOf(err)}, resent
		}
		resent = true
	}
}

// spoke says that something came over an idle link, or its end.
func (l *link) spoke() bool {
	raw, err := l.Conn.(*net.TCPConn).SyscallConn()
	if err != nil {
		return true
	}
	silent := false
	err = raw.Control(func(fd uintptr) {
		_, _, err := unix.Recvfrom(int(fd), make([]byte, 1), unix.MSG_PEEK|unix.MSG_DONTWAIT)
		silent = errors.Is(err, unix.EAGAIN)
	})
	return err != nil || !silent
}

func (l *link) exchange(b []byte, deadline time.Time, out *flow.Outcome, read func(*link, *flow.Outcome) (bool, error)) (bool, error) {
	l.heard = false
	if err := l.SetDeadline(deadline); err != nil {
		return false, err
	}
	if _, err := l.Write(b); err != nil {
		return false, err
	}
	return read(l, out)
}

func (l *link) more() error {
	buffer := make([]byte, 4096)
	n, err := l.Read(buffer)
	l.in = append(l.in, buffer[:n]...)
	if n > 0 {
		l.heard = true
		return nil
	}
	return err
}

// readReply reads an HTTP response.
func readReply(l *link, out *flow.Outcome) (reusable bool, err error) {
	reply := &wire.Reply{}
	for {
		n, progress, err := l.decoder.Decode(l.in, reply)
		l.in = l.in[n:]
		switch {
		case err != nil:
			return false, flow.ErrMalformed
		case progress == wire.Complete:
			out.Reply = reply
			return reply.KeepAlive, nil
		}
		if err = l.more(); errors.Is(err, io.EOF) && l.heard {
			if progress, err = l.decoder.Closed(reply); progress == wire.Complete {
				out.Reply = reply
			}
			return false, err
		} else if err != nil {
			return false, err
		}
	}
}

// readValue reads a value of the cache.
func readValue(l *link, out *flow.Outcome) (reusable bool, err error) {
	for {
		value, n, err := wire.ParseValue(l.in, 1<<20)
		if err != nil {
			return false, flow.ErrMalformed
		}
		if n > 0 {
			out.Value = wire.Value{Kind: value.Kind, Data: bytes.Clone(value.Data)}
			l.in = l.in[n:]
			return true, nil
		}
		if err := l.more(); err != nil {
			return false, err
		}
	}
}
