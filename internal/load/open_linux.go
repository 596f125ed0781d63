package load

// arrive starts requests of an open loop whose time has come, a burst at most.
func (l *loop) arrive() {
	for range burst {
		if !l.pacer.more || l.pacer.due > l.now {
			return
		}
		due := l.pacer.due
		size := l.admit()
		if l.MaxInFlight > 0 && len(l.clients)-len(l.free) >= l.bound {
			l.Dropped += size
			continue
		}
		i := l.place()
		l.clients[i].session = size
		l.clock()
		l.begin(i, due)
	}
}

// admit takes the arrival that is due, and the number of its requests from those that are left.
func (l *loop) admit() int {
	size := min(max(1, l.PerConnection), l.left)
	l.left -= size
	l.pacer.advance()
	l.pacer.more = l.pacer.more && l.left > 0
	return size
}

// place finds a client for an arrival, the one that was free for the shortest time, so that few connections serve it.
func (l *loop) place() int32 {
	if last := len(l.free) - 1; last >= 0 {
		i := l.free[last]
		l.free = l.free[:last]
		return i
	}
	l.clients = append(l.clients, client{fd: none, begun: true, answer: l.framer()})
	l.busy.clients = l.clients
	return int32(len(l.clients) - 1)
}

// retire lets a client go that has nothing more to send. In a closed loop its connection stays open until the run ends:
// closing it would let in those that wait for it, and hide that the server starves them. In an open loop another
// arrival may take the client, with its connection unless that was a session's.
func (l *loop) retire(i int32) {
	c := &l.clients[i]
	if l.Arrivals == nil {
		return
	}
	l.Dropped += c.session
	c.session = 0
	if l.PerConnection > 0 {
		l.disconnect(c)
	}
	l.free = append(l.free, i)
}

// turnAway drops the arrivals that were due in the time of the run and did not come to their start before its end.
func (l *loop) turnAway() {
	for l.pacer.more && l.pacer.due <= l.now {
		l.Dropped += l.admit()
	}
}

// think lets a client pause before its next request.
func (l *loop) think(i int32) {
	l.clients[i].due = l.now + int64(l.Think)
	l.thinking.push(i)
}

// resume starts the requests of clients that have thought long enough, a burst at most.
func (l *loop) resume() {
	for range burst {
		if l.thinking.empty() {
			return
		}
		i := l.thinking.first()
		due := l.clients[i].due
		if due > l.now {
			return
		}
		l.thinking.pop()
		l.clock()
		if l.Arrivals != nil && l.timeUp() {
			l.retire(i)
			continue
		}
		l.begin(i, due)
	}
}
