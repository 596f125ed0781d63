package preset

import (
	"fmt"
	"math"
	"os"

	"poolvsloop/internal/compare"
	"poolvsloop/internal/procstat"
	"poolvsloop/internal/results"
)

// What others may have of the machine's processor time, as shares: a comparison's bounds.
const (
	normalOtherLoad, mostOtherLoad = compare.NormalOtherLoad / 100, compare.MostOtherLoad / 100
	normalSteal, mostSteal         = compare.NormalSteal / 100, compare.MostSteal / 100
)

// look is one look at the machine; ours is the processor time in seconds of all programs of the lab and of this one.
type look struct {
	procstat.Moment
	ours float64
}

// lookAround looks at the machine.
func (s *loadSession) lookAround() (look, error) {
	pids := append([]int{os.Getpid()}, s.lab.PIDs()...)
	l := look{}
	var err error
	if l.Moment, err = procstat.ReadMoment(os.DirFS("/"), pids); err != nil {
		return l, err
	}
	for _, pid := range pids {
		usage, err := procstat.Process(pid)
		if err != nil {
			return l, err
		}
		l.ours += usage.CPUSeconds
	}
	return l, nil
}

// shares are those of the machine's processor time that others had: programs of this machine, and other machines of its host.
type shares struct{ others, stolen float64 }

// since are the shares between two looks.
func (l look) since(before look) shares {
	m := l.Since(before.Moment)
	if m.TotalS <= 0 {
		return shares{}
	}
	return shares{others: max(0, m.BusyS-(l.ours-before.ours)) / m.TotalS, stolen: m.StealS / m.TotalS}
}

// busy says that the machine worked for others more than is normal.
func (s shares) busy() bool { return s.others > normalOtherLoad || s.stolen > normalSteal }

// fault says why the lab does not stand behind what was measured meanwhile, or "".
func (s shares) fault() string {
	switch {
	case s.others > mostOtherLoad:
		return fmt.Sprintf("programs that are not of this run had %.0f %% of the processor time, bound %.0f %%", 100*s.others,
			100*mostOtherLoad)
	case s.stolen > mostSteal:
		return fmt.Sprintf("the hypervisor gave %.0f %% of the processor time to others, bound %.0f %%", 100*s.stolen, 100*mostSteal)
	}
	return ""
}

// met notes what others had of the machine while a server was measured.
func (s *loadSession) met(name string, round int, others shares) {
	s.refuse(name, round, others.fault())
	s.busy = s.busy || others.busy()
	percent := results.Number(math.Round(1000*others.others) / 10)
	if math.IsNaN(float64(s.otherLoad)) || percent > s.otherLoad {
		s.otherLoad = percent
	}
}
