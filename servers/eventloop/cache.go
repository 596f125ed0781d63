package main

import (
	"errors"
	"net"
	"time"

	"github.com/panjf2000/gnet/v2"

	"poolvsloop/internal/flow"
	"poolvsloop/internal/wire"
)

// cache is one loop's connection to the cache. Commands are pipelined: those of one round go out in one write, and the
// replies come back in their order.
type cache struct {
	loop    *loop
	address string
	state   cacheState
	c       gnet.Conn // nil unless up
	pending *line     // whose reply is still to come; an empty place: the reply is passed over
	out     []byte    // commands not written yet

	replied time.Duration // when the last reply came; 0: none since the connection opened
	retryAt time.Duration // no dial before
	backoff time.Duration
}

type cacheState uint8

const (
	cacheDown cacheState = iota
	cacheDialling
	cacheUp
)

const (
	firstBackoff   = 10 * time.Millisecond
	longestBackoff = time.Second
)

func newCache(l *loop, address string) *cache {
	return &cache{loop: l, address: address, pending: &line{}, backoff: firstBackoff}
}

func (k *cache) on() *loop { return k.loop }

// call queues the request's command. While the cache is down, and until it is time to dial again, the answer is at once
// that it is.
func (k *cache) call(r *request) (o flow.Outcome, done bool) {
	l := k.loop
	if k.state == cacheDown && l.now < k.retryAt {
		return flow.Outcome{Failure: flow.Down}, true
	}
	l.timers.start(&r.timer, l.now+l.server.config.CacheTimeout)
	k.push(r)
	return o, false
}

func (k *cache) push(r *request) {
	r.where = forCache
	k.pending.push(r)
	k.out = append(k.out, r.call.Bytes...)
	switch k.state {
	case cacheDown:
		k.dial()
	case cacheUp:
		k.loop.atRoundEnd()
	}
}

// flush writes the commands of a round.
func (k *cache) flush() {
	if k.state != cacheUp || len(k.out) == 0 {
		return
	}
	out := k.out
	k.out = k.out[:0]
	_, _ = k.c.Write(out) // an error has already come by closed
}

// dial connects on a goroutine of its own.
func (k *cache) dial() {
	if k.loop.server.stopping.Load() {
		return
	}
	k.state = cacheDialling
	timeout := k.loop.server.config.CacheTimeout
	go func() {
		c, err := dial(k.address, timeout)
		if err == nil {
			err = k.loop.enroll(c, k)
		}
		k.loop.post(func() {
			if k.state == cacheDialling { // neither opened nor closed again since
				k.refused(err)
			}
		})
	}()
}

func (k *cache) refused(err error) {
	k.loop.server.warnings.Warn().Err(err).Str("address", k.address).Msg("cannot connect to cache")
	k.fail(flow.FailureOf(err))
}

func (k *cache) opened(c gnet.Conn) {
	k.c = c
	k.state = cacheUp
	k.replied = 0
	k.loop.atRoundEnd()
}

// traffic hands out replies in the order of their commands.
func (k *cache) traffic() {
	buf, err := k.c.Peek(-1)
	if err != nil {
		k.abort()
		return
	}
	used := 0
	for used < len(buf) {
		value, n, err := wire.ParseValue(buf[used:], wire.ReplyLimits.MaxBody)
		if err == nil && n == 0 {
			break
		}
		r, expected := k.pending.pop()
		if err != nil || !expected {
			k.malformed(r)
			return
		}
		used += n
		k.replied, k.backoff = k.loop.now, firstBackoff
		if r != nil {
			r.resume(flow.Outcome{Value: value})
		}
	}
	if used > 0 {
		_, _ = k.c.Discard(used)
	}
}

// malformed closes a connection that spoke something else than RESP, or unasked.
func (k *cache) malformed(r *request) {
	if r != nil {
		r.resume(flow.Outcome{Failure: flow.Malformed})
	}
	k.abort()
}

// late gives up on one command. When nothing at all came since it was sent, the connection is given up with it, and its
// other commands fail: the cache may have carried them out already, so they are not sent again.
func (k *cache) late(r *request) {
	stalled := k.state == cacheUp && k.replied < r.called
	r.leaveLine()
	r.resume(flow.Outcome{Failure: flow.Late})
	if stalled {
		k.replied = 0
		k.abort()
	}
}

func (k *cache) abort() {
	if k.c != nil {
		_ = k.loop.handle.Close(k.c)
	}
}

// closed sends the commands of a connection that had worked once more on a new one; the others fail.
func (k *cache) closed(err error) {
	worked := k.replied != 0
	k.c = nil
	k.state = cacheDown
	if !worked || errors.Is(err, net.ErrClosed) {
		k.fail(flow.Down)
		return
	}
	lost := k.pending
	k.pending, k.out = &line{}, k.out[:0]
	k.retryAt = 0
	for r := lost.first(); r != nil; r = lost.first() {
		k.again(r)
	}
}

func (k *cache) again(r *request) {
	if r.resent {
		r.resume(flow.Outcome{Failure: flow.Down})
		return
	}
	r.resent = true
	k.loop.server.meter.Resent(flow.Cache)
	k.push(r)
}

// fail gives every waiting request that outcome, and puts the next dial off.
func (k *cache) fail(f flow.Failure) {
	k.state = cacheDown
	k.retryAt = k.loop.now + k.backoff
	k.backoff = min(2*k.backoff, longestBackoff)
	lost := k.pending
	k.pending, k.out = &line{}, k.out[:0]
	for r := lost.first(); r != nil; r = lost.first() {
		r.resume(flow.Outcome{Failure: f})
	}
}
