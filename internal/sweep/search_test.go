package sweep

import (
	"fmt"
	"math"
	"strconv"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"poolvsloop/internal/results"
	"poolvsloop/internal/stats"
)

// walk makes the steps of a search for servers of these capacities; from valid on measurements say nothing.
func walk(s Search, capacities [2]float64, valid float64) []Step {
	var steps []Step
	for {
		load, more := s.Next(steps)
		if !more {
			return steps
		}
		step := Step{Load: load}
		for server, capacity := range capacities {
			switch {
			case load >= valid:
				step.Outcomes[server] = Unknown
			case load <= capacity:
				step.Outcomes[server] = Kept
			default:
				step.Outcomes[server] = Broken
			}
		}
		steps = append(steps, step)
	}
}

func TestSearch(t *testing.T) {
	for name, c := range map[string]struct {
		search     Search
		capacities [2]float64
		valid      float64
		kept       [2]float64 // lowest that may be found
		broken     [2]float64 // highest that may be found, 0 for none
		steps      int
	}{
		"two servers":        {Search{From: 10, To: 4000, Steps: 50}, [2]float64{390, 1500}, math.Inf(1), [2]float64{371, 1425}, [2]float64{410, 1580}, 18},
		"alike":              {Search{From: 10, To: 4000, Steps: 50}, [2]float64{390, 390}, math.Inf(1), [2]float64{371, 371}, [2]float64{410, 410}, 14},
		"nothing is kept":    {Search{From: 10, To: 4000, Steps: 50}, [2]float64{1, 1}, math.Inf(1), [2]float64{0, 0}, [2]float64{10, 10}, 1},
		"all is kept":        {Search{From: 10, To: 100, Steps: 50}, [2]float64{5000, 5000}, math.Inf(1), [2]float64{100, 100}, [2]float64{0, 0}, 5},
		"few whole numbers":  {Search{From: 1, To: 8, Steps: 50}, [2]float64{3, 5}, math.Inf(1), [2]float64{3, 5}, [2]float64{4, 6}, 7},
		"nothing is known":   {Search{From: 10, To: 4000, Steps: 50}, [2]float64{390, 1500}, 1, [2]float64{0, 0}, [2]float64{0, 0}, 2},
		"not known from 500": {Search{From: 10, To: 4000, Steps: 50}, [2]float64{390, 1500}, 500, [2]float64{371, 475}, [2]float64{410, 0}, 18},
		"few steps":          {Search{From: 10, To: 4000, Steps: 4}, [2]float64{390, 1500}, math.Inf(1), [2]float64{80, 80}, [2]float64{0, 0}, 4},
	} {
		t.Run(name, func(t *testing.T) {
			steps := walk(c.search, c.capacities, c.valid)
			require.LessOrEqual(t, len(steps), c.steps, "%v", steps)
			for server := range 2 {
				b := BracketOf(steps, server)
				require.GreaterOrEqual(t, b.Kept, c.kept[server])
				require.LessOrEqual(t, b.Kept, c.capacities[server])
				require.LessOrEqual(t, b.Broken, c.broken[server])
				require.Equal(t, c.broken[server] == 0, b.Broken == 0)
			}
		})
	}
}

// Any search ends, goes on from any of its steps as it went, and has the truth in its brackets.
func TestSearchOfAnyServers(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s := Search{From: float64(rapid.IntRange(1, 100).Draw(t, "from")), Steps: rapid.IntRange(1, 50).Draw(t, "steps")}
		s.To = s.From + float64(rapid.IntRange(0, 100_000).Draw(t, "more"))
		capacities := [2]float64{rapid.Float64Range(0, 2e5).Draw(t, "first"), rapid.Float64Range(0, 2e5).Draw(t, "second")}
		steps := walk(s, capacities, rapid.Float64Range(0, 1e6).Draw(t, "valid"))
		require.LessOrEqual(t, len(steps), s.Steps)
		for i, step := range steps {
			load, more := s.Next(steps[:i])
			require.True(t, more && load == step.Load)
			require.True(t, load >= s.From && load <= s.To && load == math.Trunc(load))
		}
		for server, capacity := range capacities {
			b := BracketOf(steps, server)
			require.LessOrEqual(t, b.Kept, capacity)
			require.True(t, b.Broken == 0 || b.Broken > capacity)
		}
	})
}

