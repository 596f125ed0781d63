package lab

import (
	"fmt"
	"slices"

	"poolvsloop/internal/procstat"
)

// Beside returns the CPU time in seconds that the programs beside the servers (the downstreams, the cache) have used so
// far; a cache that [Start] found running is not among them. For an attached lab it is not known: [ErrNotKnown].
func (l *Lab) Beside() (cpuSeconds float64, err error) {
	if l.owned == nil {
		return 0, fmt.Errorf("CPU time of downstreams and cache: %w", ErrNotKnown)
	}
	l.owned.mu.Lock()
	children := slices.Clone(l.owned.children)
	l.owned.mu.Unlock()
	for _, c := range children {
		if slices.ContainsFunc(l.Targets, func(t *Target) bool { return t.pid == c.cmd.Process.Pid }) {
			continue
		}
		usage, err := procstat.Process(c.cmd.Process.Pid)
		if err != nil {
			return 0, fmt.Errorf("CPU time of %s: %w", c.name, err)
		}
		cpuSeconds += usage.CPUSeconds
	}
	return cpuSeconds, nil
}

// PIDs returns the processes that [Start] started, servers, downstreams and cache; none for an attached lab.
func (l *Lab) PIDs() []int {
	if l.owned == nil {
		return nil
	}
	l.owned.mu.Lock()
	defer l.owned.mu.Unlock()
	var pids []int
	for _, c := range l.owned.children {
		pids = append(pids, c.cmd.Process.Pid)
	}
	return pids
}
