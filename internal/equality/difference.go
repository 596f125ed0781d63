package equality

import (
	"fmt"
	"regexp"
	"strings"
)

// Difference is one thing in which an answer is not as it should be.
type Difference struct {
	// Case is its name, Part what differs: "answer 2, header line 3".
	Case, Part string
	// Want is what the first side said (or the case wants), Got what the other side did.
	Want, Got string
}

// String is one line.
func (d Difference) String() string {
	return fmt.Sprintf("%s: %s: %s, but %s", d.Case, d.Part, d.Want, d.Got)
}

// unwanted returns what is wrong with a conversation by itself.
func unwanted(c Case, side Side, talk conversation) []Difference {
	var found []Difference
	note := func(i int, what, want, got string) {
		found = append(found, Difference{c.Name, part(c, i, what), "wanted " + want, says(side, got)})
	}
	for i, a := range talk.answers {
		r := c.Requests[i]
		switch {
		case !a.says(r.Status):
			note(i, "status line", fmt.Sprintf("HTTP/1.1 %d", r.Status), a.status+" "+excerpt(a.body, 0))
		case !strings.Contains(a.body, r.Contains):
			note(i, "body", r.Contains, excerpt(a.body, 0))
		case r.ID != "" && a.field(idLine) != r.ID:
			note(i, idLine, r.ID, a.field(idLine))
		}
	}
	if talk.end != endKept && talk.end != endClosed {
		note(len(talk.answers), "end", "a connection that is kept, or closed as announced", talk.end)
	}
	return found
}

// differences compares what two sides answered to a case, once what must differ is masked.
func differences(c Case, first, second Side, a, b conversation) []Difference {
	var found []Difference
	note := func(i int, what, want, got string) {
		if want != got {
			found = append(found, Difference{c.Name, part(c, i, what), says(first, want), says(second, got)})
		}
	}
	both := min(len(a.answers), len(b.answers))
	for i := range both {
		x, y := a.answers[i].masked(c.Requests[i], first), b.answers[i].masked(c.Requests[i], second)
		note(i, "status line", x.status, y.status)
		for line := range max(len(x.header), len(y.header)) {
			note(i, fmt.Sprintf("header line %d", line+1), at(x.header, line), at(y.header, line))
		}
		if x.body != y.body {
			byteNo := firstDifference(x.body, y.body)
			note(i, fmt.Sprintf("body, byte %d", byteNo+1), excerpt(x.body, byteNo), excerpt(y.body, byteNo))
		}
	}
	note(both, "end", fmt.Sprintf("%d answers, %s", len(a.answers), a.end), fmt.Sprintf("%d answers, %s", len(b.answers), b.end))
	return found
}

// part names a part of answer i; a case of one request needs no number.
func part(c Case, i int, what string) string {
	if len(c.Requests) == 1 || i >= len(c.Requests) {
		return what
	}
	return fmt.Sprintf("answer %d, %s", i+1, what)
}

func says(s Side, text string) string { return fmt.Sprintf("%s: %q", s.Name, text) }

func at(lines []string, i int) string {
	if i < len(lines) {
		return lines[i]
	}
	return "(no such line)"
}

var (
	serverField = regexp.MustCompile(`("server":")([^"]*)"`)
	quoteField  = regexp.MustCompile(`("quote_id":")([^"]*)"`)
	duration    = regexp.MustCompile(`dur=[0-9.]+`)
	digit       = regexp.MustCompile(`[0-9]`)
	character   = regexp.MustCompile(`\S`)
)

// masked returns the answer without what must differ between sides: the date is left out; durations, the server's name
// and a request id that the server made (and the quote that comes of it) keep their width only; the order path is named
// the same.
func (a answer) masked(r Request, side Side) answer {
	m := answer{status: a.status}
	for _, line := range a.header {
		name, value, _ := strings.Cut(line, ":")
		switch {
		case strings.EqualFold(name, "Date"):
			continue
		case strings.EqualFold(name, "Server-Timing"):
			line = duration.ReplaceAllStringFunc(line, func(d string) string { return digit.ReplaceAllString(d, "#") })
		case strings.EqualFold(name, idLine) && r.ID == "":
			line = name + ":" + character.ReplaceAllString(value, "#")
		}
		m.header = append(m.header, strings.ReplaceAll(line, side.Path, "{path}"))
	}
	m.body = blank(serverField, a.body)
	if r.ID == "" {
		m.body = blank(quoteField, m.body) // downstream B makes it from the request id
	}
	m.body = strings.ReplaceAll(m.body, side.Path, "{path}")
	return m
}

// blank keeps of a field's values their width only.
func blank(field *regexp.Regexp, body string) string {
	return field.ReplaceAllStringFunc(body, func(f string) string {
		name, value, _ := strings.Cut(f, ":")
		return name + `:"` + strings.Repeat("#", len(value)-len(`""`)) + `"`
	})
}

// firstDifference is the index of the first byte in which a and b differ.
func firstDifference(a, b string) int {
	n := min(len(a), len(b))
	for i := range n {
		if a[i] != b[i] {
			return i
		}
	}
	return n
}

// excerpt is what is around byte i of a body.
func excerpt(body string, i int) string {
	const before, after = 20, 60
	from, to := max(0, min(i, len(body))-before), min(len(body), i+after)
	text := body[from:to]
	if from > 0 {
		text = "…" + text
	}
	if to < len(body) {
		text += "…"
	}
	return text
}
