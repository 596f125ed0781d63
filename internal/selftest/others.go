package selftest

import (
	"fmt"
	"runtime"
	"time"

	"github.com/prometheus/procfs"

	"poolvsloop/internal/procstat"
)

// busyBound is the share of all processors used by other programs above which a check of times may miss for them alone.
const busyBound = 0.1

// spent is processor time up to a moment, in seconds.
type spent struct {
	at time.Time
	// all is that of the whole machine, own that of this process.
	all, own float64
}

// spentNow reads the kernel's counters; it is zero where there are none.
func spentNow() spent {
	fs, err := procfs.NewDefaultFS()
	if err != nil {
		return spent{}
	}
	stat, err := fs.Stat()
	if err != nil {
		return spent{}
	}
	own, err := procstat.Self()
	if err != nil {
		return spent{}
	}
	t := stat.CPUTotal
	return spent{time.Now(), t.User + t.Nice + t.System + t.Steal, own.CPUSeconds}
}

// others is the share of the processors that other programs used between two moments, 0 to 1.
func others(before, after spent, processors int) float64 {
	available := after.at.Sub(before.at).Seconds() * float64(processors)
	if available <= 0 {
		return 0
	}
	return min(1, max(0, (after.all-before.all-(after.own-before.own))/available))
}

// excuse says that the machine was too busy for a check of times, or nothing.
func excuse(before, after spent) string {
	share := others(before, after, runtime.NumCPU())
	if share <= busyBound {
		return ""
	}
	return fmt.Sprintf(" — the machine is too busy to tell: other programs used %.0f %% of its processors meanwhile; end them and run again",
		100*share)
}
