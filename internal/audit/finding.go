package audit

import (
	"fmt"
	"math"
)

// Severity says how much a finding proves.
type Severity string

const (
	// Refuted says that no run can have given these figures.
	Refuted Severity = "refuted"
	// Doubtful says that a run can have, but that they do not say what they seem to say.
	Doubtful Severity = "doubtful"
)

// Finding is one thing that a text's own figures say against it.
type Finding struct {
	File string `json:"file"`
	Line int    `json:"line"`
	// Subject is the report or the row of a table.
	Subject  string   `json:"subject"`
	Law      string   `json:"law"`
	Severity Severity `json:"severity"`
	// Figures is what was computed from what.
	Figures string `json:"figures"`
	// Off is how far the figures are from what the law allows.
	Off string `json:"off"`
	// Meaning is what that means, in one sentence.
	Meaning string `json:"meaning"`
}

// Document is what was read in one text.
type Document struct {
	File string `json:"file"`
	// AB, Wrk, Tables and Captions count what was recognised, captions in texts about load tests alone.
	AB       int       `json:"ab"`
	Wrk      int       `json:"wrk"`
	Tables   int       `json:"tables"`
	Captions int       `json:"captions"`
	Findings []Finding `json:"findings"`
}

// Recognised says whether there was anything to audit.
func (d *Document) Recognised() bool { return d.AB+d.Wrk+d.Tables+d.Captions > 0 }

// Count is the number of findings of that severity.
func (d *Document) Count(s Severity) int {
	n := 0
	for _, f := range d.Findings {
		if f.Severity == s {
			n++
		}
	}
	return n
}

// findings collects.
type findings []Finding

func (f *findings) add(severity Severity, law string, line int, subject, figures, off, meaning string) {
	*f = append(*f, Finding{Line: line, Subject: subject, Law: law, Severity: severity, Figures: figures, Off: off, Meaning: meaning})
}

// equal holds a printed figure against the interval that others give for it.
func (f *findings) equal(law, subject string, printed figure, computed interval, how, meaning string) {
	if !printed.known() || printed.span().meets(computed) {
		return
	}
	f.add(Refuted, law, printed.line, subject, how+", printed "+printed.text, away(printed.value, middle(computed)), meaning)
}

// middle is the middle of an interval, or its lower end when it has no upper one.
func middle(a interval) float64 {
	if math.IsInf(a.hi, 1) {
		return a.lo
	}
	return (a.lo + a.hi) / 2
}

// away says how far got is from want.
func away(got, want float64) string {
	switch ratio := got / want; {
	case want == 0:
		return short(got) + " instead of 0"
	case ratio >= 3:
		return short(ratio) + " times as much"
	case got > want:
		return fmt.Sprintf("%s %% more", short(100*(ratio-1)))
	case ratio > 1.0/3 || got == 0:
		return fmt.Sprintf("%s %% less", short(100*(1-ratio)))
	default:
		return "1/" + short(want/got) + " of it"
	}
}

// short prints a number with as many digits as people read.
func short(v float64) string {
	if math.Abs(v) >= 1000 {
		return fmt.Sprintf("%.0f", v)
	}
	return fmt.Sprintf("%.3g", v)
}
