package audit

import (
	"fmt"
	"math"
	"regexp"
	"strings"
)

// wrkRun is one report of wrk. Times are in seconds, sizes in bytes.
type wrkRun struct {
	line                      int
	url                       string
	threads, clients          figure
	mean, sd, max             figure
	quantiles                 []quantile
	requests, taken, received figure
	rate, transfer            figure
	socketErrors              []figure
	bad                       figure
	// scheduled says that wrk2 printed it, whose times begin when a request was due.
	scheduled bool
	pool      figure
}

var (
	wrkBegin   = regexp.MustCompile(`^Running \S+ test @ (\S+)$`)
	wrkClients = regexp.MustCompile(`^(\d+) threads? and (\d+) connections?$`)
	wrkLatency = regexp.MustCompile(`^Latency\s+(\S+)\s+(\S+)\s+(\S+)\s+\S+%$`)
	wrkPercent = regexp.MustCompile(`^(\d{1,3}(?:\.\d+)?)%\s+(\S+)$`)
	wrkTotal   = regexp.MustCompile(`^(\d+) requests in (\S+), (\S+) read$`)
	wrkErrors  = regexp.MustCompile(`^Socket errors: connect (\d+), read (\d+), write (\d+), timeout (\d+)$`)
	wrkBad     = regexp.MustCompile(`^Non-2xx or 3xx responses: (\d+)$`)
	wrkRate    = regexp.MustCompile(`^(Requests|Transfer)/sec:\s+(\S+)$`)
	wrkUnit    = regexp.MustCompile(`^([\d.]+)([a-zA-Z]+)$`)
)

// wrkTimes and wrkSizes are the units of wrk: its sizes go in steps of 1024.
var (
	wrkTimes = map[string]float64{"us": 1e-6, "ms": 1e-3, "s": 1, "m": 60, "h": 3600}
	wrkSizes = map[string]float64{"B": 1, "KB": 1 << 10, "MB": 1 << 20, "GB": 1 << 30, "TB": 1 << 40}
)

// wrkFigure reads a number with a unit right behind it.
func wrkFigure(text string, line int, units map[string]float64) figure {
	m := wrkUnit.FindStringSubmatch(text)
	if m == nil || units[m[2]] == 0 {
		return figure{}
	}
	f := figureOf(m[1], line).scaled(units[m[2]])
	if f.known() {
		f.text = text
	}
	return f
}

// wrkReader finds reports of wrk in lines.
type wrkReader struct {
	runs []wrkRun
	now  *wrkRun
	pool figure
}

func (r *wrkReader) read(text string, line int) {
	if m := wrkBegin.FindStringSubmatch(text); m != nil {
		r.end()
		r.now = &wrkRun{line: line, url: m[1], pool: r.pool}
		return
	}
	if r.now != nil {
		r.now.read(text, line)
	}
}

// end keeps the report at hand when it has figures to compute with.
func (r *wrkReader) end() {
	if r.now != nil && r.now.requests.known() && r.now.rate.known() {
		r.runs = append(r.runs, *r.now)
	}
	r.now = nil
}

func (w *wrkRun) read(text string, line int) {
	if m := wrkClients.FindStringSubmatch(text); m != nil {
		w.threads, w.clients = figureOf(m[1], line).count(), figureOf(m[2], line).count()
	} else if m := wrkLatency.FindStringSubmatch(text); m != nil {
		w.mean, w.sd, w.max = wrkFigure(m[1], line, wrkTimes), wrkFigure(m[2], line, wrkTimes), wrkFigure(m[3], line, wrkTimes)
	} else if m := wrkPercent.FindStringSubmatch(text); m != nil {
		w.quantile(m[1], wrkFigure(m[2], line, wrkTimes), line)
	} else if m := wrkTotal.FindStringSubmatch(text); m != nil {
		w.requests, w.taken = figureOf(m[1], line).count(), wrkFigure(m[2], line, wrkTimes)
		w.received = wrkFigure(m[3], line, wrkSizes)
	} else {
		w.readRest(text, line)
	}
}

