package audit

import (
	"fmt"
	"math"
)

// longPath is where a path is cut in the name of a report.
const longPath = 60

func (a *abRun) subject() string {
	path := a.path
	if len(path) > longPath {
		path = path[:longPath] + "…"
	}
	return fmt.Sprintf("ab %s, -c %s", path, given(a.clients))
}

// check holds the figures of one report of ab against each other.
func (a *abRun) check(f *findings) {
	a.rates(f)
	a.transfer(f)
	a.outcomes(f)
	a.target(f)
	a.rows(f)
	a.spliced(f)
	a.closedLoop(f)
	a.poolFills(f)
	a.command(f)
}

// rates: ab derives its rate and both times per request from requests, seconds and clients.
func (a *abRun) rates(f *findings) {
	if !a.complete.positive() || !a.taken.known() {
		return
	}
	d, t, c := a.complete.span(), a.taken.span(), a.clients.span()
	perSecond := fmt.Sprintf("%s requests / %s s = %s/s", a.complete.text, a.taken.text, short(a.complete.value/a.taken.value))
	f.equal("rate", a.subject(), a.rate, d.over(t), perSecond, "The rate is not that of these requests in this time.")
	all := t.over(d).times(exactly(1000))
	f.equal("time per request", a.subject(), a.acrossAll, all,
		fmt.Sprintf("%s s / %s requests = %s ms", a.taken.text, a.complete.text, short(middle(all))),
		"ab prints seconds by requests here; this is another number.")
	if a.clients.positive() {
		one := all.times(c)
		f.equal("time per request", a.subject(), a.perRequest, one,
			fmt.Sprintf("%s clients × %s s / %s requests = %s ms", a.clients.text, a.taken.text, a.complete.text, short(middle(one))),
			"ab prints clients × seconds by requests here; this is another number.")
		a.ratesAmongThemselves(f)
	}
}

// ratesAmongThemselves compares printed rates, which have more digits than the time of a short run.
func (a *abRun) ratesAmongThemselves(f *findings) {
	if a.acrossAll.positive() {
		x := exactly(1000).over(a.acrossAll.span())
		f.equal("rate", a.subject(), a.rate, x, fmt.Sprintf("1000 / %s ms = %s/s", a.acrossAll.text, short(middle(x))),
			"ab's rate and its time per request across all are one figure; these are two.")
		one := a.acrossAll.span().times(a.clients.span())
		f.equal("time per request", a.subject(), a.perRequest, one,
			fmt.Sprintf("%s clients × %s ms = %s ms", a.clients.text, a.acrossAll.text, short(middle(one))),
			"ab's two times per request differ by the number of clients; these do not.")
	}
}

// transfer: ab's transfer rates are bytes by seconds, in units of 1024 bytes.
func (a *abRun) transfer(f *findings) {
	if !a.taken.positive() {
		return
	}
	for _, x := range []struct {
		printed figure
		bytes   []figure
	}{{a.receivedKiB, []figure{a.received}}, {a.sentKiB, []figure{a.sent}}, {a.totalKiB, []figure{a.received, a.sent}}} {
		sum, known := 0.0, true
		for _, b := range x.bytes {
			sum, known = sum+b.value, known && b.known()
		}
		if known {
			rate := exactly(sum / 1024).over(a.taken.span())
			f.equal("transfer rate", a.subject(), x.printed, rate,
				fmt.Sprintf("%.0f bytes / 1024 / %s s = %s KiB/s", sum, a.taken.text, short(middle(rate))),
				"The transfer rate is not that of these bytes in this time.")
		}
	}
	if a.body.known() && a.received.known() && a.body.value > a.received.value {
		f.add(Refuted, "transfer rate", a.body.line, a.subject(), fmt.Sprintf("HTML %s bytes, total %s bytes", a.body.text, a.received.text),
			away(a.body.value, a.received.value), "Bodies are a part of all that was received and cannot be more.")
	}
}

// outcomes: what did not succeed.
func (a *abRun) outcomes(f *findings) {
	sum := 0.0
	for _, part := range a.failedParts {
		sum += part.value
	}
	if len(a.failedParts) > 0 && a.failed.known() && sum != a.failed.value {
		f.add(Refuted, "failed", a.failed.line, a.subject(), fmt.Sprintf("the kinds of failed requests add up to %.0f, printed %s", sum, a.failed.text),
			away(a.failed.value, sum), "Failed requests are the sum of their kinds.")
	}
	if a.failed.positive() {
		meaning := "Requests that failed are in the rate, and some of them in the times."
		if a.failed.value > a.complete.value {
			meaning = "ab counts a broken request up to three times, and all of them are in the rate."
		}
		f.add(Doubtful, "failed", a.failed.line, a.subject(), fmt.Sprintf("%s failed, %s complete", a.failed.text, a.complete.text),
			share(a.failed, a.complete), meaning)
	}
	f.refusals(a.non2xx, a.complete, a.subject(), "%s answers without 2xx, %s complete")
}

