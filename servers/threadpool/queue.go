package main

import "time"

// ticket is the place of a connection in the queue. Each connection has one, so a connection waits at most once.
type ticket struct {
	conn       *conn
	since      time.Time // when it was submitted
	prev, next *ticket
	queued     bool
}

// queue is a bounded FIFO of tickets that wait for a worker. It has no lock and no clock: [pool] brings both.
//
// Any ticket can be taken out in constant time, so that a client that leaves frees its place at once.
type queue struct {
	// limit is the most tickets that may wait; negative is no limit.
	limit int
	// timeout is the longest wait; 0 is no limit.
	timeout    time.Duration
	head, tail *ticket
	depth      int
}

// push appends t, or returns false when the queue is full.
func (q *queue) push(t *ticket) bool {
	if q.limit >= 0 && q.depth >= q.limit {
		return false
	}
	t.prev, t.next, t.queued = q.tail, nil, true
	if q.tail == nil {
		q.head = t
	} else {
		q.tail.next = t
	}
	q.tail = t
	q.depth++
	return true
}

// pop takes the longest waiting ticket out; nil when none waits.
func (q *queue) pop() *ticket {
	t := q.head
	if t != nil {
		q.remove(t)
	}
	return t
}

// remove takes t out and says whether it was there.
func (q *queue) remove(t *ticket) bool {
	if !t.queued {
		return false
	}
	if t.prev == nil {
		q.head = t.next
	} else {
		t.prev.next = t.next
	}
	if t.next == nil {
		q.tail = t.prev
	} else {
		t.next.prev = t.prev
	}
	t.prev, t.next, t.queued = nil, nil, false
	q.depth--
	return true
}

// due is when the longest wait becomes too long. ok is false when none can.
func (q *queue) due() (at time.Time, ok bool) {
	if q.timeout == 0 || q.head == nil {
		return time.Time{}, false
	}
	return q.head.since.Add(q.timeout), true
}

// expire takes the longest waiting ticket out when it has waited too long at now; otherwise it returns nil.
func (q *queue) expire(now time.Time) *ticket {
	if at, ok := q.due(); !ok || now.Before(at) {
		return nil
	}
	return q.pop()
}
