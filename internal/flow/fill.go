package flow

import "slices"

// appendFill appends n times c.
func appendFill(dst []byte, c byte, n int) []byte {
	start := len(dst)
	dst = slices.Grow(dst, n)[:start+n]
	fill := dst[start:]
	for i := range fill {
		fill[i] = c
	}
	return dst
}
