package compare

import (
	"errors"
	"math"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/spf13/pflag"
	"github.com/stretchr/testify/require"

	"poolvsloop/internal/cost"
	"poolvsloop/internal/load"
	"poolvsloop/internal/report"
	"poolvsloop/internal/results"
)

// costEvidence is a sound run with costs: the pool needs twice the CPU time of the loop.
func costEvidence() *Evidence {
	e := soundEvidence(4)
	e.Config.Cost = true
	c := &CostEvidence{
		Rate: 100, RateFrom: "half of what the slower server answered in the rounds", Duration: 2 * time.Second,
		Connections: cost.Steps(4000), ConnectionsFrom: "the default", Readings: map[Server][]results.IdleReading{},
	}
	for n := range 2 * (cost.Full.Repetitions + cost.Full.Counted) {
		c.Repetitions = append(c.Repetitions, soundRepetition(n, c.Duration))
	}
	for i, server := range sides(e.Config) {
		for pass := range cost.Full.Passes {
			for _, n := range c.Connections {
				bytes := int64(30<<20 + n*(4096>>i))
				c.Readings[server] = append(c.Readings[server], results.IdleReading{
					Pass: pass + 1, Connections: n, Open: n, Threads: 12, RSSBytes: bytes, KernelBytes: results.Number(bytes), TCPBufferBytes: 4096,
				})
			}
		}
	}
	e.Cost = c
	return e
}

// soundRepetition is one of 200 requests that come evenly and take 10 ms each.
func soundRepetition(n int, window time.Duration) Repetition {
	server, times := ThreadPool, 2.0
	if n%2 == 1 {
		server, times = EventLoop, 1.0
	}
	m := sound(Slot{Order: n + 1, Round: n/2 + 1, Server: server}, 200, 10_000)
	m.Open, m.Load.Duration = true, window+10*time.Millisecond
	for i := range m.Load.Samples {
		m.Load.Samples[i].Start = int64(i) * window.Microseconds() / 200
	}
	m.Usage.CPUSeconds *= times * (1 + float64(n)/1000)
	m.Usage.ReadWriteCalls, m.Syscalls = 1600, math.NaN()
	counted := n >= 2*cost.Full.Repetitions
	if counted {
		m.Syscalls = 4000 * times
	}
	return Repetition{m, counted}
}

func TestCostsAreWrittenDown(t *testing.T) {
	run := costEvidence().Run()
	require.True(t, run.Valid, run.InvalidReasons)
	c := run.Cost
	require.InDelta(t, 100, c.RateRPS, 0)
	require.InDelta(t, 2, c.RepetitionS, 0)
	require.Len(t, c.Targets[0].Repetitions, 10)
	require.Equal(t, "eventloop", c.Requests[0].Verdict)
	require.InDelta(t, 0.5, float64(c.Requests[0].Ratio), 0.02)
	require.InDelta(t, 8, c.Requests[2].EventLoop, 1e-9, "1600 calls for 200 requests")
	require.InDelta(t, 40, c.Requests[3].ThreadPool, 1e-9)
	require.InDelta(t, 4, c.Idle[0].ThreadPool.KiB, 1e-9)
	require.Equal(t, "eventloop", c.Idle[0].Verdict)
	require.Empty(t, c.NotMeasured)
	for _, name := range []string{"cost_books", "cost_answers", "cost_ledgers", "cost_rate_reached", "cost_sent_on_time", "cost_idle_connections"} {
		require.Equal(t, results.Passed, checkOf(t, run, name).Status, name)
	}

	text := report.Text(run)
	requireWidth(t, text)
	for _, part := range []string{
		"Cost of a request, both servers at 100 requests/s (half of what the slower server answered in the\n",
		"medians of 6 repetitions of 2 s)", "  server CPU per request [µs] ", "  system calls per request ", "in 4 repetitions of their own",
		"Cost of an idle keep-alive connection (slope over 0, 500, 1000, 2000, 4000 of them",
		"  memory (RSS) [KiB] 4.00 (4.00..4.00)     2.00 (2.00..2.00)     -2.00 (-2.00..-2.00)  eventloop\n",
	} {
		require.Contains(t, text, part)
	}
	require.NotContains(t, text, "Not measured")
	markdown := report.Markdown(run)
	require.Contains(t, markdown, "| memory (RSS) [KiB] | 4.00 (4.00..4.00) | 2.00 (2.00..2.00) | -2.00 (-2.00..-2.00) | eventloop |\n")
	require.Contains(t, markdown, "| cost of a request | threadpool | eventloop | ratio | 95 % interval | verdict |\n")
	require.Nil(t, soundEvidence(2).Run().Cost)
	require.NotContains(t, report.Text(soundEvidence(2).Run()), "Cost of")
}

