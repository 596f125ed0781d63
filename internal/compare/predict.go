package compare

import (
	"poolvsloop/internal/predict"
	"poolvsloop/internal/queueing"
	"poolvsloop/internal/results"
	"poolvsloop/internal/single"
	"poolvsloop/internal/stats"
)

// predictions are made of each server that was calibrated and measured, from its settings and its calibration alone. A
// server that is compared with itself, and one with a latency model that cannot be read here (the file of an attached lab's trace), has none.
func (e *Evidence) predictions(run *results.Run) []results.Prediction {
	all := []results.Prediction{}
	if e.Config.Same != "" || eventful(e.Config) || crowded(e.Config) {
		return all // a model is of one steady load, and of no others
	}
	for _, c := range e.Calibration {
		for _, t := range run.Targets {
			if t.Name != c.Server || len(t.Rounds) == 0 {
				continue
			}
			in, err := predict.Inputs(c.Server, e.Config, predict.Load{Rate: e.Config.Rate, Evenly: e.Config.Arrivals == single.ConstantArrivals}, predict.CostOf(c), e.Environment.Cores())
			if err != nil {
				continue
			}
			p := predict.Document(c.Server, in, queueing.Predict(in))
			predict.Measure(&p, t.Total)
			p.Measured.BusyWorkers, p.Measured.QueueLength = e.inside(Server(t.Name), t.Total.DurationS)
			p.Laws = laws(t)
			if e.Config.Open() {
				p.Laws = p.Laws[1:] // there are no clients to hold X·R against
			}
			all = append(all, p)
		}
	}
	return all
}

// inside is how many requests a server served at once, and how many waited in its accept queue, by its own clock over all
// seconds of its rounds (Little's law); unknown where it told nothing.
func (e *Evidence) inside(server Server, seconds float64) (busy, queue results.Number) {
	own := pooled(of(server, e.Rounds)).Own
	if own.ServiceS == 0 || seconds <= 0 {
		return results.Unknown, results.Unknown
	}
	return results.Number(own.ServiceS / seconds), results.Number(own.QueueS / seconds)
}

// laws hold for every measurement, whatever the model. Each has a check that makes the run invalid; here they stand with
// both sides of their equations.
func laws(t results.Target) []results.Law {
	f, law := t.Total, t.LittlesLaw
	ended := f.Completed + f.TimedOut + f.Reset + f.Refused + f.Aborted + f.InFlightAtEnd
	all := []results.Law{
		{Name: "Little: X*R = clients, or fewer at the end", LHS: law.XTimesR, Relation: "<=", RHS: law.Concurrency, OK: law.Ratio <= stats.MostLittle},
		{Name: "flow balance: sent = all outcomes", LHS: float64(f.Sent), Relation: "=", RHS: float64(ended), OK: f.Sent == ended},
	}
	return append(all, forcedFlow("A", t.Ledger.ACalls, f), forcedFlow("B", t.Ledger.BCalls, f))
}

// forcedFlow holds the calls of a downstream against the requests: one each, of those that failed one or none.
func forcedFlow(downstream string, calls int64, f results.Figures) results.Law {
	sent, served := int64(f.Sent), int64(f.Sent-f.Failed)
	law := results.Law{LHS: float64(calls), OK: served <= calls && calls <= sent}
	if served == sent || calls > sent {
		law.Name, law.Relation, law.RHS = "forced flow: calls of "+downstream+" = requests", "=", float64(sent)
	} else {
		law.Name, law.Relation, law.RHS = "forced flow: calls of "+downstream+" >= requests served", ">=", float64(served)
	}
	return law
}
