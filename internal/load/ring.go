package load

// ring is a FIFO of clients. It grows only when it is full.
type ring struct {
	slots   []int32
	head, n int
}

func newRing(size int) ring { return ring{slots: make([]int32, size)} }

func (r *ring) empty() bool { return r.n == 0 }

func (r *ring) push(i int32) {
	if r.n == len(r.slots) {
		r.grow()
	}
	r.slots[(r.head+r.n)%len(r.slots)] = i
	r.n++
}

func (r *ring) grow() {
	larger := make([]int32, max(16, 2*r.n))
	k := copy(larger, r.slots[r.head:])
	copy(larger[k:], r.slots[:r.head])
	r.slots, r.head = larger, 0
}

// first is what pop would return.
func (r *ring) first() int32 { return r.slots[r.head] }

func (r *ring) pop() int32 {
	i := r.slots[r.head]
	r.head = (r.head + 1) % len(r.slots)
	r.n--
	return i
}