func TestCostsThatProveNothing(t *testing.T) {
	for name, c := range map[string]struct {
		ruin   func(*CostEvidence)
		check  string
		status string
		figure float64
		unkept bool
	}{
		"a request without an outcome":  {func(c *CostEvidence) { c.Repetitions[3].Load.Answered-- }, "cost_books", results.Failed, 1, false},
		"a request that was not served": {func(c *CostEvidence) { c.Repetitions[3].Load.OK2xx = 199 }, "cost_answers", results.Warning, 0.5, false},
		"more of them":                  {func(c *CostEvidence) { c.Repetitions[3].Load.OK2xx = 197 }, "cost_answers", results.Failed, 1.5, true},
		"a wrong answer":                {func(c *CostEvidence) { c.Repetitions[3].Load.Wrong = 1 }, "cost_answers", results.Warning, 0.5, false},
		"a call too many":               {func(c *CostEvidence) { c.Repetitions[3].B.Calls++ }, "cost_ledgers", results.Failed, 1, false},
		"requests that were dropped": {func(c *CostEvidence) {
			c.Repetitions[3].Load.Planned, c.Repetitions[3].Load.Dropped = 250, 50
		}, "cost_answers", results.Failed, 20, true},
		"a server that does not keep up": {func(c *CostEvidence) {
			slowDown(c, EventLoop, len(c.Repetitions))
		}, "cost_rate_reached", results.Failed, 50, true},
		"a stall of one repetition": {func(c *CostEvidence) { slowDown(c, EventLoop, 1) }, "cost_rate_reached", results.Warning, 5, false},
		"sent late":                 {func(c *CostEvidence) { c.Repetitions[3].Load.Late = 20 }, "cost_sent_on_time", results.Failed, 10, false},
		"a connection ended":        {func(c *CostEvidence) { c.Readings[EventLoop][7].Open-- }, "cost_idle_connections", results.Failed, 1, false},
	} {
		t.Run(name, func(t *testing.T) {
			e := costEvidence()
			c.ruin(e.Cost)
			run := e.Run()
			check := checkOf(t, run, c.check)
			require.Equal(t, c.status, check.Status, check.Detail)
			requireBounds(t, run)
			require.InDelta(t, c.figure, float64(check.Figure), 1)
			require.Equal(t, c.status != results.Failed, run.Valid)
			named := "eventloop"
			if !run.Valid {
				named = "inconclusive"
			}
			require.Equal(t, c.unkept, len(run.Cost.Requests) == 0, "no figure of a rate that was not kept")
			if c.unkept {
				require.Contains(t, report.Text(run), "Not measured: cost of a request: the rate was not kept by both servers")
			} else {
				require.Equal(t, named, run.Cost.Requests[0].Verdict)
			}
			require.Equal(t, named, run.Cost.Idle[0].Verdict)
		})
	}
	e := costEvidence()
	e.Cost.Readings[EventLoop][7].Open--
	e.Cost.Lost = "eventloop: open idle connection 5 of 9: refused"
	require.Contains(t, checkOf(t, e.Run(), "cost_idle_connections").Detail, e.Cost.Lost)
}

// slowDown has each request in so many repetitions of a server take 10 ms more than the one before.
func slowDown(c *CostEvidence, server Server, repetitions int) {
	for _, r := range c.Repetitions {
		if r.Server != server || repetitions == 0 {
			continue
		}
		repetitions--
		for i := range r.Load.Samples {
			r.Load.Samples[i].Total *= uint32(i)
		}
	}
}

func TestCostsOfARunThatEndedBefore(t *testing.T) {
	e := costEvidence()
	e.Cost = &CostEvidence{Connections: cost.Steps(64)}
	e.Stopped = errors.New("the servers do not answer alike")
	require.Nil(t, e.Run().Cost)

	e = costEvidence()
	e.Cost.Repetitions, e.Cost.Readings = e.Cost.Repetitions[:3], nil
	e.Interrupted = true
	run := e.Run()
	require.False(t, run.Valid)
	require.Empty(t, run.Cost.Idle)
	require.NotEmpty(t, run.Cost.Requests)
	requireWidth(t, report.Text(run))
	require.Contains(t, report.Text(run), "Not measured: memory of an idle connection: the run ended before")
	require.Contains(t, report.Markdown(run), "Not measured: system calls per request:")
}

func TestCostRate(t *testing.T) {
	e := soundEvidence(4)
	rate, from := costRate(e.Config, e.Rounds)
	require.InDelta(t, 120, rate, 1e-9, "10 clients, 40 ms: half of 250, cut")
	require.Contains(t, from, "half of")
	e.Config.CostRate = 77.5
	rate, from = costRate(e.Config, e.Rounds)
	require.InDelta(t, 77.5, rate, 0)
	require.Equal(t, "--cost-rate", from)
}

