package single

import (
	"crypto/tls"
	"fmt"
	"math"
	"strings"
	"time"

	"poolvsloop/internal/load"
	"poolvsloop/internal/stats"
)

func model(p *Plan) Model {
	c := p.Load
	m := Model{
		Loop: closedLoop, Clients: c.Clients, ThinkS: c.Think.Seconds(), MaxInFlight: c.MaxInFlight,
		KeepAlive: c.KeepAlive, PerConnection: c.PerConnection, Pipeline: c.Pipeline,
	}
	if c.Arrivals == nil {
		return m
	}
	m.Loop, m.Arrivals, m.Stages = openLoop, p.Options.Arrivals, showPlan(c.Arrivals.Plan)
	if c.PerConnection > 1 {
		m.Loop = partlyOpen
	}
	return m
}

// showPlan writes a plan as --stages takes it.
func showPlan(p load.Plan) string {
	var parts []string
	for _, s := range p {
		text := fmt.Sprintf("%g", s.From)
		if s.To != s.From {
			text += fmt.Sprintf("..%g", s.To)
		}
		if s.For > 0 {
			text += ":" + s.For.String()
		}
		parts = append(parts, text)
	}
	return strings.Join(parts, ",")
}

func requests(r *load.Result) Requests {
	return Requests{
		Planned: r.Planned, Sent: r.Sent, Dropped: r.Dropped, Answered: r.Answered, OK2xx: r.OK2xx, Non2xx: r.Non2xx,
		TimedOut: r.TimedOut, Reset: r.Reset, Refused: r.Refused, Aborted: r.Aborted, InFlightAtEnd: r.InFlight,
		Failed: r.Failed(), Late: r.Late,
	}
}

func connections(r *load.Result) Connections {
	return Connections{
		Opened: r.Opened, Reused: r.Reused, ClosedByServer: r.ClosedByServer, ClosedOnRequest: r.ClosedOnRequest,
		Unasked: r.Unasked, SourceAddresses: r.Sources, IdleOpened: r.Idle.Opened, IdleFailed: r.Idle.Failed,
		IdleClosedByServer: r.Idle.ClosedByServer,
	}
}

func fairness(r *load.Result) Fairness {
	f := stats.FairnessOf(r.AnswersPerClient)
	oldest := time.Duration(r.GivenUp.Max) * time.Microsecond
	for _, age := range r.Ages {
		oldest = max(oldest, age)
	}
	return Fairness{
		Clients: f.Clients, Starved: f.Starved, Min: f.Min, Median: f.Median, Max: f.Max, Jain: f.Jain,
		OldestUnansweredS: oldest.Seconds(),
	}
}

func generator(p *Plan, r *load.Result) Generator {
	g := Generator{Threads: r.Threads, EventLagMeanMS: ms(r.Lag.Mean), EventLagMaxMS: ms(r.Lag.Max), AchievedRate: 1}
	if r.Duration > 0 {
		g.BusiestLoop = min(1, r.BusiestLoop.Seconds()/r.Duration.Seconds())
		g.NeediestLoop = min(1, r.NeediestLoop.Seconds()/r.Duration.Seconds())
	}
	if r.Sent > 0 {
		g.TurnaroundMeanMS = ms(r.Turnaround) / float64(r.Sent)
		g.CPUUSPerRequest = float64(r.CPU.Nanoseconds()) / 1e3 / float64(r.Sent)
	}
	if p.Load.Arrivals != nil && r.Planned > 0 {
		g.AchievedRate = share(r.Sent, r.Planned)
	}
	return g
}

func tlsOf(r *load.Result) *TLS {
	if r.TLS == nil {
		return nil
	}
	x := &TLS{Handshakes: r.TLS.Handshakes, Resumed: r.TLS.Resumed}
	if r.TLS.Handshakes > 0 {
		x.Version, x.Cipher = tls.VersionName(r.TLS.First.Version), tls.CipherSuiteName(r.TLS.First.CipherSuite)
	}
	return x
}

// times makes the figures of a distribution.
func times(t load.Times, d *Distribution) Times {
	x := Times{Count: t.Count(), Clamped: t.Clamped, Percentiles: []Ranked{}}
	if n := float64(t.Count()); n > 0 {
		mean := float64(t.Sum) / n
		x.MeanMS, x.MinMS, x.MaxMS = mean/1e3, float64(t.Min)/1e3, float64(t.Max)/1e3
		x.SDMS = math.Sqrt(max(0, t.SumSquares/n-mean*mean)) / 1e3
	}
	if d.n == 0 {
		return x
	}
	for _, percent := range percents {
		x.Percentiles = append(x.Percentiles, ranked(d.Percentile(percent)))
	}
	return x
}

func ranked(p Percentile) Ranked {
	r := Ranked{Percent: p.Percent, AtLeast: p.AtLeast, NeedsRequests: p.Needs}
	if p.Needs > 0 {
		return r
	}
	set := func(us int64) *float64 {
		v := float64(us) / 1e3
		return &v
	}
	r.MS = set(p.Micros)
	if p.High > 0 {
		r.LowMS, r.HighMS = set(p.Low), set(p.High)
	}
	return r
}

func seriesOf(r *load.Result) []Second {
	all := make([]Second, len(r.Seconds))
	for i, s := range r.Seconds {
		all[i] = Second{Second: i, Answered: s.Answered, Failed: s.Failed, MaxResponseMS: ms(s.MaxResponse)}
	}
	return all
}

func ms(d time.Duration) float64 { return float64(d.Nanoseconds()) / 1e6 }

// answering is the rate of answers, a second, while there were any: waiting in vain at a run's end is not part of it.
func answering(r *load.Result) float64 {
	if r.Window < r.Duration || r.LastAnswer <= 0 {
		return r.Throughput()
	}
	return float64(r.Answered) / r.LastAnswer.Seconds()
}

// share is a part of a whole, NaN of nothing.
func share(part, whole int) float64 { return float64(part) / float64(whole) }
