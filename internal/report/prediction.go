package report

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strings"

	"poolvsloop/internal/predict"
	"poolvsloop/internal/results"
)

// predictions are what was expected of each server, beside what was measured; "" when nothing was predicted.
func predictions(run *results.Run) string {
	var b strings.Builder
	for _, p := range run.Predictions {
		b.WriteString(predictionBlock(p) + "\n")
	}
	return b.String()
}

// predictionBlock is the part about one server.
func predictionBlock(p results.Prediction) string {
	var b strings.Builder
	in := p.Inputs
	b.WriteString(wrap(fmt.Sprintf("Predicted vs measured: %s (%s N=%s Q=%s S=%.1fms D=%.3fms D'=%.3fms other waits=%.2fms m=%d; "+
		"D, D' and other waits from one client before the rounds)", p.Server, loadOf(in), bounded(in.Workers), bounded(in.Queue),
		in.WaitMS, in.CPUUS/1e3, in.OtherCPUUS/1e3, in.OverheadMS, in.Cores), "", "    "))
	fmt.Fprintf(&b, "  %-24s %10s %10s %9s   %s\n", "", "predicted", "measured", "error", "note")
	for i, f := range predict.Figures {
		fmt.Fprintf(&b, "  %-24s %10s %10s %9s   %s\n", f.Name+" ["+f.Unit+"]", known(*f.Of(&p.Predicted)), known(*f.Of(&p.Measured)),
			errorOf(*f.Of(&p.ErrorPercent)), strings.TrimRight(off(p, f.Name)+origin(p, i), "; "))
	}
	beside := func(name string, predicted, measured results.Number) {
		fmt.Fprintf(&b, "  %-24s %10s %10s\n", name, known(predicted), known(measured))
	}
	beside("busy (X*hold)", p.Predicted.BusyWorkers, p.Measured.BusyWorkers)
	beside("queue length", p.Predicted.QueueLength, p.Measured.QueueLength)
	b.WriteString(wrap(boundWords(p), "  ", "    "))
	for _, weak := range p.Weak {
		b.WriteString(wrap("Known weakness: "+weak+".", "  ", "    "))
	}
	for _, law := range p.Laws {
		fmt.Fprintf(&b, "  %-42s %10s %2s %-10s %s\n", law.Name, figure(law.LHS), relation(law), figure(law.RHS), lawWord(law.OK))
	}
	return b.String()
}

// loadOf is the load that a prediction is of: clients, or arrivals a second.
func loadOf(in results.PredictionInputs) string {
	if in.RateRPS > 0 {
		return fmt.Sprintf("λ=%g", in.RateRPS)
	}
	return fmt.Sprintf("c=%d", in.Clients)
}

// origin says where the figure in row i comes from: the first two from formulas, the others from the simulation.
func origin(p results.Prediction, i int) string {
	if i < 2 {
		return p.Model
	}
	return "simulation"
}

// off marks a figure of which the error is above the tolerance. The model is off then; the measurement stands.
func off(p results.Prediction, name string) string {
	if slices.Contains(p.ModelOff, name) {
		return "model off; "
	}
	return ""
}

// relation is that of a law's sides; runs of earlier versions do not tell it, and had equations only.
func relation(law results.Law) string { return cmp.Or(law.Relation, "=") }

// lawWord judges a law. A broken one is an error of the measurement, never of a model.
func lawWord(ok bool) string {
	if ok {
		return "ok"
	}
	return "INVALID"
}

func boundWords(p results.Prediction) string {
	if len(p.Bounds) == 0 {
		return "no bound"
	}
	text := fmt.Sprintf("bound: %s = %s (%s)", p.Bounds[0].Name, figure(p.Bounds[0].RPS), p.Bounds[0].Means)
	if len(p.Bounds) > 1 {
		text += fmt.Sprintf("; next bound %s = %s", p.Bounds[1].Name, figure(p.Bounds[1].RPS))
	}
	if knee := float64(p.KneeClients); !math.IsNaN(knee) && p.Inputs.RateRPS == 0 {
		text += fmt.Sprintf("; knee at %.0f clients", knee)
	}
	return text
}

func bounded(n results.Number) string {
	if math.IsNaN(float64(n)) {
		return "any"
	}
	return fmt.Sprintf("%.0f", float64(n))
}

func known(n results.Number) string {
	if math.IsNaN(float64(n)) {
		return "-"
	}
	return figure(float64(n))
}

func errorOf(n results.Number) string {
	if math.IsNaN(float64(n)) {
		return "-"
	}
	return fmt.Sprintf("%+.1f%%", float64(n))
}
