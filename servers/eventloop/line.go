package main

// line is a queue of requests, first in first out. A request may leave from anywhere: its place then stays, empty, so
// that the places behind it keep their order (in the cache's pipeline the reply to it must still be taken).
type line struct {
	places     []*request // a ring; its length is a power of two
	head, tail uint64     // places head to tail-1 are taken
	live       int        // places that are not empty
}

// push appends r.
func (q *line) push(r *request) {
	if q.tail-q.head == uint64(len(q.places)) {
		q.grow()
	}
	r.line, r.ticket = q, q.tail
	q.places[q.index(r.ticket)] = r
	q.tail++
	q.live++
}

// leaveLine empties the request's place in the line it waits in.
func (r *request) leaveLine() {
	r.line.places[r.line.index(r.ticket)] = nil
	r.line.live--
}

// pop takes the first place; r is nil when its request has left. It is false on an empty line.
func (q *line) pop() (r *request, ok bool) {
	if q.head == q.tail {
		return nil, false
	}
	i := q.index(q.head)
	r = q.places[i]
	q.places[i] = nil
	q.head++
	if r != nil {
		q.live--
	}
	return r, true
}

// first takes the first request that has not left; nil when there is none.
func (q *line) first() *request {
	for {
		if r, ok := q.pop(); r != nil || !ok {
			return r
		}
	}
}

func (q *line) index(ticket uint64) uint64 { return ticket & uint64(len(q.places)-1) }

func (q *line) grow() {
	old := *q
	q.places = make([]*request, max(16, 2*len(old.places)))
	for t := old.head; t != old.tail; t++ {
		q.places[q.index(t)] = old.places[old.index(t)]
	}
}
