package why

import (
	"fmt"
	"math"

	"poolvsloop/internal/predict"
	"poolvsloop/internal/queueing"
	"poolvsloop/internal/results"
	"poolvsloop/internal/single"
)

// Explain says what limited the server, what would move that, and what the models of internal/queueing expect then.
func Explain(s Seen) results.Explanation {
	e := results.Explanation{Server: s.Server, Resources: Resources(s), PredictedRPS: results.Unknown, PredictedRunCPURPS: results.Unknown}
	e.Bottleneck = Bottleneck(s, e.Resources)
	change, better := s.change(e.Bottleneck)
	e.Change = change
	if better != nil {
		e.PredictedRPS = better.predicted()
		e.PredictedRunCPURPS = better.withCPUOfRun().predicted()
	}
	return e
}

// change says what would move a limit, and returns the server as it would be then; nil when no model covers that.
func (s Seen) change(bottleneck string) (text string, better *Seen) {
	b := s
	switch bottleneck {
	case Workers:
		b.Config.Workers = s.moreWorkers()
		return fmt.Sprintf("raise --workers to %d", b.Config.Workers), &b
	case Inflight:
		b.Config.MaxInflight = 0
		return "take --max-inflight away", &b
	case Loops:
		return s.moreLoops()
	case Clients:
		b.Config.Concurrency *= 2
		return fmt.Sprintf("send more at once: -c %d", b.Config.Concurrency), &b
	case Rate:
		return s.moreRate()
	case CPU:
		b.Cores *= 2
		return fmt.Sprintf("give it %d cores", b.Cores), &b
	case CPUQuota:
		return "raise the CPU quota (cgroup cpu.max)", nil
	case LabCPU:
		if s.Calibration != nil {
			alone := *s.Calibration
			alone.OtherCPUUS = 0
			b.Calibration = &alone
		}
		return "give the server a machine of its own (--lab=attach)", &b
	case ConnsA, ConnsB:
		return "raise --downstream-conns of the event loop", nil
	case LoadRunner:
		return "nothing is known of the server: the load runner was the limit", nil
	case Late:
		return "nothing is known of the server: A and B were late; take " + s.less() + " or longer delays", nil
	}
	return "", nil
}

// less is what brings a smaller load.
func (s Seen) less() string {
	if s.Config.Open() {
		return "a lower --rate"
	}
	return "fewer clients"
}

// moreLoops: loops that block wait in their callbacks; others compute.
func (s Seen) moreLoops() (text string, better *Seen) {
	b := s
	if s.Config.Mistake == "block" {
		b.Config.Mistake = "none"
		return "take --mistake=block away: each loop waits inside its callbacks", &b
	}
	if s.loops() < s.Cores {
		b.Config.Loops = s.Cores
		return fmt.Sprintf("raise --loops to %d", s.Cores), &b
	}
	b.Cores, b.Config.Loops = 2*s.Cores, 2*s.loops()
	return fmt.Sprintf("give it %d cores, and a loop for each", b.Cores), &b
}

// withCPUOfRun has the CPU time of a request in this run in place of that of one client before it, and no calibration when
// that is not known.
func (s Seen) withCPUOfRun() Seen {
	if s.Calibration == nil || s.Figures.Completed == 0 || math.IsNaN(s.OthersCPU) {
		s.Calibration = nil
		return s
	}
	before := *s.Calibration
	during, requests := before, float64(s.Figures.Completed)
	during.ServerCPUUS = 1e6 * s.Figures.ServerCPUS / requests
	if before.OtherCPUUS > 0 {
		during.OtherCPUUS = results.Number(1e6 * s.OthersCPU / requests)
	}
	// What else a request waited for before the run stays as it was.
	during.MeanMS += (during.ServerCPUUS + float64(during.OtherCPUUS) - before.ServerCPUUS - float64(before.OtherCPUUS)) / 1e3
	s.Calibration = &during
	return s
}

// predicted is the throughput in requests per second that the models expect.
func (s Seen) predicted() results.Number {
	if s.Calibration == nil {
		return results.Unknown
	}
	load := predict.Load{Rate: s.Config.Rate, Evenly: s.Config.Arrivals == single.ConstantArrivals}
	in, err := predict.Inputs(s.Server, s.Config, load, predict.CostOf(*s.Calibration), s.Cores)
	if err != nil {
		return results.Unknown // the trace of an attached lab is not here
	}
	if in.Clients > 0 {
		return results.Number(queueing.Means(in).Throughput) // all that the simulation would add is percentiles
	}
	return results.Number(queueing.Predict(in).Throughput)
}
