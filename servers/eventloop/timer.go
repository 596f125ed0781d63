package main

import "time"

// timers holds the deadlines of one loop in a binary heap. A deadline that moves later, or is cleared, costs a field
// write: the timer stays where it is, and is put right when it comes to the top. Times are since the server's start; a
// timer structure knows no clock. It is used on its loop only.
type timers struct {
	heap []*timer
	// set is the number of timers with a deadline: the rest of the heap is waiting to be put right.
	set int
}

// timer is one deadline, part of what it belongs to. The zero value has none.
type timer struct {
	owner    expirer
	deadline time.Duration // 0: none
	at       time.Duration // its place in the heap: never later than the deadline
	slot     int           // its index in the heap plus one; 0 when it is not there
}

// expirer is what a timer belongs to; expired is called on the loop once the deadline has passed, with the timer unset.
type expirer interface{ expired() }

// start gives t a deadline, in place of any other.
func (ts *timers) start(t *timer, deadline time.Duration) {
	if t.deadline == 0 {
		ts.set++
	}
	t.deadline = deadline
	switch {
	case t.slot == 0:
		t.at = deadline
		ts.heap = append(ts.heap, t)
		t.slot = len(ts.heap)
		ts.up(t)
	case deadline < t.at:
		t.at = deadline
		ts.up(t)
	}
}

// stop takes the deadline away.
func (ts *timers) stop(t *timer) {
	if t.deadline != 0 {
		ts.set--
		t.deadline = 0
	}
}

// remove stops t and forgets it: nothing refers to it any more.
func (ts *timers) remove(t *timer) {
	ts.stop(t)
	if t.slot == 0 {
		return
	}
	i, last := t.slot-1, len(ts.heap)-1
	moved := ts.heap[last]
	ts.heap[last] = nil
	ts.heap = ts.heap[:last]
	t.slot = 0
	if moved != t {
		ts.place(moved, i)
		ts.up(moved)
		ts.down(moved)
	}
}

// next returns a timer whose deadline has passed, and unsets it; nil when there is none.
func (ts *timers) next(now time.Duration) *timer {
	for len(ts.heap) > 0 && ts.heap[0].at <= now {
		t := ts.heap[0]
		if t.deadline > now {
			t.at = t.deadline
			ts.down(t)
			continue
		}
		due := t.deadline != 0
		ts.remove(t)
		if due {
			return t
		}
	}
	return nil
}

// wake returns when to look again: no deadline is earlier. It is false without timers.
func (ts *timers) wake() (at time.Duration, ok bool) {
	if len(ts.heap) == 0 {
		return 0, false
	}
	return ts.heap[0].at, true
}

func (ts *timers) place(t *timer, i int) {
	ts.heap[i] = t
	t.slot = i + 1
}

func (ts *timers) up(t *timer) {
	i := t.slot - 1
	for i > 0 {
		parent := (i - 1) / 2
		if ts.heap[parent].at <= t.at {
			break
		}
		ts.place(ts.heap[parent], i)
		i = parent
	}
	ts.place(t, i)
}

func (ts *timers) down(t *timer) {
	i := t.slot - 1
	for {
		child := 2*i + 1
		if child+1 < len(ts.heap) && ts.heap[child+1].at < ts.heap[child].at {
			child++
		}
		if child >= len(ts.heap) || ts.heap[child].at >= t.at {
			break
		}
		ts.place(ts.heap[child], i)
		i = child
	}
	ts.place(t, i)
}
