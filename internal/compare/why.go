package compare

import (
	"fmt"
	"math"
	"strconv"

	"poolvsloop/internal/results"
	"poolvsloop/internal/why"
)

// explain enters what limited each server, and what to look at next. A server that was compared with itself is explained
// by that.
func (e *Evidence) explain(run *results.Run) {
	if e.Config.Same != "" {
		run.Why, run.Next = sameWhy(e.Config), sameNext
		return
	}
	switch {
	case eventful(e.Config):
		run.Why, run.Next = eventfulWhy, eventfulNext
		return
	case crowded(e.Config):
		run.Why, run.Next = crowdedWhy, crowdedNext
		return
	}
	var seen []why.Seen
	for _, t := range run.Targets {
		s := e.seen(Server(t.Name), t, run.Calibration)
		seen = append(seen, s)
		run.Explanations = append(run.Explanations, why.Explain(s))
	}
	run.Why, run.Next = why.Text(seen, run.Explanations), why.Next(e.Argv, e.Config, run.Explanations)
	if e.Config.Open() {
		run.Next = why.NextOpen(e.Argv, e.Config, seen, run.Explanations)
	}
}

// seen gathers what an explanation of a server is derived from.
func (e *Evidence) seen(server Server, t results.Target, calibrations []results.Calibration) why.Seen {
	all := pooled(of(server, e.Rounds))
	wait := waited(all.A, all.B)
	s := why.Seen{
		Server: t.Name, Config: e.Config, Cores: e.Environment.Cores(), Figures: t.Total, Own: all.Own, A: all.A, B: all.B,
		Cache: all.Cache, OthersCPU: all.OthersCPU, Generator: generatorShare(all), WaitMS: wait.intended, LateMS: wait.late,
		AloneMS: math.NaN(),
	}
	for _, m := range of(server, e.Rounds) {
		if m.Host != nil {
			s.Periods, s.Throttled = s.Periods+m.Host.Periods, s.Throttled+m.Host.Throttled
		}
	}
	settings := t.Settings()
	threads, told := settings.Number("limits.gomaxprocs")
	if cpus, also := settings.Number("limits.cpus"); told && also {
		quota, _ := strconv.ParseFloat(settings["limits.cgroup_quota"], 64)
		s.Cores = results.Environment{GoMaxProcs: min(threads, cpus), CgroupQuota: quota}.Cores()
	}
	if loops, told := settings.Number("loops"); told && server == EventLoop {
		conns, _ := settings.Number("downstream_conns")
		s.Config.Loops, s.DownstreamConns = loops, loops*conns
	}
	for i, c := range calibrations {
		if c.Server == t.Name {
			s.Calibration, s.AloneMS = &calibrations[i], c.MeanMS-c.WaitMS+s.WaitMS
		}
	}
	return s
}

// sameNext is what to look at after a server was compared with itself.
const sameNext = "Next: the comparison without --same, of which this run shows the noise."

// sameWhy says what to expect of a server that was compared with itself.
func sameWhy(c results.Config) string {
	if c.Handicap > 0 {
		return fmt.Sprintf("Why: both sides are the %s, and the second one burns %d iterations of CPU in each request: a lab "+
			"that is worth its name finds it slower.", c.Same, c.Handicap)
	}
	return fmt.Sprintf("Why: both sides are the %s. Every verdict but tie and inconclusive is an accident, or a fault of the "+
		"lab.", c.Same)
}
