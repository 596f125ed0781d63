package compare

import (
	"math"
	"slices"

	"poolvsloop/internal/results"
)

// The checks that a machine which works for others breaks.
const (
	noSteal     = "no_steal"
	noOtherLoad = "no_other_load"
)

// What the hypervisor gives to others, and what programs that are not of a run have, of the machine's processor time in
// percent: up to the first it is normal, above the second the lab refuses the figures (METHOD.md says why).
const (
	NormalSteal     = 2.0
	MostSteal       = 30.0
	NormalOtherLoad = 20.0
	MostOtherLoad   = 75.0
)

// ownFaults are checks that no other program of the machine can break.
var ownFaults = []string{
	"equal_answers", "equal_limits", "lab_alive", "all_rounds", "closed_books", "answer_content", "equal_work",
}

// OtherLoad is the share of the processors, in percent, that other programs had in the worst round of a run, unknown where
// nobody could tell. Busy says that it, or what the hypervisor gave to others, was more than normal, and that no check
// failed which cannot fail for that.
func OtherLoad(checks []results.Check) (percent results.Number, busy bool) {
	percent = results.Unknown
	ownFault := false
	for _, c := range checks {
		if c.Name == noOtherLoad {
			percent = c.Figure
		}
		abnormal := c.Status == results.Failed || c.Status == results.Warning
		busy = busy || abnormal && (c.Name == noOtherLoad || c.Name == noSteal)
		ownFault = ownFault || c.Status == results.Failed && slices.Contains(ownFaults, c.Name)
	}
	return percent, busy && !ownFault
}

// hostRules are about what else the machine did during the rounds. METHOD.md says why the bounds are where they are.
var hostRules = []rule{
	{
		name: "no_throttling", unit: "% of periods", warn: 0, bound: 1,
		says: "CPU quota ran out in", cure: "Raise the CPU quota of the containers.",
		of: ofHost(func(_ Measurement, h *Host) float64 { return percent(float64(h.Throttled), float64(h.Periods)) }),
	},
	{
		name: "no_swapping", unit: "pages", warn: 0, bound: 256,
		says: "pages swapped in a round", cure: "End other programs, or take fewer clients.",
		of: ofHost(func(_ Measurement, h *Host) float64 { return float64(h.SwappedPages) }),
	},
	{
		name: noSteal, unit: "% of CPU", warn: NormalSteal, bound: MostSteal,
		says: "processor time that the hypervisor gave to others", cure: "Measure when the host is less busy.",
		of: ofHost(func(_ Measurement, h *Host) float64 { return percent(h.StealS, h.TotalS) }),
	},
	{
		name: noOtherLoad, unit: "% of CPU", warn: NormalOtherLoad, bound: MostOtherLoad,
		says: "processor time of programs that are not of this run", cure: "End other programs.",
		of: ofHost(func(_ Measurement, h *Host) float64 { return percent(h.OthersS, h.TotalS) }),
	},
	{
		name: "no_listen_overflows", unit: "% of requests", warn: 0, bound: 0.1,
		says: "connections that a full accept queue dropped (each waits 1 s for its next SYN)",
		cure: "Take fewer clients, -k, or a larger backlog (net.core.somaxconn).",
		of: ofHost(func(m Measurement, h *Host) float64 {
			return percent(float64(max(h.Listen.Overflows, h.Listen.Drops)), float64(m.Load.Sent))
		}),
	},
	{
		name: "steady_clock", unit: "ms", warn: 50, bound: 1000,
		says: "jump of the wall clock within a round", cure: "Do not suspend the machine or set its clock during a run.",
		of: ofHost(func(_ Measurement, h *Host) float64 { return math.Abs(h.ClockJump.Seconds()) * 1e3 }),
	},
}

// ofHost is the figure of a round of which it is known what the machine did.
func ofHost(figure func(Measurement, *Host) float64) func(Measurement) float64 {
	return func(m Measurement) float64 {
		if m.Host == nil {
			return math.NaN()
		}
		return figure(m, m.Host)
	}
}

// percent is part of whole in %, 0 of nothing.
func percent(part, whole float64) float64 {
	if whole <= 0 {
		return 0
	}
	return 100 * part / whole
}
