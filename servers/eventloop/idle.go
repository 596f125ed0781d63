package main

import "time"

// idleList holds the connections of a loop that are in keep-alive wait, the longest idle one first. It is kept with
// --conns-full=evict-idle only.
type idleList struct{ front, back *conn }

// idleLinks is a connection's place in that list.
type idleLinks struct{ longer, shorter *conn }

func (q *idleList) push(x *conn) {
	x.longer, x.shorter = q.back, nil
	if q.back == nil {
		q.front = x
	} else {
		q.back.shorter = x
	}
	q.back = x
}

func (q *idleList) remove(x *conn) {
	if x.longer == nil {
		q.front = x.shorter
	} else {
		x.longer.shorter = x.shorter
	}
	if x.shorter == nil {
		q.back = x.longer
	} else {
		x.shorter.longer = x.longer
	}
	x.longer, x.shorter = nil, nil
}

// setIdle says whether the connection is in keep-alive wait.
func (x *conn) setIdle(idle bool) {
	if x.isIdle == idle {
		return
	}
	x.isIdle = idle
	l := x.loop
	delta := 1
	if !idle {
		delta = -1
	}
	l.server.meter.Idle(delta)
	if !l.server.evicts {
		return
	}
	if idle {
		x.idleSince = l.now
		l.idle.push(x)
	} else {
		l.idle.remove(x)
	}
	l.showLongestIdle()
}

// showLongestIdle tells the acceptor since when the loop's longest idle connection has been so.
func (l *loop) showLongestIdle() {
	since := time.Duration(0)
	if l.idle.front != nil {
		since = l.idle.front.idleSince
	}
	l.longestIdle.Store(int64(since))
}

// evict closes the longest idle connection of all loops, for one that waits to be accepted. The acceptor calls it.
func (s *server) evict() {
	var from *loop
	for _, l := range s.loops {
		since := l.longestIdle.Load()
		if since != 0 && (from == nil || since < from.longestIdle.Load()) {
			from = l
		}
	}
	if from == nil {
		return
	}
	from.post(func() {
		if x := from.idle.front; x != nil {
			x.abort()
		}
	})
}
