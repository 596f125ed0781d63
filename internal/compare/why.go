package compare

import (
	"math"
	"strconv"

	"poolvsloop/internal/results"
	"poolvsloop/internal/why"
)

// explain enters what limited each server, and what to look at next.
func (e *Evidence) explain(run *results.Run) {
	var seen []why.Seen
	for _, t := range run.Targets {
		s := e.seen(Server(t.Name), t, run.Calibration)
		seen = append(seen, s)
		run.Explanations = append(run.Explanations, why.Explain(s))
	}
	run.Why, run.Next = why.Text(seen, run.Explanations), why.Next(e.Argv, e.Config, run.Explanations)
}

// seen gathers what an explanation of a server is derived from.
func (e *Evidence) seen(server Server, t results.Target, calibrations []results.Calibration) why.Seen {
	all := pooled(of(server, e.Rounds))
	wait := waited(all.A, all.B)
	s := why.Seen{
		Server: t.Name, Config: e.Config, Cores: e.Environment.Cores(), Figures: t.Total, Busy: all.Busy, A: all.A, B: all.B,
		Cache: all.Cache, OthersCPU: all.OthersCPU, Generator: generatorShare(all), WaitMS: wait.intended, LateMS: wait.late,
		AloneMS: math.NaN(),
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
