package load

import (
	"fmt"
	"os"
	"time"
)

// starvedTime is how long the calling thread has been ready to run without a processor to run on. It is 0 where the
// kernel does not say.
func starvedTime() time.Duration {
	stat, err := os.ReadFile("/proc/thread-self/schedstat")
	if err != nil {
		return 0
	}
	return starvedIn(string(stat))
}

// starvedIn takes the second of the three numbers of a schedstat file: time on a processor, time waited for one, both in
// nanoseconds, and turns (proc(5), Documentation/scheduler/sched-stats.rst).
func starvedIn(stat string) time.Duration {
	var ran, waited time.Duration
	if _, err := fmt.Sscan(stat, &ran, &waited); err != nil {
		return 0
	}
	return waited
}