func (w *wrkRun) readRest(text string, line int) {
	if m := wrkErrors.FindStringSubmatch(text); m != nil {
		for _, n := range m[1:] {
			w.socketErrors = append(w.socketErrors, figureOf(n, line).count())
		}
	} else if m := wrkBad.FindStringSubmatch(text); m != nil {
		w.bad = figureOf(m[1], line).count()
	} else if m := wrkRate.FindStringSubmatch(text); m != nil && m[1] == "Requests" {
		w.rate = figureOf(m[2], line)
	} else if m != nil {
		w.transfer = wrkFigure(m[2], line, wrkSizes)
	} else if strings.HasPrefix(text, "Thread calibration") || strings.HasPrefix(text, "Latency Distribution (HdrHistogram") {
		w.scheduled = true
	}
}

func (w *wrkRun) quantile(percent string, value figure, line int) {
	if q := figureOf(percent, line).value / 100; value.known() && q <= 1 {
		w.quantiles = append(w.quantiles, quantile{q, percent + " %", value})
	}
}

func (w *wrkRun) subject() string {
	return fmt.Sprintf("wrk %s, -t %s -c %s", w.url, given(w.threads), given(w.clients))
}

// check holds the figures of one report of wrk against each other.
func (w *wrkRun) check(f *findings) {
	w.rates(f)
	times := shape{subject: w.subject(), unit: "s", mean: w.mean, sd: w.sd, max: w.max, quantiles: w.quantiles}
	times.check(f)
	w.outcomes(f)
	w.closedLoop(f)
}

func (w *wrkRun) rates(f *findings) {
	if !w.taken.positive() {
		return
	}
	x := w.requests.span().over(w.taken.span())
	f.equal("rate", w.subject(), w.rate, x, fmt.Sprintf("%s requests / %s = %s/s", w.requests.text, w.taken.text, short(middle(x))),
		"The rate is not that of these requests in this time.")
	if w.received.known() {
		bytes := w.received.span().over(w.taken.span())
		f.equal("transfer rate", w.subject(), w.transfer, bytes,
			fmt.Sprintf("%s / %s = %.0f bytes/s", w.received.text, w.taken.text, middle(bytes)), "The transfer rate is not that of these bytes in this time.")
	}
}

func (w *wrkRun) outcomes(f *findings) {
	f.refusals(w.bad, w.requests, w.subject(), "%s answers without 2xx or 3xx, %s requests")
	if len(w.socketErrors) == 4 {
		if late := w.socketErrors[3]; late.positive() {
			f.add(Doubtful, "timeouts", late.line, w.subject(), fmt.Sprintf("%s timeouts, %s requests", late.text, w.requests.text), share(late, w.requests),
				"wrk counts what came too late, but nothing of what never came: the percentiles are those of the lucky.")
		}
		broken := w.socketErrors[0].value + w.socketErrors[1].value + w.socketErrors[2].value
		if broken > 0 {
			f.add(Doubtful, "failed", w.socketErrors[0].line, w.subject(), fmt.Sprintf("%.0f broken connections, %s requests", broken, w.requests.text),
				short(broken)+" of them", "Requests that failed are in no figure of the times.")
		}
	}
}

// closedLoop holds the report against Little's law, with the connections that wrk opened: as many for each thread.
func (w *wrkRun) closedLoop(f *findings) {
	if !w.threads.positive() || !w.clients.positive() || !w.taken.positive() || w.scheduled {
		return
	}
	opened := w.clients
	if open := w.threads.value * math.Floor(w.clients.value/w.threads.value); open != w.clients.value {
		f.add(Doubtful, "connections", w.clients.line, w.subject(), fmt.Sprintf("%s threads, %s connections", w.threads.text, w.clients.text),
			away(open, w.clients.value), fmt.Sprintf("wrk opens the same whole number of connections in each thread: %.0f in all.", open))
		opened = figure{open, 0, fmt.Sprintf("%.0f", open), w.clients.line}
	}
	usual := w.taken.value * opened.value / w.requests.value // from one request of a connection to the next
	load{
		subject: w.subject(), line: w.mean.line, clients: opened, rate: w.rate, mean: w.mean,
		ends: math.Min(1, 2*w.max.span().hi/w.taken.span().lo), invented: w.max.span().hi > 2*usual,
	}.little(f)
	if w.pool.positive() && opened.positive() && w.pool.value >= opened.value {
		f.add(Doubtful, "pool", w.clients.line, w.subject(), fmt.Sprintf("%s workers (line %d), %s connections", w.pool.text, w.pool.line, opened.text),
			short(w.pool.value/opened.value)+" times as many workers as connections", "The pool never fills, so the run says nothing about its size.")
	}
}
