package audit

import (
	"regexp"
	"strings"
)

// kind is what a column of a table holds.
type kind int

const (
	other kind = iota
	label
	key // a setting of the row: size, delay, heap
	users
	samples
	errorCount
	errorShare
	rate
	mean
	inFlight
	deviation
	least
	greatest
	median
	percentileOf
	received
	bytesEach
	timeTaken
)

// column is a head of a table.
type column struct {
	kind kind
	name string
	q    float64 // of a percentile
}

// columnNames are the heads that JMeter's listeners and the summaries made from its files use. They are matched without
// regard to case.
var columnNames = []struct {
	kind kind
	re   *regexp.Regexp
}{
	{users, head(`(?:concurrent |virtual )?users|concurrency|threads|clients|connections`)},
	{inFlight, head(`little['’]?s law verification|average users in the system`)},
	{samples, head(`# ?samples|samples|total requests|# ?requests|requests`)},
	{errorCount, head(`error count|# ?errors|fail(?:ed|ures)?|ko`)},
	{errorShare, head(`errors? ?%|error rate(?: ?%| \(%\))?|% errors?|error percentage`)},
	{rate, head(`throughput(?: \((?:requests|transactions|req)/s(?:ec)?\))?|requests/s(?:ec)?|req/s|transactions/s|tps`)},
	{deviation, head(`standard deviation(?: of response time)?(?: \(ms\))?|std\.? ?dev\.?|stddev`)},
	{mean, head(`average response time(?: \(ms\))?|average(?: \(ms\))?|avg(?: \(ms\))?|mean(?: \(ms\))?`)},
	{least, head(`min(?:imum)?(?: response time)?(?: \(ms\))?`)},
	{greatest, head(`max(?:imum)?(?: response time)?(?: \(ms\))?`)},
	{median, head(`median(?: \(ms\))?`)},
	{percentileOf, head(`(\d{1,2}(?:\.\d{1,3})?)(?:st|nd|rd|th|%)? ?(?:percentile|pct|line)(?: of response time)?(?: \(ms\))?|p(\d{2}(?:\.\d{1,3})?)(?: \(ms\))?`)},
	{received, head(`received(?: \(kb/sec\)| kb/sec)?`)},
	{bytesEach, head(`avg\.? bytes`)},
	{timeTaken, head(`time taken(?: \((?:seconds|s)\))?|elapsed \(s\)|wall time(?: \(s\))?`)},
	{key, head(`message size(?: \(bytes\))?|payload|heap size|back-?end (?:service )?delay(?: \(ms\))?`)},
	{label, head(`scenario name|label|transaction`)},
}

// head matches a head at the beginning of a text.
func head(names string) *regexp.Regexp { return regexp.MustCompile(`(?i)^(?:` + names + `)(?:\s+|$)`) }

// columnAt finds the column whose name the text begins with, the longest one, and returns what follows it.
func columnAt(text string) (c column, rest string) {
	longest := -1
	for _, x := range columnNames {
		m := x.re.FindStringSubmatch(text)
		if m == nil || len(m[0]) <= longest {
			continue
		}
		longest = len(m[0])
		c = column{kind: x.kind, name: strings.TrimSpace(m[0])}
		for _, percent := range m[1:] {
			if f := figureOf(percent, 0); f.known() {
				c.q = f.value / 100
			}
		}
		rest = text[longest:]
	}
	return c, rest
}

// columnOf is the column with that whole name.
func columnOf(name string) column {
	name = strings.Join(strings.Fields(strings.Trim(name, "*_` \t\"")), " ")
	if c, rest := columnAt(name); c.kind != other && rest == "" {
		return c
	}
	return column{name: name}
}

// proseColumns splits a line that consists of nothing but names of columns, at least four of them.
func proseColumns(text string) []column {
	if strings.Contains(text, ":") {
		return nil // no name has one, and most lines of reports do
	}
	var all []column
	for text != "" {
		c, rest := columnAt(text)
		if c.kind == other {
			return nil
		}
		all, text = append(all, c), rest
	}
	if len(all) < 4 {
		return nil
	}
	return all
}

// isSummary says that the columns are those of a summary of load tests.
func isSummary(all []column) bool {
	figures, named := map[kind]bool{}, false
	for _, c := range all {
		switch c.kind {
		case rate, mean:
			named = true
			figures[c.kind] = true
		case users, samples, errorShare, errorCount, deviation, least, greatest, median, percentileOf, inFlight:
			figures[c.kind] = true
		}
	}
	return named && len(figures) >= 3
}

// isTimings says that the columns are those of a table of single timings.
func isTimings(all []column) bool {
	timed := false
	for _, c := range all {
		switch c.kind {
		case timeTaken:
			timed = true
		case other, label, key:
		default:
			return false
		}
	}
	return timed && len(all) >= 3
}
