package flow

// Burn spins for n fixed iterations on the calling goroutine and returns a value that depends on all of them. It is
// never calibrated to a time. An iteration is one step of Marsaglia's xorshift64 ("Xorshift RNGs", 2003).
//
//go:noinline
func Burn(n int) uint64 {
	x := uint64(88172645463325252)
	for range n {
		x ^= x << 13
		x ^= x >> 7
		x ^= x << 17
	}
	return x
}
