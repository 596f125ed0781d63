package predict

import (
	"math"

	"poolvsloop/internal/queueing"
	"poolvsloop/internal/results"
)

// Document is a prediction as run.json has it, with nothing measured yet.
func Document(server string, in queueing.Inputs, p queueing.Prediction) results.Prediction {
	d := results.Prediction{
		Server: server, Inputs: inputs(in), Model: p.Model, Bounds: []results.Bound{}, KneeClients: results.Number(p.Knee),
		Predicted: results.Predicted{
			ThroughputRPS: results.Number(p.Throughput), MeanMS: results.Number(1e3 * p.Mean), P50MS: results.Number(1e3 * p.P50),
			P90MS: results.Number(1e3 * p.P90), P99MS: results.Number(1e3 * p.P99), BusyWorkers: results.Number(p.Busy),
			QueueLength: results.Number(p.Queue), BlockedShare: results.Number(p.Blocked),
		},
		Measured: unknown, ErrorPercent: unknown, ModelOff: []string{}, Weak: append([]string{}, p.Weak...), Laws: []results.Law{},
	}
	for _, b := range p.Bounds {
		d.Bounds = append(d.Bounds, results.Bound{Name: b.Name, Means: b.Means, RPS: b.Rate})
	}
	return d
}

var unknown = results.Predicted{
	ThroughputRPS: results.Unknown, MeanMS: results.Unknown, P50MS: results.Unknown, P90MS: results.Unknown, P99MS: results.Unknown,
	BusyWorkers: results.Unknown, QueueLength: results.Unknown, BlockedShare: results.Unknown,
}

func inputs(in queueing.Inputs) results.PredictionInputs {
	a, _ := queueing.Moments(in.A)
	b, _ := queueing.Moments(in.B)
	r := results.PredictionInputs{
		Clients: in.Clients, RateRPS: in.Rate, Workers: results.Number(in.Workers), Queue: results.Number(in.Queue),
		Cores: in.Cores, WaitMS: 1e3 * (a + b), OverheadMS: 1e3 * in.Overhead.Seconds(), CPUUS: 1e6 * in.CPU.Seconds(),
		OtherCPUUS: 1e6 * in.OtherCPU.Seconds(), Seed: in.Seed,
	}
	if in.Workers == queueing.Unlimited {
		r.Workers = results.Unknown
	}
	if !in.Rejects {
		r.Queue = results.Unknown
	}
	return r
}

// Tolerance is the error in percent above which a model is off.
const Tolerance = 10

// Measure enters what was measured on the server, and the errors.
func Measure(d *results.Prediction, f results.Figures) {
	d.Measured.ThroughputRPS = results.Number(f.GoodputRPS)
	if f.FailedShare() <= results.FailedTooMuch {
		d.Measured.MeanMS, d.Measured.P50MS = results.Number(f.MeanMS), results.Number(f.P50MS)
		d.Measured.P90MS, d.Measured.P99MS = results.Number(f.P90MS), results.Number(f.P99MS)
	}
	if f.Sent > 0 {
		d.Measured.BlockedShare = results.Number(f.FailedShare())
	}
	for _, m := range Figures {
		predicted, measured := float64(*m.Of(&d.Predicted)), float64(*m.Of(&d.Measured))
		if measured == 0 || math.IsNaN(predicted-measured) {
			continue
		}
		off := 100 * (predicted - measured) / measured
		*m.Of(&d.ErrorPercent) = results.Number(off)
		if math.Abs(off) > Tolerance {
			d.ModelOff = append(d.ModelOff, m.Name)
		}
	}
}

// Figure is one figure of a prediction.
type Figure struct {
	Name, Unit string
	Of         func(*results.Predicted) *results.Number
}

// Figures are those that can be measured from outside, in the order of reports.
var Figures = []Figure{
	{"throughput", "#/sec", func(p *results.Predicted) *results.Number { return &p.ThroughputRPS }},
	{"mean time", "ms", func(p *results.Predicted) *results.Number { return &p.MeanMS }},
	{"p50", "ms", func(p *results.Predicted) *results.Number { return &p.P50MS }},
	{"p90", "ms", func(p *results.Predicted) *results.Number { return &p.P90MS }},
	{"p99", "ms", func(p *results.Predicted) *results.Number { return &p.P99MS }},
}