// refusals tells of answers that were no success, of so many in all; format takes both figures.
func (f *findings) refusals(bad, all figure, subject, format string) {
	if !bad.positive() {
		return
	}
	meaning := "Refusals are in the rate and in the times."
	if bad.value >= all.value {
		meaning = "No request succeeded: rate and times are those of an error page."
	}
	f.add(Doubtful, "status", bad.line, subject, fmt.Sprintf(format, bad.text, all.text), share(bad, all), meaning)
}

func share(part, whole figure) string {
	if !whole.positive() {
		return part.text + " of 0"
	}
	return short(100*part.value/whole.value) + " % of them"
}

// target: what was asked and what came.
func (a *abRun) target(f *findings) {
	if a.pathLine > 0 && a.path[0] != '/' && a.path[0] != '<' {
		f.add(Refuted, "path", a.pathLine, a.subject(), "Document Path: "+a.path, "no leading slash",
			"ab prints the path that it sent, and none is sent without a slash: the report was edited by hand.")
	}
	if a.complete.positive() && a.body.known() && a.body.value == 0 && !a.asked.head {
		f.add(Doubtful, "empty", a.body.line, a.subject(), fmt.Sprintf("HTML transferred 0 bytes, %s complete", a.complete.text), "all of them",
			"Not one answer had a body: what was measured may not be the service.")
	}
	sameLength := a.length.known() && a.body.known() && !a.failed.positive() && !a.non2xx.positive()
	if least := a.length.value * a.complete.value; sameLength && a.body.value < least {
		f.add(Refuted, "length", a.body.line, a.subject(),
			fmt.Sprintf("%s requests × %s bytes = %.0f bytes, HTML transferred %s", a.complete.text, a.length.text, least, a.body.text),
			away(a.body.value, least), "Answers of this length, none of which failed, hold more bytes than were received.")
	}
}

// rows holds each row of the connection times against itself, and the rows against each other.
func (a *abRun) rows(f *findings) {
	for _, x := range []struct {
		name string
		row  abRow
	}{{"Connect", a.connect}, {"Processing", a.processing}, {"Waiting", a.wait}, {"Total", a.whole}} {
		s := shape{subject: a.subject() + ", " + x.name, unit: "ms", count: a.complete.value,
			min: x.row.min, mean: x.row.mean, sd: x.row.sd, max: x.row.max}
		if x.row.median.known() {
			s.quantiles = []quantile{{a.medianShare(), "median", x.row.median}}
		}
		s.check(f)
	}
	whole := shape{subject: a.subject() + ", percentiles", unit: "ms", count: a.complete.value, quantiles: a.quantiles}
	if !a.isSpliced() {
		whole.min, whole.mean, whole.sd = a.whole.min, a.whole.mean, a.whole.sd
	}
	whole.check(f)
	a.sum(f)
	a.handshakes(f)
}

// medianShare is the share that ab's median may stand for: for an odd number of requests it lies one rank too high.
func (a *abRun) medianShare() float64 {
	if a.complete.value < 1 {
		return 0.5
	}
	return math.Min(1, 0.5+1.5/a.complete.value)
}

// sum: the total time of a request is its connect time plus its processing time, so their means add up.
func (a *abRun) sum(f *findings) {
	if !a.connect.mean.known() || !a.processing.mean.known() || a.failed.positive() {
		return
	}
	mean := a.connect.mean.span().plus(a.processing.mean.span())
	f.equal("sum", a.subject()+", Total", a.whole.mean, mean,
		fmt.Sprintf("mean Connect %s ms + mean Processing %s ms", a.connect.mean.text, a.processing.mean.text),
		"The mean total time is the sum of the mean connect and processing times.")
	if high := a.connect.max.value + a.processing.max.value + 1.5; a.whole.max.known() && a.whole.max.value > high {
		f.add(Refuted, "sum", a.whole.max.line, a.subject()+", Total",
			fmt.Sprintf("max Connect %s ms + max Processing %s ms, max Total %s ms", a.connect.max.text, a.processing.max.text, a.whole.max.text),
			away(a.whole.max.value, high), "No request took longer than the longest connect and the longest processing together.")
	}
}

// retry is the first wait of a kernel, in milliseconds, before it sends a handshake again (RFC 6298, section 2).
const retry = 1000

// handshakes: connections that were made at the second try or later.
func (a *abRun) handshakes(f *findings) {
	c := a.connect
	if c.max.value < retry || c.mean.value >= retry {
		return
	}
	f.add(Doubtful, "handshakes", c.max.line, a.subject()+", Connect", fmt.Sprintf("mean %s ms, max %s ms", c.mean.text, c.max.text),
		short(c.max.value/retry)+" times the first wait of 1 s",
		"Handshakes were sent again: the longest times show a full kernel accept queue or exhausted ports, not the server's work.")
}
