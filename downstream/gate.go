package main

import "sync"

// Gate lets so many calls in at once; the others wait, first come first served, without a bound: a downstream that
// saturates. All methods may be called from any goroutine. The zero value has no limit.
type Gate struct {
	mu            sync.Mutex
	limit, inside int
	waiting       []chan struct{}
}

// SetLimit changes the limit; 0 is none. A lower one takes effect as calls leave, a higher one at once.
func (g *Gate) SetLimit(limit int) {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.limit = limit
	g.admit()
}

// Enter takes a place inside (nil), or a turn in the queue: a channel that is closed when the place is there. Each Enter
// needs one [Gate.Leave], after the turn has come.
func (g *Gate) Enter() (turn chan struct{}) {
	g.mu.Lock()
	defer g.mu.Unlock()
	if len(g.waiting) == 0 && g.free() {
		g.inside++
		return nil
	}
	turn = make(chan struct{})
	g.waiting = append(g.waiting, turn)
	return turn
}

// Leave gives the place to who waits longest.
func (g *Gate) Leave() {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.inside--
	g.admit()
}

func (g *Gate) free() bool { return g.limit == 0 || g.inside < g.limit }

func (g *Gate) admit() {
	for len(g.waiting) > 0 && g.free() {
		close(g.waiting[0])
		g.waiting[0] = nil
		g.waiting = g.waiting[1:]
		g.inside++
	}
}

// QueueDepth is the number of calls that wait to enter.
func (g *Gate) QueueDepth() int {
	g.mu.Lock()
	defer g.mu.Unlock()
	return len(g.waiting)
}
