package cost

import (
	"testing"

	"github.com/stretchr/testify/require"

	"poolvsloop/internal/results"
	"poolvsloop/internal/stats"
)

// seen is a thread pool that costs twice what the event loop does, in every respect.
func seen() Seen {
	s := Seen{Sides: [2]string{"threadpool", "eventloop"}, Margin: 0.03}
	for i, times := range []float64{2, 1} {
		for n := range Full.Repetitions + Full.Counted {
			x := times * (1 + float64(n)/1000)
			r := results.CostRepetition{
				Counted: n >= Full.Repetitions, ServerCPUUSPerRequest: 300 * x, CtxSwitchesPerRequest: 8 * x,
				ReadWriteCallsPerRequest: results.Number(8 * x), SyscallsPerRequest: results.Unknown,
			}
			if r.Counted {
				r.ServerCPUUSPerRequest, r.SyscallsPerRequest = 1e6, results.Number(20*x)
			}
			s.Repetitions[i] = append(s.Repetitions[i], r)
		}
		for pass := range Full.Passes {
			for _, n := range Steps(4000) {
				bytes := (12e3 + float64(pass)*10 + 4*times*float64(n)) * 1024
				s.Readings[i] = append(s.Readings[i], results.IdleReading{
					Pass: pass + 1, Connections: n, Open: n, RSSBytes: int64(bytes), KernelBytes: results.Number(bytes), TCPBufferBytes: 8192,
				})
			}
		}
	}
	return s
}

func verdicts(c *results.Cost) map[string]string {
	all := map[string]string{}
	for _, r := range c.Requests {
		all[r.Metric] = r.Verdict
	}
	for _, r := range c.Idle {
		all[r.Metric] = r.Verdict
	}
	return all
}

func TestFill(t *testing.T) {
	var c results.Cost
	Fill(&c, seen())
	require.Empty(t, c.NotMeasured)
	require.Equal(t, map[string]string{
		"server_cpu_per_request": "eventloop", "ctx_switches_per_request": "eventloop", "read_write_calls_per_request": "eventloop",
		"syscalls_per_request": "eventloop", "rss": "eventloop", "kernel_memory": "eventloop", "tcp_buffers": stats.Tie,
	}, verdicts(&c))
	require.InDelta(t, 0.5, float64(c.Requests[0].Ratio), 0.01)
	require.InDelta(t, 601.5, c.Requests[0].ThreadPool, 1e-9, "the counted ones are left out")
	require.InDelta(t, 40.3, c.Requests[3].ThreadPool, 0.1, "and are all that count here")
	require.Empty(t, c.Requests[0].Note)
	require.Equal(t, "4 repetitions: an indication", c.Requests[3].Note)
	require.InDelta(t, 8, c.Idle[0].ThreadPool.KiB, 1e-3)
	require.InDelta(t, 4, c.Idle[0].EventLoop.KiB, 1e-3)
	require.InDelta(t, -4, c.Idle[0].Difference.KiB, 1e-3)
	require.Equal(t, []string{"threadpool", "eventloop"}, []string{c.Targets[0].Name, c.Targets[1].Name})
	require.Len(t, c.Targets[1].Repetitions, 10)
	require.Len(t, c.Targets[1].Readings, 10)
}

func TestAServerIsNamedOnlyBeyondTheMarginAndTheScatter(t *testing.T) {
	for name, c := range map[string]struct {
		change func(*Seen)
		metric string
		want   string
	}{
		"the first one":     {func(s *Seen) { s.Readings[0], s.Readings[1] = s.Readings[1], s.Readings[0] }, "rss", "threadpool"},
		"alike":             {func(s *Seen) { s.Readings[1] = s.Readings[0] }, "rss", stats.Tie},
		"within the margin": {func(s *Seen) { s.Margin = 0.6 }, "rss", stats.Tie},
		"scattered": {func(s *Seen) {
			for i := range s.Readings[0] {
				s.Readings[0][i].RSSBytes += int64(i*i%7) * 20e6
			}
		}, "rss", stats.Inconclusive},
		"equal repetitions":       {func(s *Seen) { s.Repetitions[1] = s.Repetitions[0] }, "server_cpu_per_request", stats.Tie},
		"not valid, a request":    {func(s *Seen) { s.Withheld = "the run is not valid" }, "server_cpu_per_request", stats.Inconclusive},
		"not valid, a connection": {func(s *Seen) { s.Withheld = "the run is not valid" }, "rss", stats.Inconclusive},
	} {
		t.Run(name, func(t *testing.T) {
			s := seen()
			c.change(&s)
			var got results.Cost
			Fill(&got, s)
			require.Equal(t, c.want, verdicts(&got)[c.metric])
		})
	}
}

func TestWhatWasNotMeasuredIsSaid(t *testing.T) {
	s := seen()
	for i := range s.Repetitions {
		s.Repetitions[i] = s.Repetitions[i][:Full.Repetitions]
		for n := range s.Readings[i] {
			s.Readings[i][n].KernelBytes = results.Unknown
		}
	}
	for n := range s.Repetitions[1] {
		s.Repetitions[1][n].ReadWriteCallsPerRequest = results.Unknown
	}
	c := results.Cost{NotMeasured: []results.NotMeasured{{What: "system calls per request", Why: "permission denied"}}}
	Fill(&c, s)
	require.Equal(t, []results.NotMeasured{
		{What: "system calls per request", Why: "permission denied"},
		{What: "read and write calls per request", Why: "it is not known of both servers: the kernel does not tell, or the run ended before"},
		{What: "kernel memory of an idle connection", Why: "there are too few readings of both servers"},
	}, c.NotMeasured)
	require.Len(t, c.Requests, 2)
	require.Len(t, c.Idle, 2)

	var nothing results.Cost
	Fill(&nothing, Seen{Sides: s.Sides})
	require.Equal(t, []results.NotMeasured{{What: OfRequest, Why: ended}, {What: OfConnection, Why: ended}}, nothing.NotMeasured)
	require.NotNil(t, nothing.Requests, "an empty list, not null")
	require.NotNil(t, nothing.Idle, "an empty list, not null")

	said := results.Cost{NotMeasured: []results.NotMeasured{{What: OfRequest, Why: "there was no rate"}}}
	Fill(&said, Seen{Sides: s.Sides, Readings: s.Readings})
	require.Equal(t, "there was no rate", said.NotMeasured[0].Why, "said once")
}

func TestARateThatWasNotKeptHasNoFigure(t *testing.T) {
	s := seen()
	s.Unkept = "the rate was not kept by both servers"
	var c results.Cost
	Fill(&c, s)
	require.Empty(t, c.Requests)
	require.Len(t, c.Idle, 3, "an idle connection has nothing to do with it")
	require.Equal(t, []results.NotMeasured{{What: OfRequest, Why: s.Unkept}}, c.NotMeasured)
	require.Len(t, c.Targets[0].Repetitions, 10, "the evidence stays")
}
