package audit

import (
	"fmt"
	"math"
	"regexp"
)

// twoDigits is the width of a bucket of an HDR histogram of two digits, as a share: what JMeter's splitters use.
const twoDigits = 1.0 / 128

var notANumber = regexp.MustCompile(`(?i)^(?:[+-]?inf(?:inity)?|∞|nan)$`)

// check holds the figures of one row against each other.
func (r *row) check(f *findings) {
	r.numbers(f)
	r.closedLoop(f)
	r.errors(f)
	r.percentilesOfErrors(f)
	r.bytes(f)
	s := shape{subject: r.subject(), unit: "ms", count: r.get(samples).value, min: r.get(least), mean: r.get(mean),
		sd: r.get(deviation), max: r.get(greatest), quantiles: r.quantiles(), bucket: twoDigits}
	s.check(f)
	r.stall(f)
}

// numbers: a mean of something is a number.
func (r *row) numbers(f *findings) {
	for i, c := range r.table.columns {
		if c.kind > key && notANumber.MatchString(r.cells[i]) {
			f.add(Refuted, "number", r.line, r.subject(), c.name+" "+r.cells[i], "no number",
				"A figure without a value comes of nothing measured, as a mean of no answers.")
		}
	}
}

// closedLoop holds the row against Little's law, and a column that claims to be X·R against both.
func (r *row) closedLoop(f *findings) {
	x, response := r.get(rate), r.get(mean).scaled(1e-3)
	if printed := r.get(inFlight); x.known() && response.known() {
		f.equal("little", r.subject(), printed, x.span().times(response.span()),
			fmt.Sprintf("%s/s × %s ms = %s", x.text, response.text, short(x.value*response.value)), "The column is not rate × mean time of its own row.")
	}
	if r.isTotal() {
		return
	}
	law := load{subject: r.subject(), line: r.line, clients: r.get(users).count(), rate: x, mean: response}
	if n := r.get(samples); n.positive() && x.positive() {
		law.ends = math.Min(1, 2*r.longest()/1000/(n.value/x.value))
	}
	law.little(f)
}

// longest is the longest time that the row tells, in milliseconds.
func (r *row) longest() float64 {
	longest := r.get(greatest).span().hi
	for _, p := range r.quantiles() {
		longest = math.Max(longest, p.span().hi)
	}
	return longest
}

// errors: the share of errors is that of their number, and a row of failures measures failures.
func (r *row) errors(f *findings) {
	percent, count, n := r.get(errorShare), r.get(errorCount).count(), r.get(samples).count()
	if count.known() && n.positive() {
		printed := exactly(100 * count.value / n.value)
		f.equal("errors", r.subject(), percent, printed, fmt.Sprintf("%s errors / %s samples = %s %%", count.text, n.text, short(printed.lo)),
			"The share of errors is not that of these counts.")
		if count.value > n.value {
			f.add(Refuted, "errors", r.line, r.subject(), fmt.Sprintf("%s errors, %s samples", count.text, n.text), away(count.value, n.value),
				"No more requests can fail than were made.")
		}
	}
	switch {
	case percent.value > 100:
		f.add(Refuted, "errors", r.line, r.subject(), "errors "+percent.text+" %", away(percent.value, 100), "No more requests can fail than were made.")
	case percent.value == 100:
		f.add(Doubtful, "errors", r.line, r.subject(), "errors 100 %", "all of them", "No request succeeded: rate and times are those of failures.")
	case percent.value >= most:
		f.add(Doubtful, "errors", r.line, r.subject(), "errors "+percent.text+" %", percent.text+" % of them",
			"Most requests failed: rate and times are those of failures.")
	}
}

// most is from which share of errors on, in per cent, a row is one of failures.
const most = 50

// timeouts are those that generators and servers have by default or that people set, in milliseconds.
var timeouts = []float64{1000, 2000, 3000, 5000, 10000, 15000, 20000, 30000, 45000, 60000, 90000, 120000, 180000, 300000}

// percentilesOfErrors: when as many requests failed as lie above a percentile, it may be a time of failures, and when
// it is that of a timeout, it is.
func (r *row) percentilesOfErrors(f *findings) {
	percent := r.get(errorShare)
	for _, p := range r.quantiles() {
		if !percent.positive() || percent.span().hi < 100*(1-p.q) {
			continue
		}
		f.add(Doubtful, "timeouts", r.line, r.subject(),
			fmt.Sprintf("%s = %s ms%s, errors %s %%", p.name, p.text, timeoutNote(p.value), percent.text),
			fmt.Sprintf("%s %% failed, %s %% lie above %s", percent.text, short(100*(1-p.q)), p.name),
			"As many requests failed as lie above this percentile: it tells when they were given up, not how long an answer takes.")
	}
}

// timeoutNote recognises a timeout, also as the upper end of a bucket of a histogram of two digits.
func timeoutNote(ms float64) string {
	step := math.Exp2(math.Floor(math.Log2(math.Max(ms, 256))) - 7)
	isTop := step > 1 && math.Mod(ms+1, step) == 0
	for _, t := range timeouts {
		if ms == t || isTop && t > ms-step && t <= ms {
			note := fmt.Sprintf(", a timeout of %s s", short(t/1000))
			if ms != t {
				note += fmt.Sprintf(" in the bucket %.0f to %.0f of a histogram of two digits", ms+1-step, ms)
			}
			return note
		}
	}
	if isTop {
		return fmt.Sprintf(", the end of the bucket %.0f to %.0f of a histogram of two digits", ms+1-step, ms)
	}
	return ""
}

// bytes: what is received in a second is the rate times the bytes of an answer. JMeter's KB has 1024 bytes.
func (r *row) bytes(f *findings) {
	x, each := r.get(rate), r.get(bytesEach)
	if !x.known() || !each.known() {
		return
	}
	kib := x.span().times(each.span()).times(exactly(1.0 / 1024))
	f.equal("transfer rate", r.subject(), r.get(received), kib,
		fmt.Sprintf("%s/s × %s bytes / 1024 = %s KB/s", x.text, each.text, short(middle(kib))), "The transfer rate is not that of these answers at this rate.")
}

// stall: exponential times have their p90 at ln 10 = 2.3 times the mean and p99 at twice p90. Where p90 lies higher
// and p99 hardly above it, some requests waited for one fixed time.
func (r *row) stall(f *findings) {
	m, p90, p99 := r.get(mean), figure{}, figure{}
	for _, p := range r.quantiles() {
		switch p.q {
		case 0.9:
			p90 = p.figure
		case 0.99:
			p99 = p.figure
		}
	}
	if !m.positive() || !p90.known() || !p99.known() || r.get(errorShare).value >= 1 {
		return
	}
	if p90.span().lo > math.Ln10*m.span().hi && p99.span().hi < plateau*p90.span().lo {
		f.add(Doubtful, "stall", r.line, r.subject(), fmt.Sprintf("mean %s ms, p90 %s ms, p99 %s ms", m.text, p90.text, p99.text),
			fmt.Sprintf("p90 is %s times the mean, p99 only %s times p90", short(p90.value/m.value), short(p99.value/p90.value)),
			fmt.Sprintf("At least a tenth of the requests waited for something that takes about %s ms, as a CPU quota that is used up (periods of 100 ms): "+
				"these percentiles are its, not the service's.", p90.text))
	}
}

// plateau is how much above p90 the p99 of a fixed wait lies at most.
const plateau = 1.25
