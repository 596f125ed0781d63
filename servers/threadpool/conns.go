package main

import (
	"container/list"
	"sync"

	"poolvsloop/internal/meter"
)

// conns is the set of open connections.
type conns struct {
	meter *meter.Server
	// ordered keeps the idle ones in the order in which they became idle, for evict-idle.
	ordered bool

	mu      sync.Mutex
	open    map[*conn]struct{}
	idle    list.List // of *conn, longest idle first
	evicted *conn     // hung up for a newcomer, and not gone yet
	readers sync.WaitGroup
}

// restPlace is the place of an idle connection in conns.idle.
type restPlace = *list.Element

func newConns(m *meter.Server, ordered bool) *conns {
	return &conns{meter: m, ordered: ordered, open: map[*conn]struct{}{}}
}

// enter adds c and runs its reader.
func (cs *conns) enter(c *conn) {
	cs.mu.Lock()
	cs.open[c] = struct{}{}
	cs.mu.Unlock()
	cs.readers.Go(c.serve)
}

// leave removes c.
func (cs *conns) leave(c *conn) {
	cs.mu.Lock()
	defer cs.mu.Unlock()
	delete(cs.open, c)
	cs.spare(c)
}

// rest notes that c begins its keep-alive wait; c.mu is held.
func (cs *conns) rest(c *conn) {
	cs.meter.Idle(1)
	if cs.ordered {
		cs.mu.Lock()
		defer cs.mu.Unlock()
		c.resting = cs.idle.PushBack(c)
	}
}

// rouse notes that the keep-alive wait of c ends; c.mu is held.
func (cs *conns) rouse(c *conn) {
	cs.meter.Idle(-1)
	if cs.ordered {
		cs.mu.Lock()
		defer cs.mu.Unlock()
		cs.idle.Remove(c.resting)
		cs.spare(c)
	}
}

// spare ends the eviction of c: it is gone, or a request came in first. mu is held.
func (cs *conns) spare(c *conn) {
	if cs.evicted == c {
		cs.evicted = nil
	}
}

// evict hangs up the connection that is idle longest, if one is and none is on its way out already. The acceptor calls
// it again and again while a newcomer waits.
func (cs *conns) evict() {
	if c := cs.longestIdle(); c != nil {
		c.hangUp()
	}
}

func (cs *conns) longestIdle() *conn {
	cs.mu.Lock()
	defer cs.mu.Unlock()
	longest := cs.idle.Front()
	if longest == nil || cs.evicted != nil {
		return nil
	}
	cs.evicted = cs.idle.Remove(longest).(*conn)
	return cs.evicted
}

// all returns the open connections.
func (cs *conns) all() []*conn {
	cs.mu.Lock()
	defer cs.mu.Unlock()
	open := make([]*conn, 0, len(cs.open))
	for c := range cs.open {
		open = append(open, c)
	}
	return open
}

// hangUp closes those that are idle.
func (cs *conns) hangUp() {
	for _, c := range cs.all() {
		c.hangUp()
	}
}

// cut ends all of them: reads see the end of the stream, writes fail. Descriptors stay open until their readers close
// them, so that no worker writes to a stranger's. It returns how many there were.
func (cs *conns) cut() int {
	open := cs.all()
	for _, c := range open {
		// Both fail when the client is gone already.
		_, _ = c.socket.CloseRead(), c.socket.CloseWrite()
	}
	return len(open)
}
