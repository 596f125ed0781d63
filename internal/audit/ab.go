package audit

import (
	"regexp"
	"strings"
)

// abRun is one report of ab. Times are in milliseconds but for taken, which is in seconds.
type abRun struct {
	line                             int
	path                             string
	pathLine                         int
	length                           figure
	clients, taken, complete         figure
	failed, non2xx                   figure
	failedParts                      []figure
	received, sent, body             figure
	rate, perRequest, acrossAll      figure
	receivedKiB, sentKiB, totalKiB   figure
	connect, processing, wait, whole abRow
	quantiles                        []quantile
	// asked is the command above the report, pool the size of the pool that the text states above it.
	asked abCommand
	pool  figure
}

// abRow is a line of ab's connection times.
type abRow struct{ min, mean, sd, median, max figure }

// abCommand is what a command line of ab asked for.
type abCommand struct {
	requests, clients figure
	head              bool
	arguments         string
}

var (
	abValue   = regexp.MustCompile(`^([A-Z][A-Za-z0-9 -]+):\s+(\S+)`)
	abParts   = regexp.MustCompile(`^\(Connect: (\d+), Receive: (\d+), Length: (\d+), Exceptions: (\d+)\)`)
	abKiB     = regexp.MustCompile(`^(\S+) kb/s (sent|total)$`)
	abTimes   = regexp.MustCompile(`^(Connect|Processing|Waiting|Total):\s+(\d+)\s+(\d+)\s+(\d+\.\d)\s+(\d+)\s+(\d+)$`)
	abShort   = regexp.MustCompile(`^(Connect|Processing|Waiting|Total):\s+(\d+)\s+(\d+)\s+(\d+)$`)
	abPercent = regexp.MustCompile(`^(\d{1,3})%\s+(\d+)(?: \(longest request\))?$`)
	abCall    = regexp.MustCompile(`(?:^|[\s/$])ab\s+(-.*)$`)
	abAsked   = regexp.MustCompile(`\s-(n|c)\s*(\d+)`)
	abHead    = regexp.MustCompile(`\s(?:-i|-m\s*HEAD)\s`)
)

// abReader finds reports of ab in lines.
type abReader struct {
	runs []abRun
	now  *abRun
	next abCommand
	pool figure
}

// read takes the next line of the text, without blanks around it.
func (r *abReader) read(text string, line int) {
	if call := abCall.FindStringSubmatch(text); call != nil {
		r.end()
		r.next = askedOf(" "+call[1]+" ", line)
		return
	}
	if r.now == nil && !strings.HasPrefix(text, "Server Software:") && !strings.HasPrefix(text, "Document Path:") &&
		!strings.HasPrefix(text, "Concurrency Level:") {
		return
	}
	if r.now != nil && r.begins(text) {
		r.end()
	}
	if r.now == nil {
		r.now = &abRun{line: line, asked: r.next, pool: r.pool}
		r.next = abCommand{}
	}
	r.now.read(text, line)
	if strings.HasSuffix(text, "(longest request)") {
		r.end()
	}
}

// begins says that the line can only belong to another report than the one at hand.
func (r *abReader) begins(text string) bool {
	return strings.HasPrefix(text, "Server Software:") || strings.HasPrefix(text, "This is ApacheBench") ||
		strings.HasPrefix(text, "Document Path:") && r.now.pathLine > 0 ||
		strings.HasPrefix(text, "Concurrency Level:") && r.now.clients.known()
}

// end keeps the report at hand when it has figures to compute with.
func (r *abReader) end() {
	if r.now != nil && r.now.complete.known() && r.now.taken.known() {
		r.runs = append(r.runs, *r.now)
	}
	r.now = nil
}

func askedOf(arguments string, line int) abCommand {
	c := abCommand{head: abHead.MatchString(arguments), arguments: arguments}
	for _, m := range abAsked.FindAllStringSubmatch(arguments, -1) {
		f := figureOf(m[2], line).count()
		if m[1] == "n" {
			c.requests = f
		} else {
			c.clients = f
		}
	}
	return c
}

func (a *abRun) read(text string, line int) {
	if m := abTimes.FindStringSubmatch(text); m != nil {
		*a.row(m[1]) = abRow{figureOf(m[2], line), figureOf(m[3], line), figureOf(m[4], line), figureOf(m[5], line), figureOf(m[6], line)}
		return
	}
	if m := abShort.FindStringSubmatch(text); m != nil {
		*a.row(m[1]) = abRow{min: figureOf(m[2], line), mean: figureOf(m[3], line), max: figureOf(m[4], line)}
		return
	}
	if m := abPercent.FindStringSubmatch(text); m != nil {
		a.quantiles = append(a.quantiles, quantile{figureOf(m[1], line).value / 100, m[1] + " %", figureOf(m[2], line)})
		return
	}
	if m := abParts.FindStringSubmatch(text); m != nil {
		for _, part := range m[1:] {
			a.failedParts = append(a.failedParts, figureOf(part, line).count())
		}
		return
	}
	if m := abKiB.FindStringSubmatch(text); m != nil {
		if m[2] == "sent" {
			a.sentKiB = figureOf(m[1], line)
		} else {
			a.totalKiB = figureOf(m[1], line)
		}
		return
	}
	if m := abValue.FindStringSubmatch(text); m != nil {
		a.value(m[1], m[2], text, line)
	}
}

func (a *abRun) row(name string) *abRow {
	switch name {
	case "Connect":
		return &a.connect
	case "Processing":
		return &a.processing
	case "Waiting":
		return &a.wait
	}
	return &a.whole
}

// value reads a line "label: value".
func (a *abRun) value(label, value, text string, line int) {
	f := figureOf(value, line)
	counts := map[string]*figure{
		"Document Length": &a.length, "Concurrency Level": &a.clients, "Complete requests": &a.complete,
		"Failed requests": &a.failed, "Non-2xx responses": &a.non2xx, "Total transferred": &a.received,
		"Total body sent": &a.sent, "HTML transferred": &a.body,
	}
	measures := map[string]*figure{
		"Time taken for tests": &a.taken, "Requests per second": &a.rate, "Transfer rate": &a.receivedKiB,
		"Time per request": &a.perRequest,
	}
	switch {
	case label == "Document Path":
		a.path, a.pathLine = value, line
	case label == "Time per request" && strings.Contains(text, "across all"):
		a.acrossAll = f
	case counts[label] != nil:
		*counts[label] = f.count()
	case measures[label] != nil:
		*measures[label] = f
	}
}
