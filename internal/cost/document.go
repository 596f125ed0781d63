package cost

import (
	"cmp"
	"fmt"
	"math"

	"poolvsloop/internal/results"
	"poolvsloop/internal/stats"
)

// Seen is what was measured of both servers. Sides has their names, the first one's first, as the arrays have theirs.
type Seen struct {
	Sides [2]string
	// Margin is the relative difference that is taken for none.
	Margin float64
	// Unkept says why requests have no figure though repetitions were measured, or ""; Withheld why no server may be named.
	Unkept, Withheld string
	// Repetitions are in the order of measuring, those with system calls counted among them.
	Repetitions [2][]results.CostRepetition
	Readings    [2][]results.IdleReading
}

// perRequest are the costs of a request.
var perRequest = []struct {
	name, unit, words string
	// counted says that it is taken of the repetitions in which system calls are counted, otherwise of the others.
	counted bool
	of      func(results.CostRepetition) float64
}{
	{
		name: "server_cpu_per_request", unit: "µs", words: "server CPU per request",
		of: func(r results.CostRepetition) float64 { return r.ServerCPUUSPerRequest },
	},
	{
		name: "ctx_switches_per_request", words: "context switches per request",
		of: func(r results.CostRepetition) float64 { return r.CtxSwitchesPerRequest },
	},
	{
		name: "read_write_calls_per_request", words: "read and write calls per request",
		of: func(r results.CostRepetition) float64 { return float64(r.ReadWriteCallsPerRequest) },
	},
	{
		name: "syscalls_per_request", words: "system calls per request", counted: true,
		of: func(r results.CostRepetition) float64 { return float64(r.SyscallsPerRequest) },
	},
}

// What may be missing altogether.
const (
	OfRequest    = "cost of a request"
	OfConnection = "memory of an idle connection"
)

// ended is why nothing was measured where nothing else is known to be in the way.
const ended = "the run ended before"

// Fill enters into c what the measurements carry: the rows and verdicts, and, for those that have no figure, that they
// have none, unless c says why already.
func Fill(c *results.Cost, s Seen) {
	for i, name := range s.Sides {
		t := results.CostTarget{Name: name, Repetitions: []results.CostRepetition{}, Readings: []results.IdleReading{}}
		t.Repetitions, t.Readings = append(t.Repetitions, s.Repetitions[i]...), append(t.Readings, s.Readings[i]...)
		c.Targets = append(c.Targets, t)
	}
	c.Requests, c.Idle = []results.Comparison{}, []results.IdleCost{}
	if len(s.Repetitions[0]) == 0 || len(s.Repetitions[1]) == 0 || s.Unkept != "" {
		missing(c, OfRequest, cmp.Or(s.Unkept, ended))
	} else {
		fillRequests(c, s)
	}
	if len(s.Readings[0]) == 0 || len(s.Readings[1]) == 0 {
		missing(c, OfConnection, ended)
	} else {
		fillIdle(c, s)
	}
}

// fillRequests enters the costs of a request.
func fillRequests(c *results.Cost, s Seen) {
	var answers []stats.Answer
	var values [][2][]float64
	for _, m := range perRequest {
		first, second := known(s.Repetitions[0], m.counted, m.of), known(s.Repetitions[1], m.counted, m.of)
		if len(first) == 0 || len(second) == 0 {
			missing(c, m.words, "it is not known of both servers: the kernel does not tell, or the run ended before")
			continue
		}
		q := stats.Question{A: s.Sides[1], B: s.Sides[0], Margin: s.Margin}
		answers, values = append(answers, stats.Compare(q, second, first)), append(values, [2][]float64{first, second})
		c.Requests = append(c.Requests, results.Comparison{Metric: m.name, Unit: m.unit, Better: results.Lower})
	}
	stats.Decide(answers)
	for i, row := range c.Requests {
		c.Requests[i] = results.JudgedValues(row, answers[i], values[i][0], values[i][1])
		note(&c.Requests[i], s.Withheld, answers[i], len(answers))
	}
}

// note withholds a verdict, or says how sure one of few repetitions is.
func note(row *results.Comparison, withheld string, answer stats.Answer, family int) {
	named := row.Verdict != stats.Tie && row.Verdict != stats.Inconclusive
	switch {
	case withheld != "":
		row.Verdict, row.Note, row.RoundsToSettle = stats.Inconclusive, withheld, 0
	case named && !stats.Corrected(answer.RoundsA, answer.RoundsB, family):
		row.Note = fmt.Sprintf("%d repetitions: an indication", min(answer.RoundsA, answer.RoundsB))
	}
}

// known are the figures of the repetitions that have one.
func known(all []results.CostRepetition, counted bool, of func(results.CostRepetition) float64) []float64 {
	var figures []float64
	for _, r := range all {
		if x := of(r); r.Counted == counted && !math.IsNaN(x) {
			figures = append(figures, x)
		}
	}
	return figures
}

// perConnection are the costs of an idle connection.
var perConnection = []struct {
	name, words string
	of          func(results.IdleReading) float64
}{
	{"rss", "server memory of an idle connection", func(r results.IdleReading) float64 { return float64(r.RSSBytes) }},
	{"kernel_memory", "kernel memory of an idle connection", func(r results.IdleReading) float64 { return float64(r.KernelBytes) }},
	{"tcp_buffers", "socket buffers of an idle connection", func(r results.IdleReading) float64 { return float64(r.TCPBufferBytes) }},
}

// fillIdle enters the costs of an idle connection.
func fillIdle(c *results.Cost, s Seen) {
	for _, m := range perConnection {
		first, err := slope(s.Readings[0], m.of)
		second, failed := slope(s.Readings[1], m.of)
		if err != nil || failed != nil {
			missing(c, m.words, "there are too few readings of both servers")
			continue
		}
		row := results.IdleCost{Metric: m.name, Unit: "KiB", ThreadPool: shown(first), EventLoop: shown(second)}
		row.Difference.KiB, row.Difference.CILow, row.Difference.CIHigh = Apart(first, second)
		row.Verdict = verdict(row, s)
		c.Idle = append(c.Idle, row)
	}
}

// slope is the line of the readings that have a figure, in KiB.
func slope(all []results.IdleReading, of func(results.IdleReading) float64) (Line, error) {
	var points []Point
	for _, r := range all {
		if bytes := of(r); !math.IsNaN(bytes) {
			points = append(points, Point{float64(r.Connections), bytes / 1024})
		}
	}
	return Fit(points)
}

func shown(l Line) results.Slope { return results.Slope{KiB: l.Slope, CILow: l.Low, CIHigh: l.High} }

// nothing is a difference in KiB a connection that is none, whatever the slopes: ten bytes.
const nothing = 0.01

// verdict names the server whose connections take less: when the interval of the difference lies on one side of 0, and
// not wholly within the margin of the larger slope.
func verdict(row results.IdleCost, s Seen) string {
	d := row.Difference
	within := max(nothing, s.Margin*max(math.Abs(row.ThreadPool.KiB), math.Abs(row.EventLoop.KiB)))
	switch {
	case s.Withheld != "":
		return stats.Inconclusive
	case d.CILow >= -within && d.CIHigh <= within:
		return stats.Tie
	case d.CILow > 0:
		return s.Sides[0]
	case d.CIHigh < 0:
		return s.Sides[1]
	}
	return stats.Inconclusive
}

// missing says that there is no figure, unless it is said already.
func missing(c *results.Cost, what, why string) {
	for _, n := range c.NotMeasured {
		if n.What == what {
			return
		}
	}
	c.NotMeasured = append(c.NotMeasured, results.NotMeasured{What: what, Why: why})
}