// searched is a sweep with a search, in which p99 is a second divided by what a server has to spare.
func searched(t *testing.T, change func(load float64, run *results.Run)) *Sweep {
	t.Helper()
	p := plan(t, "workers=20")
	p.Search = &Search{Over: "rate", Conditions: []string{"p99<100ms"}, From: 10, To: 1000, Steps: 30}
	bounds, err := ParseBounds(p.Search.Conditions)
	require.NoError(t, err)
	var entries []Entry
	var steps []Step
	runs := map[string]*results.Run{}
	for {
		load, more := p.Search.Next(steps)
		if !more {
			break
		}
		e := Entry{Cell: 1, Step: len(steps) + 1, Position: 1, Settings: map[string]string{"workers": "20", "rate": strconv.Itoa(int(load))}}
		run := fake(Cell{Number: e.Step, Settings: e.Settings}, load, load)
		for i, most := range []float64{300, 600} {
			run.Targets[i].Total = results.Figures{Requests: 5000, Sent: 5000, Completed: 5000, P99MS: 1e3 / max(0.1, most+10-load)}
		}
		change(load, run)
		step, _ := stepOf(e, p.Search, run, bounds)
		entries, steps, runs[e.Name()] = append(entries, e), append(steps, step), run
	}
	s, err := assemble(p, entries, func(e Entry) (*results.Run, error) { return runs[e.Name()], nil })
	require.NoError(t, err)
	validate(t, s)
	require.True(t, s.Complete)
	return s
}

func TestCapacity(t *testing.T) {
	s := searched(t, func(float64, *results.Run) {})
	require.Len(t, s.Capacities, 1)
	c := s.Capacities[0]
	require.Equal(t, map[string]string{"workers": "20"}, c.Settings)
	pool, loop := c.Servers[0], c.Servers[1]
	require.InDelta(t, 300, float64(pool.Kept), 15)
	require.InDelta(t, 300, float64(pool.Broken), 16)
	require.InDelta(t, 600, float64(loop.Kept), 30)
	require.Equal(t, "eventloop", c.Ahead)
	require.Greater(t, float64(c.AtLeast), 1.8)
	require.Less(t, float64(c.AtMost), 2.2)
	require.Empty(t, s.Scaling)
	require.Empty(t, s.Crossings)
	require.Equal(t, []string{"workers", "rate"}, s.Knobs())
}

func TestCapacityOfRunsThatAreNotValid(t *testing.T) {
	s := searched(t, func(load float64, run *results.Run) {
		if load > 400 {
			run.Valid, run.Checks = false, []results.Check{{Name: "generator_not_the_limit", Detail: "too fast"}}
		}
	})
	pool, loop := s.Capacities[0].Servers[0], s.Capacities[0].Servers[1]
	require.InDelta(t, 300, float64(pool.Kept), 15)
	require.InDelta(t, 300, float64(pool.Broken), 16)
	require.InDelta(t, 400, float64(loop.Kept), 20)
	require.True(t, math.IsNaN(float64(loop.Broken)))
	require.InDelta(t, 400, float64(loop.Unknown), 20)
	require.Contains(t, loop.Note, "say nothing")
	require.Equal(t, "eventloop", s.Capacities[0].Ahead)
	require.True(t, math.IsNaN(float64(s.Capacities[0].AtMost)))
}

