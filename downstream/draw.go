package main

import (
	"hash/fnv"
	"math/rand/v2"
)

// Draw is all the chance that one call meets.
type Draw struct {
	// Fault and Delay are uniform, above 0 and below 1, and independent of each other.
	Fault, Delay float64
	// Quote is uniform over all 64-bit numbers.
	Quote uint64
}

// Source gives each request id its [Draw]: a pure function of seed, name and id, so two servers under test that send the
// same id meet the same delay, while A and B, which have different names, deal theirs independently of each other.
type Source struct{ key uint64 }

// NewSource makes the source of one downstream.
func NewSource(seed uint64, name string) Source {
	return Source{key: rand.NewPCG(seed, hash(name)).Uint64()}
}

// Draw returns the draw of a request id. The order of the three numbers is fixed: a change would change every run.
func (s Source) Draw(id string) Draw {
	var generator rand.PCG
	generator.Seed(s.key, hash(id))
	return Draw{Fault: unit(generator.Uint64()), Delay: unit(generator.Uint64()), Quote: generator.Uint64()}
}

// unit maps random bits to the middle of one of 2^52 equal parts of the interval from 0 to 1, so never to an end.
func unit(bits uint64) float64 { return (float64(bits>>12) + 0.5) / (1 << 52) }

// hash is FNV-1a: the same in every process, unlike hash/maphash.
func hash(text string) uint64 {
	h := fnv.New64a()
	_, _ = h.Write([]byte(text)) // hash.Hash: Write never returns an error
	return h.Sum64()
}
