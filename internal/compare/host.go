package compare

import (
	"math"
	"os"
	"time"

	"poolvsloop/internal/procstat"
)

// Host is what the machine did during a round.
type Host struct {
	// Moment has differences.
	procstat.Moment
	// OthersS is the processor time in seconds of programs that are not of this comparison, NaN where that is not known.
	OthersS float64
	// ClockJump is how far the wall clock was set, forward or (below 0) back.
	ClockJump time.Duration
}

// look is one look at the machine; ours is the processor time of all programs of the comparison.
type look struct {
	procstat.Moment
	ours float64
	ok   bool
}

// lookAtHost looks at the machine; what cannot be read leaves ok false, and the checks that need it say so.
func (s *session) lookAtHost() look {
	pids := append([]int{os.Getpid()}, s.lab.PIDs()...)
	var l look
	var err error
	if l.Moment, err = procstat.ReadMoment(os.DirFS("/"), pids); err != nil {
		return l
	}
	if l.Listen, err = procstat.ReadListenDrops(); err != nil {
		return l
	}
	l.ok = true
	if len(pids) == 1 {
		l.ours = math.NaN()
		return l
	}
	for _, pid := range pids {
		usage, err := procstat.Process(pid)
		if err != nil {
			l.ours = math.NaN()
			break
		}
		l.ours += usage.CPUSeconds
	}
	return l
}

// since returns what happened between two looks, nil when one of them saw nothing.
func (l look) since(before look) *Host {
	if !l.ok || !before.ok {
		return nil
	}
	h := &Host{Moment: l.Since(before.Moment)}
	h.OthersS = max(0, h.BusyS-(l.ours-before.ours))
	monotonic := l.Time.Sub(before.Time)
	h.ClockJump = l.Time.Round(0).Sub(before.Time.Round(0)) - monotonic
	return h
}