func TestCapacityIsNotMonotone(t *testing.T) {
	s := searched(t, func(load float64, run *results.Run) {
		if load == 80 {
			run.Targets[1].Total.P99MS = 500 // bad luck
		}
	})
	loop := s.Capacities[0].Servers[1]
	require.Contains(t, loop.Note, "kept again")
	require.Less(t, float64(loop.Kept), 80.0)
}

func TestJudge(t *testing.T) {
	for name, c := range map[string]struct {
		bounds  []string
		change  func(*results.Run)
		outcome string
		why     string
	}{
		"kept":                     {[]string{"p99<100ms"}, func(*results.Run) {}, Kept, ""},
		"broken":                   {[]string{"p99<100ms", "mean<1s"}, func(r *results.Run) { r.Targets[0].Total.P99MS = 100 }, Broken, "p99 is 100 ms"},
		"rejections are quick":     {[]string{"p99<100ms"}, func(r *results.Run) { r.Targets[0].Total.Failed = 51 }, Broken, "errors is 1.02 %"},
		"rejections are allowed":   {[]string{"p99<100ms", "errors<=5%"}, func(r *results.Run) { r.Targets[0].Total.Failed = 51 }, Kept, ""},
		"dropped are errors":       {[]string{"p99<100ms"}, func(r *results.Run) { r.Targets[0].Total.Dropped = 51 }, Broken, "errors"},
		"too few answers":          {[]string{"p99.9<100ms"}, func(r *results.Run) { r.Targets[0].Total.Completed = 100 }, Unknown, "p99.9 needs"},
		"no answer":                {[]string{"p99<100ms"}, func(r *results.Run) { r.Targets[0].Total = results.Figures{Requests: 9, Sent: 9, Failed: 9} }, Broken, "errors is 100 %"},
		"late downstream":          {[]string{"p99<100ms"}, func(r *results.Run) { r.LateTail, r.Targets[0].Total.P99MS = true, 500 }, Unknown, "a downstream was late"},
		"kept though one was late": {[]string{"p99<100ms"}, func(r *results.Run) { r.LateTail = true }, Kept, ""},
		"not valid":                {[]string{"p99<100ms"}, func(r *results.Run) { r.Checks = []results.Check{{Name: "sent_on_time", Detail: "late"}} }, Unknown, "sent_on_time: late"},
		"overloaded":               {[]string{"p99<100ms"}, func(r *results.Run) { r.Checks = []results.Check{{Name: "answers"}} }, Kept, ""},
		"does not keep up": {[]string{"p99<100ms"}, func(r *results.Run) {
			r.Targets[0].Steady = []results.Course{{Verdict: stats.Drifting}, {Verdict: stats.Flat}, {Verdict: stats.Drifting}}
		}, Broken, "rose all through 2 of 3"},
		"goodput": {[]string{"goodput>=900"}, func(r *results.Run) { r.Targets[0].Total.GoodputRPS = 899 }, Broken, "goodput is 899/s"},
	} {
		t.Run(name, func(t *testing.T) {
			run := fake(Cell{Number: 1, Settings: map[string]string{"concurrency": "5"}}, 1000, 1000)
			run.Targets[0].Total = results.Figures{Requests: 5000, Sent: 5000, Completed: 5000, P99MS: 50, P999MS: 60, MeanMS: 5}
			c.change(run)
			bounds, err := ParseBounds(c.bounds)
			require.NoError(t, err)
			outcome, why := judge(run, 0, bounds)
			require.Equal(t, c.outcome, outcome, why)
			require.Contains(t, why, c.why)
		})
	}
}

func TestParseBoundsRefuses(t *testing.T) {
	for text, says := range map[string]string{
		"p98.5<1ms": "want one of errors, goodput, max",
		"p99<1":     "want us, ms, s or m",
		"":          "want a metric first",
	} {
		_, err := ParseBounds([]string{text})
		require.ErrorContains(t, err, says)
	}
	_, err := ParseBounds([]string{"p99<1"})
	require.NotContains(t, fmt.Sprint(err), "want one of")
}
