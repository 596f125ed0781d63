package load

// ring is a FIFO of clients that never grows: a client is in it once at most.
type ring struct {
	slots   []int32
	head, n int
}

func newRing(size int) ring { return ring{slots: make([]int32, size)} }

func (r *ring) empty() bool { return r.n == 0 }

func (r *ring) push(i int32) {
	r.slots[(r.head+r.n)%len(r.slots)] = i
	r.n++
}

func (r *ring) pop() int32 {
	i := r.slots[r.head]
	r.head = (r.head + 1) % len(r.slots)
	r.n--
	return i
}
