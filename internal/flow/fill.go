package flow

import "slices"

// appendFill appends n times c; n may be 0.
func appendFill(dst []byte, c byte, n int) []byte {
	if n == 0 {
		return dst
	}
	start := len(dst)
	dst = append(slices.Grow(dst, n), c)[:start+n]
	fill := dst[start:]
	for done := 1; done < n; done *= 2 {
		copy(fill[done:], fill[:done])
	}
	return dst
}
