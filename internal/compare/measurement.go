package compare

import (
	"poolvsloop/internal/anatomy"
	"poolvsloop/internal/lab"
	"poolvsloop/internal/load"
	"poolvsloop/internal/procstat"
	"poolvsloop/internal/timeline"
)

// Measurement is everything that was seen of one server in one round.
type Measurement struct {
	Slot
	// Attached says that the server was up before: others may use it, too.
	Attached bool
	// Open says that the round was an open loop, without clients.
	Open bool
	// Load is what the load engine saw.
	Load *load.Result
	// Usage is what the server's process used during the round, and held at its end.
	Usage procstat.Usage
	// Own is what the server counted itself in the round, OthersCPU the CPU time in seconds of the programs beside it on its
	// machine, NaN when that is not known.
	Own       lab.Own
	OthersCPU float64
	// A and B are the downstreams' ledgers of the round, Cache the cache's counts.
	A, B  lab.Ledger
	Cache lab.Counts
	// Misses is how many of the requests that were sent had to miss the cache.
	Misses int
	// Digest is that of all answers 200: both servers' are equal when they gave equal answers to equal requests.
	Digest uint64
	// Stages are what the timed requests told, nil when none was asked.
	Stages *anatomy.Collector
	// WarmUp is how the server's process was warmed up.
	WarmUp WarmUp
	// Events are what became of the events of the round, Before the settings that they changed; none without a timeline.
	Events []timeline.Done
	Before map[string]string
	// CacheStopped says that events stopped the cache: what was planned of hits and misses did not hold.
	CacheStopped bool
	// Syscalls is the number of system calls of the server's process, NaN where they were not counted.
	Syscalls float64
	// Host is what the machine did meanwhile, nil where that is not known.
	Host *Host
}

// of returns the measurements of one server, in their order.
func of(server Server, all []Measurement) []Measurement {
	var own []Measurement
	for _, m := range all {
		if m.Server == server {
			own = append(own, m)
		}
	}
	return own
}
