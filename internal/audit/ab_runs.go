package audit

import (
	"fmt"
	"math"
)

// percentile is the row of ab's percentiles for that share, or an unknown figure.
func (a *abRun) percentile(q float64) figure {
	for _, p := range a.quantiles {
		if p.q == q {
			return p.figure
		}
	}
	return figure{}
}

// maxApart says that the two longest times differ. ab prints both from the same sorted times.
func (a *abRun) maxApart() bool {
	longest := a.percentile(1)
	return longest.known() && a.whole.max.known() && longest.value != a.whole.max.value
}

// medianApart says that the two medians differ by more than ten times the usual distance between neighbouring times
// about the median, and the rounding: they are at most one rank apart.
func (a *abRun) medianApart() bool {
	half, above := a.percentile(0.5), a.percentile(0.66)
	if !half.known() || !above.known() || !a.whole.median.known() || !a.complete.positive() {
		return false
	}
	gap := (above.value-half.value)/(0.16*a.complete.value) + (half.value-a.whole.min.value)/(0.5*a.complete.value)
	return math.Abs(half.value-a.whole.median.value) > 1+10*gap
}

func (a *abRun) isSpliced() bool { return a.maxApart() || a.medianApart() }

// spliced: connection times and percentiles come from the same times.
func (a *abRun) spliced(f *findings) {
	if !a.isSpliced() {
		return
	}
	severity, off := Doubtful, ""
	longest, half := a.percentile(1), a.percentile(0.5)
	figures := ""
	if a.medianApart() {
		figures = fmt.Sprintf("median %s ms, 50 %% %s ms", a.whole.median.text, half.text)
		off = "medians: " + away(half.value, a.whole.median.value)
	}
	if a.maxApart() {
		severity = Refuted
		figures = join(figures, fmt.Sprintf("max %s ms, 100 %% %s ms", a.whole.max.text, longest.text))
		off = join(off, "longest: "+away(longest.value, a.whole.max.value))
	}
	f.add(severity, "spliced", a.quantiles[0].line, a.subject(), figures, off,
		"Connection times and percentiles are two tables of the same times: these are of two runs.")
}

func join(a, b string) string {
	if a == "" {
		return b
	}
	return a + "; " + b
}

// closedLoop holds the report against Little's law. A client is idle for at most the longest time when the run begins
// (ab starts the others when the first answer is there), and once more when it ends.
func (a *abRun) closedLoop(f *findings) {
	if !a.taken.positive() {
		return
	}
	load{
		subject: a.subject(), line: a.whole.mean.line, clients: a.clients, rate: a.rate, mean: a.whole.mean.scaled(1e-3),
		ends: math.Min(1, 2*a.whole.max.span().hi/1000/a.taken.span().lo),
	}.little(f)
}

// poolFills: a pool limits a run only when there are more requests than workers, and workers that block can answer no
// more than one request each in the shortest time.
func (a *abRun) poolFills(f *findings) {
	if !a.pool.positive() || !a.clients.positive() || !a.rate.known() || !a.whole.min.known() {
		return
	}
	workers, shortest := a.pool.value, a.whole.min.value/1000
	knee := a.rate.value * shortest
	elsewhere := ""
	if shortest > 0 && a.whole.mean.value > 2*a.whole.min.value {
		elsewhere = fmt.Sprintf("; the mean is %s times the shortest time, so requests queued elsewhere, from about %s in flight on",
			short(a.whole.mean.value/a.whole.min.value), short(knee))
	}
	switch {
	case workers >= a.clients.value:
		f.add(Doubtful, "pool", a.clients.line, a.subject(),
			fmt.Sprintf("%s workers (line %d), %s clients, X·R(min) = %s/s × %s ms = %s", a.pool.text, a.pool.line, a.clients.text, a.rate.text, a.whole.min.text, short(knee)),
			short(workers/a.clients.value)+" times as many workers as requests",
			"The pool never fills, so the run says nothing about its size"+elsewhere+".")
	case a.rate.span().lo*a.whole.min.span().lo/1000 > workers:
		f.add(Doubtful, "pool", a.clients.line, a.subject(),
			fmt.Sprintf("%s workers (line %d) that block answer at most %s / %s ms = %s/s, printed %s/s", a.pool.text, a.pool.line, a.pool.text, a.whole.min.text, short(workers/shortest), a.rate.text),
			away(a.rate.value, workers/shortest),
			"These workers do not hold a request while it waits, so their number limits nothing here"+elsewhere+".")
	}
}

// command: the report is of the command above it.
func (a *abRun) command(f *findings) {
	if c := a.asked.clients; c.known() && a.clients.known() && c.value != a.clients.value {
		f.add(Refuted, "command", a.clients.line, a.subject(), fmt.Sprintf("-c %s (line %d), Concurrency Level %s", c.text, c.line, a.clients.text),
			away(a.clients.value, c.value), "The report is not that of the command above it.")
	}
	if n := a.asked.requests; n.known() && a.complete.value > n.value {
		f.add(Refuted, "command", a.complete.line, a.subject(), fmt.Sprintf("-n %s (line %d), complete %s", n.text, n.line, a.complete.text),
			away(a.complete.value, n.value), "The report has more requests than the command above it asked for.")
	}
}
