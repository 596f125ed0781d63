package why

import (
	"math"
	"testing"

	"github.com/stretchr/testify/require"

	"poolvsloop/internal/predict"
	"poolvsloop/internal/results"
)

// knownOpen is a server that is offered 200 requests/s for 10 s and serves them all: 10 of its 20 workers are busy.
func knownOpen(server string) Seen {
	s := known(server)
	s.Config.Concurrency, s.Config.Rate, s.Config.Arrivals = 50, 200, "poisson"
	s.Figures = results.Figures{DurationS: 10, Sent: 2000, Completed: 2000, GoodputRPS: 200, MeanMS: 51, ServerCPUS: 1}
	s.Own.WorkersS, s.Own.QueueS, s.Own.ServiceS, s.Own.LoopsS, s.OthersCPU = 100, 1, 100, 2, 1
	return s
}

func TestAnOpenLoopIsExplained(t *testing.T) {
	for name, c := range map[string]struct {
		server, limit string
		change        func(*Seen)
		text          []string
		predicted     float64
	}{
		"workers come first": {predict.ThreadPool, Rate, func(*Seen) {}, []string{
			"the 200 requests/s that were offered: 200.0 answered; first to be full: the workers, at about 400 (2.0 times that)",
			"CPU 5 %", "To load it more: raise --rate to 360 (predicted ", "against 200 measured now",
		}, 360},
		"the processors come first": {predict.EventLoop, Rate, func(s *Seen) { s.OthersCPU = 9 },
			[]string{"first to be full: the CPU of the lab, at about 400 (2.0 times that)"}, 360},
		"the generator comes first": {predict.EventLoop, Rate, func(s *Seen) { s.Generator = 0.5 },
			[]string{"first to be full: the load runner, at about 340 (1.7 times that)"}, 310},
		"slow, but served": {predict.ThreadPool, Rate, func(s *Seen) { s.Figures.MeanMS = 500 }, nil, 360},
		"too few workers": {predict.ThreadPool, Workers, func(s *Seen) {
			s.Config.Rate, s.Figures.Sent, s.Figures.Completed, s.Figures.Failed = 800, 8000, 8000, 4000
			s.Figures.GoodputRPS, s.Own.WorkersS, s.Own.ServiceS = 400, 200, 200
		}, []string{
			"the workers (20.00 of 20 workers, 100.0 %): of 800 requests/s offered 400.0 were served", "raise --workers to 45",
			"Not served: 50.0 % of the thread pool's requests; compare goodput.",
		}, 800},
		"nothing served": {predict.ThreadPool, Workers, func(s *Seen) {
			s.Figures.Failed, s.Figures.GoodputRPS, s.Own.WorkersS = 2000, 0, 200
		}, []string{"raise --workers to 40"}, 200},
		"rejected without a reason": {predict.EventLoop, Unknown, func(s *Seen) { s.Figures.Failed = 100 }, []string{"unknown"}, math.NaN()},
		"late downstreams": {predict.ThreadPool, Late, func(s *Seen) { s.LateMS = 8 },
			[]string{"take a lower --rate or longer delays"}, math.NaN()},
	} {
		t.Run(name, func(t *testing.T) {
			s := knownOpen(c.server)
			c.change(&s)
			e := Explain(s)
			require.Equal(t, c.limit, e.Bottleneck)
			text := Text([]Seen{s}, []results.Explanation{e})
			for _, part := range c.text {
				require.Contains(t, text, part)
			}
			require.NotContains(t, text, "clients")
			require.NotContains(t, text, "NaN")
			if math.IsNaN(c.predicted) {
				require.True(t, math.IsNaN(float64(e.PredictedRPS)), e.PredictedRPS)
				return
			}
			require.InEpsilon(t, c.predicted, float64(e.PredictedRPS), 0.05, text)
		})
	}
}

func TestNextOfAnOpenLoop(t *testing.T) {
	for name, c := range map[string]struct {
		change func(pool, loop *Seen)
		want   string
	}{
		"room":          {func(_, _ *Seen) {}, "`loadrunner compare -k --rate 360` offers nearly what"},
		"the generator": {func(_, s *Seen) { s.Generator = 0.9 }, "`loadrunner compare -k --rate 100` measures the servers"},
		"the mistake":   {func(p, _ *Seen) { p.Config.Mistake = "block" }, "`loadrunner compare --rate 200 -k --mistake none` shows"},
		"a pool that rejects": {func(p, _ *Seen) { p.Figures.Failed, p.Figures.GoodputRPS, p.Own.WorkersS = 1000, 100, 200 },
			"`loadrunner compare -k --rate 50` lets both servers keep up"},
		"an attached lab": {func(p, _ *Seen) { p.Config.Lab = "attach" }, "`loadrunner compare -k --rate 360` offers nearly what"},
	} {
		t.Run(name, func(t *testing.T) {
			seen := []Seen{knownOpen(predict.ThreadPool), knownOpen(predict.EventLoop)}
			c.change(&seen[0], &seen[1])
			var all []results.Explanation
			for _, s := range seen {
				resources := Resources(s)
				all = append(all, results.Explanation{Server: s.Server, Resources: resources, Bottleneck: Bottleneck(s, resources)})
			}
			require.Contains(t, NextOpen([]string{"loadrunner", "compare", "--rate", "200", "-k"}, seen[0].Config, seen, all), "Next: "+c.want)
		})
	}
}
