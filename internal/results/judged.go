package results

import (
	"math"

	"poolvsloop/internal/stats"
)

// Judged is what run.json says of a metric of two sides, from what their rounds carry: the figures of the first side are
// entered under ThreadPool, those of the second one under EventLoop. What is not known is [Unknown].
func Judged(m Metric, answer stats.Answer, first, second []Figures) Comparison {
	row := Comparison{Metric: m.Name, Unit: m.Unit, Better: m.Better}
	return JudgedValues(row, answer, m.Values(first), m.Values(second))
}

// JudgedValues enters into a row of which the metric is known what the figures of both sides carry.
func JudgedValues(r Comparison, answer stats.Answer, first, second []float64) Comparison {
	r.ThreadPool, r.EventLoop = stats.Summarize(first).Median, stats.Summarize(second).Median
	r.Ratio, r.CILow, r.CIHigh, r.PValue, r.PHolm = Unknown, Unknown, Unknown, Unknown, Unknown
	r.Verdict, r.RoundsToSettle = answer.Verdict, answer.Settle
	if answer.Ratio > 0 {
		r.Ratio = Number(answer.Ratio)
	}
	if answer.High > 0 {
		r.CILow, r.CIHigh = Number(answer.Low), Number(answer.High)
		r.PValue, r.PHolm = Number(answer.P), Number(answer.Holm)
	}
	return r
}

// GivenByRate says whether a metric of an open loop says only what was offered, since both sides served all of it; a and b
// are their figures over all rounds.
func GivenByRate(c Config, m Metric, a, b Figures) bool {
	if !c.Open() || m.Name != "throughput" && m.Name != "goodput" {
		return false
	}
	first, second := m.Of(a), m.Of(b)
	return first > 0 && math.Abs(second/first-1) <= c.Margin
}

// Fewest are the least numbers of requests sent and of answers in a round. There is one round at least.
func Fewest(rounds []Figures) (sent, answered int) {
	sent, answered = rounds[0].Sent, rounds[0].Completed
	for _, r := range rounds {
		sent, answered = min(sent, r.Sent), min(answered, r.Completed)
	}
	return sent, answered
}