func TestIdleConnections(t *testing.T) {
	own, err := load.MostConnections()
	require.NoError(t, err)
	if own < cost.MostConnections+spare {
		t.Skip("the limit of descriptors is too low here")
	}
	pool, loop := func(pairs ...string) results.Settings { return settingsOf(pairs) }, func(pairs ...string) results.Settings { return settingsOf(pairs) }
	for name, c := range map[string]struct {
		asked      int
		pool, loop results.Settings
		want       int
		says       string
	}{
		"nothing told":    {0, pool(), loop(), 4000, "the default"},
		"room":            {0, pool("limits.max_conns", "10000"), loop("limits.max_conns", "10000"), 4000, "the default"},
		"one is bound":    {0, pool("limits.max_conns", "10000"), loop("limits.max_conns", "1064"), 1000, "--max-conns of eventloop"},
		"asked for":       {5000, pool("limits.max_conns", "10000"), loop(), 5000, "--cost-connections"},
		"asked too much":  {5000, pool(), loop("limits.max_conns", "1064"), 0, "--cost-connections 5000: --max-conns of eventloop, which the descriptors cut allows 1000"},
		"workers keep":    {0, pool("workers", "200", "dispatch", "connection"), loop(), 200, "--workers of threadpool"},
		"workers do not":  {0, pool("workers", "200", "dispatch", "request"), loop(), 4000, "the default"},
		"few workers":     {100, pool("workers", "20", "dispatch", "connection"), loop(), 0, "each connection keeps one (--dispatch=connection) allows 20"},
		"no room at all":  {0, pool("limits.max_conns", "10"), loop(), 0, "--max-conns of threadpool"},
		"more than there": {own, pool(), loop(), 0, "the descriptor limit of the load runner"},
	} {
		t.Run(name, func(t *testing.T) {
			most, from, err := idleConnections(results.Config{CostConnections: c.asked}, Sides{ThreadPool, EventLoop},
				map[Server]results.Settings{ThreadPool: c.pool, EventLoop: c.loop})
			require.Equal(t, c.want, most)
			if err != nil {
				from = err.Error()
			}
			require.Contains(t, from, c.says)
			require.Equal(t, c.want == 0 && c.asked > 0, err != nil)
		})
	}
}

func settingsOf(pairs []string) results.Settings {
	s := results.Settings{}
	for i := 0; i < len(pairs); i += 2 {
		s[pairs[i]] = pairs[i+1]
	}
	return s
}

func TestCostFlags(t *testing.T) {
	own, err := load.MostConnections()
	require.NoError(t, err)
	for args, says := range map[string]string{
		"":                             "",
		"--cost":                       "",
		"--cost --cost-rate 100":       "",
		"--cost --same eventloop":      "",
		"--cost --rate 100":            "",
		"--cost-rate 100":              "--cost-rate needs --cost",
		"--cost-connections 100":       "--cost-connections needs --cost",
		"--cost --cost-rate -1":        "--cost-rate -1: want 0 to",
		"--cost --cost-connections 63": "--cost-connections 63: want 64 or more",
		"--cost --with idle=5":         "take it without --with",
		"--rounds 9900":                "--rounds 9900: want 1 to 9899",
		"--cost --cost-connections " + strconv.Itoa(own): "the limit of descriptors allows",
	} {
		t.Run(args, func(t *testing.T) {
			_, err := parse(t, strings.Fields(args)...)
			if says == "" {
				require.NoError(t, err)
				return
			}
			require.ErrorContains(t, err, says)
		})
	}
}

func TestBehindIsUnknownWithoutSamples(t *testing.T) {
	require.True(t, math.IsNaN(behind(&load.Result{}, time.Second)))
}

func TestFewDescriptorsConcernCostsAlone(t *testing.T) {
	for name, c := range map[string]struct {
		config results.Config
		most   int
		says   string
	}{
		"no costs":       {results.Config{}, 0, ""},
		"costs":          {results.Config{Cost: true}, 0, "--cost-connections 64: the limit of descriptors allows 0; raise it with ulimit -n"},
		"just enough":    {results.Config{Cost: true}, cost.LeastConnections, ""},
		"asked too many": {results.Config{Cost: true, CostConnections: 101}, 100, "--cost-connections 101: the limit of descriptors allows 100"},
		"asked":          {results.Config{Cost: true, CostConnections: 100}, 100, ""},
	} {
		t.Run(name, func(t *testing.T) {
			err := checkCost(pflag.NewFlagSet("", pflag.ContinueOnError), c.config, c.most)
			if c.says == "" {
				require.NoError(t, err)
				return
			}
			require.ErrorContains(t, err, c.says)
		})
	}
}
