package main

import (
	"sync"
	"time"

	"poolvsloop/internal/flow"
)

// blocking makes calls the way that an event loop must not: whoever calls waits. It is what --mistake runs with, and
// nothing else. It may be used from any goroutine.
type blocking struct {
	config *Config
	hosts  hosts

	mu   sync.Mutex
	idle [flow.Timer][]*blockingConn // by target
}

func newBlocking(s *server) *blocking { return &blocking{config: &s.config, hosts: s.hosts} }

// call blocks until the call has an outcome. What the outcome points to is valid until release is called.
func (b *blocking) call(call flow.Call) (o flow.Outcome, release func()) {
	switch call.To {
	case flow.Timer:
		time.Sleep(call.Delay)
	case flow.CPU:
		_ = flow.Burn(call.Iterations)
	default:
		return b.exchange(call)
	}
	return o, func() {}
}

// exchange sends the call and waits for the answer; once more on a new connection when a kept one turns out to be dead.
func (b *blocking) exchange(call flow.Call) (o flow.Outcome, release func()) {
	timeout := b.config.DownstreamTimeout
	if call.To == flow.Cache {
		timeout = b.config.CacheTimeout
	}
	deadline := time.Now().Add(timeout)
	c, err := b.take(call.To), error(nil)
	if c != nil {
		o, err = c.ask(call, deadline)
		if flow.FailureOf(err) == flow.Down && !c.answered {
			_ = c.Close()
			c, err = nil, nil
		}
	}
	if c == nil {
		c, err = dialBlocking(b.hosts[call.To], time.Until(deadline))
		if err == nil {
			o, err = c.ask(call, deadline)
		}
	}
	if err != nil {
		o = flow.Outcome{Failure: flow.FailureOf(err)}
	}
	return o, func() { b.giveBack(call.To, c, err == nil) }
}

// take returns a kept connection on which nothing has come meanwhile, nil when there is none.
func (b *blocking) take(to flow.Target) *blockingConn {
	b.mu.Lock()
	defer b.mu.Unlock()
	for kept := b.idle[to]; len(kept) > 0; kept = b.idle[to] {
		last := kept[len(kept)-1]
		b.idle[to] = kept[:len(kept)-1]
		if last.quiet() {
			return last
		}
		_ = last.Close()
	}
	return nil
}

func (b *blocking) giveBack(to flow.Target, c *blockingConn, good bool) {
	switch {
	case c == nil:
		return
	case !good || c.surplus || to != flow.Cache && !c.reply.KeepAlive:
		_ = c.Close()
		return
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	b.idle[to] = append(b.idle[to], c)
}

// close closes the connections that are kept.
func (b *blocking) close() {
	b.mu.Lock()
	defer b.mu.Unlock()
	for _, kept := range b.idle {
		for _, c := range kept {
			_ = c.Close()
		}
	}
}
