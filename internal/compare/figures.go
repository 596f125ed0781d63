package compare

import (
	"net"
	"strconv"

	"poolvsloop/internal/abreport"
	"poolvsloop/internal/load"
	"poolvsloop/internal/results"
	"poolvsloop/internal/stats"
)

// abReport returns the ab-style report about a result. hostport is where the server is.
func abReport(r *load.Result, s Server, hostport string, c results.Config) *abreport.Report {
	host, port, _ := net.SplitHostPort(hostport)
	number, _ := strconv.Atoi(port) // an address that was connected to has a port
	rep := &abreport.Report{
		Host: host, Port: number, Path: route[s.kind()], Concurrency: c.Concurrency, KeepAlive: c.KeepAlive, WithBody: true,
	}
	if c.Open() {
		rep.Concurrency = r.Clients
	}
	rep.Fill(r)
	return rep
}

// figures returns what run.json holds of a measurement; times are those of its ab-style report.
func figures(m Measurement) results.Figures {
	r := m.Load
	f := results.Figures{
		Order: m.Order, Requests: r.Planned, Sent: r.Sent, Completed: r.Answered, TimedOut: r.TimedOut, Refused: r.Refused,
		Reset: r.Reset, Aborted: r.Aborted, Dropped: r.Dropped, InFlightAtEnd: r.InFlight,
		Late:   r.Late,
		Failed: r.Sent - r.OK2xx, Non2xx: r.Non2xx, DurationS: r.Duration.Seconds(),
		ServerCPUS: m.Usage.CPUSeconds, ServerRSSBytes: m.Usage.RSSBytes, ServerThreads: m.Usage.Threads,
		CtxSwitchesVoluntary: m.Usage.VoluntarySwitches, CtxSwitchesForced: m.Usage.InvoluntarySwitches,
	}
	if m.Open {
		f.SendLagP99MS = float64(r.SendLag.Histogram.ValueAtQuantile(99)) / 1e3
	}
	addDistribution(&f, abReport(r, m.Server, "", results.Config{}).Figures())
	if f.DurationS > 0 {
		f.ThroughputRPS = float64(r.Answered) / f.DurationS
		f.GoodputRPS = float64(r.OK2xx) / f.DurationS
		f.GeneratorCPUShare = r.LoopCPU.Seconds() / f.DurationS
	}
	if r.Answered > 0 {
		n := float64(r.Answered)
		f.ServerCPUUSPerRequest = f.ServerCPUS * 1e6 / n
		f.CtxSwitchesPerRequest = float64(f.CtxSwitchesVoluntary+f.CtxSwitchesForced) / n
	}
	return f
}

// addDistribution enters the response times.
func addDistribution(f *results.Figures, of abreport.Figures) {
	f.MeanMS, f.SDMS, f.MinMS = float64(of.Total.Mean)/1e3, of.Total.SD/1e3, float64(of.Total.Min)/1e3
	into := map[float64]*float64{
		50: &f.P50MS, 66: &f.P66MS, 75: &f.P75MS, 80: &f.P80MS, 90: &f.P90MS, 95: &f.P95MS, 98: &f.P98MS, 99: &f.P99MS,
		99.9: &f.P999MS, 100: &f.MaxMS,
	}
	for _, p := range of.Percentiles {
		*into[p.Percent] = float64(p.Micros) / 1e3
	}
}

// fairness returns how the answers were spread over the clients; a client counts as starved when it was in any round.
func fairness(rounds []Measurement) results.Fairness {
	var answers []int
	starved := 0
	for _, m := range rounds {
		answers = addAnswers(answers, m.Load.AnswersPerClient)
		starved = max(starved, stats.FairnessOf(m.Load.AnswersPerClient).Starved)
	}
	f := stats.FairnessOf(answers)
	return results.Fairness{
		Connections: f.Clients, Starved: starved, Min: f.Min, Median: float64(f.Median), Max: f.Max, Jain: f.Jain,
	}
}

// little holds throughput times mean response time against the clients.
func little(m Measurement) stats.LittlesLaw {
	f := figures(m)
	return stats.LittlesLawOf(f.ThroughputRPS, f.MeanMS/1e3, m.Load.Clients)
}
