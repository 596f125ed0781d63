// Package anatomy says where the time of a request went: it reads what a server tells of the stages of single requests
// (Server-Timing) and makes means and percentiles of it. It is pure: clocks and sockets are its callers'.
package anatomy

import (
	"bytes"
	"time"

	"poolvsloop/internal/flow"
)

// longest is the longest duration that is read, in milliseconds: sums of a few do not overflow.
const longest = 1e9

// Parse reads the value of a Server-Timing header (W3C Server Timing, §3; several lines joined by commas). Metrics and
// parameters that no server of the lab sends are passed over: a proxy may have added them. ok is false when a stage is
// missing, named twice, without a duration, or when the value is none of Server-Timing.
func Parse(value []byte) (t flow.Timing, ok bool) {
	var found [flow.Stages]bool
	s := scanner{rest: value}
	for more := true; more; more = s.take(',') {
		name := s.token()
		if len(name) == 0 {
			return t, false
		}
		d, timed := s.parameters()
		if stage := stageOf(name); stage < flow.Stages {
			if found[stage] || !timed {
				return t, false
			}
			t[stage], found[stage] = d, true
		}
		if s.broken {
			return t, false
		}
	}
	if len(s.rest) > 0 {
		return t, false
	}
	for _, f := range found {
		if !f {
			return t, false
		}
	}
	return t, true
}

// stageOf is the stage of that name, [flow.Stages] for none.
func stageOf(name []byte) flow.Stage {
	for s := range flow.Stages {
		if string(name) == s.String() {
			return s
		}
	}
	return flow.Stages
}

// scanner takes the parts of a Server-Timing value, blanks around them included, from the front of rest.
type scanner struct {
	rest   []byte
	broken bool
}

func (s *scanner) blanks() { s.rest = bytes.TrimLeft(s.rest, " \t") }

// take takes the byte c, if it comes next.
func (s *scanner) take(c byte) bool {
	s.blanks()
	if len(s.rest) == 0 || s.rest[0] != c {
		return false
	}
	s.rest = s.rest[1:]
	return true
}

// token takes a token (RFC 9110 §5.6.2); it is empty when none comes next.
func (s *scanner) token() []byte {
	s.blanks()
	n := 0
	for n < len(s.rest) && isTokenChar(s.rest[n]) {
		n++
	}
	token := s.rest[:n]
	s.rest = s.rest[n:]
	s.blanks()
	return token
}

// parameters takes the parameters of a metric. ok says that one of them is its duration; of several the first one counts.
func (s *scanner) parameters() (d time.Duration, ok bool) {
	for s.take(';') {
		name := s.token()
		if len(name) == 0 {
			s.broken = true
			return 0, false
		}
		if !s.take('=') {
			continue
		}
		text := s.value()
		if !ok && bytes.EqualFold(name, []byte("dur")) {
			d, ok = duration(text)
			s.broken = s.broken || !ok
		}
	}
	return d, ok
}

// value takes a token or a quoted string, of which it returns what is between the quotes, escapes included.
func (s *scanner) value() []byte {
	if !s.take('"') {
		token := s.token()
		s.broken = s.broken || len(token) == 0
		return token
	}
	for n := 0; n < len(s.rest); n++ {
		switch s.rest[n] {
		case '\\':
			n++
		case '"':
			text := s.rest[:n]
			s.rest = s.rest[n+1:]
			s.blanks()
			return text
		}
	}
	s.broken = true
	return nil
}

// duration reads milliseconds: digits, and digits behind a point, cut to nanoseconds.
func duration(text []byte) (d time.Duration, ok bool) {
	whole, fraction, pointed := bytes.Cut(text, []byte{'.'})
	if len(whole) == 0 || pointed && len(fraction) == 0 {
		return 0, false
	}
	for _, c := range whole {
		if c < '0' || c > '9' || d > longest*time.Millisecond {
			return 0, false
		}
		d = 10*d + time.Duration(c-'0')*time.Millisecond
	}
	unit := time.Millisecond
	for _, c := range fraction {
		if c < '0' || c > '9' {
			return 0, false
		}
		unit /= 10
		d += time.Duration(c-'0') * unit
	}
	return d, d <= longest*time.Millisecond
}

func isTokenChar(c byte) bool {
	return c >= '0' && c <= '9' || c|0x20 >= 'a' && c|0x20 <= 'z' || bytes.IndexByte([]byte("!#$%&'*+-.^_`|~"), c) >= 0
}
