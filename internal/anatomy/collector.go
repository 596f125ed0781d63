package anatomy

import (
	"math/rand/v2"
	"time"

	"poolvsloop/internal/flow"
)

// MaxSamples is how many samples a [Collector] keeps: 15 MB. Of more it keeps a random choice.
const MaxSamples = 1 << 18

// Sample is one request that told its stages.
type Sample struct {
	// Timing is what the server said.
	flow.Timing
	// Response is the response time that the load runner measured.
	Response time.Duration
}

// Total is the time in the server, from the whole request to the ready answer.
func (s Sample) Total() time.Duration { return s.Timing[flow.StageTotal] }

// Rest is what of the total is in no stage. Stages are rounded to microseconds, so it may be below 0 by a few.
func (s Sample) Rest() time.Duration {
	rest := s.Total()
	for stage := range flow.StageTotal {
		rest -= s.Timing[stage]
	}
	return rest
}

// Outside is what of the response time the server did not see of itself.
func (s Sample) Outside() time.Duration { return s.Response - s.Total() }

// Collector takes the answers to sampled requests. The zero value is ready. It is for one goroutine at a time: each load
// loop has its own, and [Collector.Merge] puts them together once.
type Collector struct {
	// Samples are the requests that told their stages, in no certain order once there were more than [MaxSamples].
	Samples []Sample
	// Told counts all of them, Untold the 2xx answers of which the stages are missing or cannot be read.
	Told, Untold int

	random rand.PCG
}

// Add takes an answer with what its Server-Timing says, and the response time. Answers that are not 2xx are passed over:
// a request that was rejected went through no stage.
func (c *Collector) Add(status int, serverTiming []byte, response time.Duration) {
	if status/100 != 2 {
		return
	}
	timing, ok := Parse(serverTiming)
	if !ok {
		c.Untold++
		return
	}
	c.Told++
	c.keep(Sample{timing, response})
}

// keep keeps a sample so that every one has the same chance to be kept (A. G. Waterman's reservoir; D. E. Knuth, The Art
// of Computer Programming, vol. 2, §3.4.2, algorithm R).
func (c *Collector) keep(s Sample) {
	if len(c.Samples) < MaxSamples {
		c.Samples = append(c.Samples, s)
		return
	}
	if i := c.random.Uint64() % uint64(c.Told); i < MaxSamples {
		c.Samples[i] = s
	}
}

// Merge adds what another collector took.
func (c *Collector) Merge(o *Collector) {
	c.Samples = append(c.Samples, o.Samples...)
	c.Told += o.Told
	c.Untold += o.Untold
}
