package preset

import (
	"fmt"
	"os"

	"poolvsloop/internal/procstat"
)

// mostOtherLoad is the share of the machine's processor time that programs which are not of the run may have, as in a
// comparison (METHOD.md says why).
const mostOtherLoad = 0.75

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

// othersSince says what is wrong when programs that are not of the run had too much of the machine since before, or "".
func (l look) othersSince(before look) string {
	m := l.Since(before.Moment)
	if others := m.BusyS - (l.ours - before.ours); m.TotalS > 0 && others > mostOtherLoad*m.TotalS {
		return fmt.Sprintf("programs that are not of this run had %.0f %% of the processor time, bound %.0f %%", 100*others/m.TotalS,
			100*mostOtherLoad)
	}
	return ""
}
