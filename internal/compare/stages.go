package compare

import (
	"math/rand/v2"

	"poolvsloop/internal/anatomy"
	"poolvsloop/internal/load"
)

// timedEvery is how many requests there are to one that asks for its stages.
const timedEvery = 20

// timedSeed makes the choice of them independent of what else is drawn of an order.
const timedSeed = 0x9e3779b97f4a7c15

// Timed says whether order i asks the server for its stages. It is drawn, since clients take turns: every 20th order
// would always be that of the same few.
func (b Batch) Timed(i int) bool {
	var source rand.PCG
	source.Seed(b.Seed^timedSeed, uint64(b.Round)<<32|uint64(uint32(i)))
	return source.Uint64()%timedEvery == 0
}

// stages collects what the timed orders of a round tell, by load loop.
type stages struct {
	batch Batch
	loops []anatomy.Collector
}

// watchStages has the load engine show the stages of the timed orders.
func watchStages(c *load.Config, b Batch) *stages {
	s := &stages{b, make([]anatomy.Collector, max(1, c.Threads))}
	c.Header, c.OnAnswer = "server-timing", s.add
	return s
}

// add is a [load.Config.OnAnswer].
func (s *stages) add(a load.Answer) {
	if s.batch.Timed(a.Number) {
		s.loops[a.Loop].Add(a.Status, a.Header, a.Response)
	}
}

// all is what all loops took, once they have ended.
func (s *stages) all() *anatomy.Collector {
	all := &s.loops[0]
	for i := range s.loops[1:] {
		all.Merge(&s.loops[1+i])
	}
	return all
}
