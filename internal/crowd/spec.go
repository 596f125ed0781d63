// Package crowd reads what is written for crowds, the clients beside those that are measured ("slow-send=500,rate=10B/s"),
// and says what each of them sends.
package crowd

import (
	"errors"
	"fmt"
	"net/url"
	"strconv"
	"strings"
	"time"

	"poolvsloop/internal/config"
	"poolvsloop/internal/load"
)

// Parts of a request: how far a half-open client comes, or what a slow sender sends slowly.
const (
	Nothing = "nothing"
	Head    = "head"
	Body    = "body"
)

// Spec is one crowd as it is written.
type Spec struct {
	Kind  load.CrowdKind
	Count int
	// Rate is in bytes a second; 0 for kinds that are not slow.
	Rate float64
	// Part is [Head] or [Body] of a slow sender, also [Nothing] of a half-open client, "" of others.
	Part string
	// Path is what is asked for; "" leaves it to the run.
	Path string
	// Timed says that the crowd comes within the run, from At on and spread over Within; otherwise it comes before.
	Timed      bool
	At, Within time.Duration
	// Reopen has a client whose connection ended come again a second later.
	Reopen bool
}

// Defaults of what a crowd leaves open.
const (
	sendRate    = 10
	readRate    = 1000
	stormWithin = 100 * time.Millisecond
)

// form is what errors ask for.
const form = "want KIND=CLIENTS[,rate=10B/s][,part=head][,at=2s][,within=100ms][,path=/x][,reopen], such as slow-send=500,rate=10B/s"

// kinds are the crowds by name, with the options that each has besides path, at, within and reopen.
var kinds = []struct {
	kind    load.CrowdKind
	options string
}{
	{load.SlowSend, "rate part"}, {load.SlowRead, "rate"}, {load.HalfOpen, "part"}, {load.IdleKept, ""}, {load.Storm, ""},
}

// Parse reads a crowd, such as "storm=5000,within=100ms,at=2s". The error is one line that says what is wanted.
func Parse(text string) (Spec, error) {
	parts := strings.Split(strings.TrimSpace(text), ",")
	s, options, err := parseKind(parts[0])
	if err != nil {
		return Spec{}, fmt.Errorf("%q: %w", text, err)
	}
	given := map[string]bool{}
	for _, part := range parts[1:] {
		key, value, assigned := strings.Cut(strings.TrimSpace(part), "=")
		err := error(nil)
		switch {
		case given[key]:
			err = errors.New("given twice")
		case assigned != (key != "reopen"):
			err = errors.New(form)
		case key == "rate" || key == "part":
			if !strings.Contains(options, key) {
				err = fmt.Errorf("%s has none", s.Kind)
				break
			}
			err = s.set(key, value)
		default:
			err = s.set(key, value)
		}
		if err != nil {
			return Spec{}, fmt.Errorf("%q: option %q: %w", text, key, err)
		}
		given[key] = true
	}
	if s.Within > 0 && !s.Timed {
		return Spec{}, fmt.Errorf("%q: within needs at: a crowd without a time comes before the run", text)
	}
	return s, nil
}

// parseKind reads what is in front of the first comma, and fills in the defaults of the kind.
func parseKind(text string) (s Spec, options string, err error) {
	name, count, _ := strings.Cut(text, "=")
	name = strings.TrimSpace(name)
	var names []string
	found := false
	for _, k := range kinds {
		names = append(names, k.kind.String())
		if k.kind.String() == name {
			s.Kind, options, found = k.kind, k.options, true
		}
	}
	if !found {
		return s, "", fmt.Errorf("no crowd %q: want one of %s; %s", name, strings.Join(names, ", "), form)
	}
	if s.Count, err = strconv.Atoi(strings.TrimSpace(count)); err != nil || s.Count < 1 || s.Count > load.MaxCrowd {
		return s, "", fmt.Errorf("%q clients: want a whole number of 1 to %d", strings.TrimSpace(count), load.MaxCrowd)
	}
	switch s.Kind {
	case load.SlowSend:
		s.Rate, s.Part = sendRate, Head
	case load.SlowRead:
		s.Rate = readRate
	case load.HalfOpen:
		s.Part = Nothing
	case load.Storm:
		s.Timed, s.Within = true, stormWithin
	}
	return s, options, nil
}

// set reads one option.
func (s *Spec) set(key, value string) (err error) {
	switch key {
	case "rate":
		s.Rate, err = parseRate(value)
	case "part":
		s.Part = value
		if value != Head && value != Body && (value != Nothing || s.Kind != load.HalfOpen) {
			err = fmt.Errorf("%q: want head or body, of half-open also nothing", value)
		}
	case "at":
		s.Timed = true
		s.At, err = parseTime(value)
	case "within":
		s.Within, err = parseTime(value)
	case "path":
		s.Path, err = value, checkPath(value)
	case "reopen":
		s.Reopen = true
	default:
		err = errors.New("no such option: " + form)
	}
	return err
}

const latest = 24 * time.Hour

func parseTime(value string) (time.Duration, error) {
	d, err := config.Duration(value)
	if err == nil && (d < 0 || d > latest) {
		err = fmt.Errorf("%q: want 0s to %s", value, latest)
	}
	return d, err
}

// units are those of a rate, in bytes a second.
var units = []struct {
	name  string
	bytes float64
}{{"MB/s", 1e6}, {"KB/s", 1e3}, {"B/s", 1}}

// mostRate bounds a rate: what is faster is not slow.
const mostRate = 1e9

func parseRate(value string) (float64, error) {
	for _, u := range units {
		number, found := strings.CutSuffix(value, u.name)
		if !found {
			continue
		}
		if n, err := strconv.ParseFloat(strings.TrimSpace(number), 64); err == nil && n > 0 && n*u.bytes <= mostRate && n*u.bytes >= 1e-3 {
			return n * u.bytes, nil
		}
	}
	return 0, fmt.Errorf("%q: want a rate above 0, such as 10B/s, 1KB/s (1000 bytes) or 1MB/s", value)
}

func checkPath(value string) error {
	blank := func(r rune) bool { return r <= ' ' || r > '~' }
	_, err := url.ParseRequestURI(value)
	if err != nil || !strings.HasPrefix(value, "/") || strings.ContainsFunc(value, blank) {
		return fmt.Errorf("%q: want a path, such as /v1/hold?ms=20, without blanks", value)
	}
	return nil
}

// ParseAll reads all crowds of a run. One text may hold several, parted by ";". The error names everything that is wrong.
func ParseAll(texts []string) ([]Spec, error) {
	var all []Spec
	var errs []error
	clients := 0
	for _, text := range texts {
		for part := range strings.SplitSeq(text, ";") {
			s, err := Parse(part)
			if err != nil {
				errs = append(errs, err)
				continue
			}
			clients += s.Count
			all = append(all, s)
		}
	}
	if clients > load.MaxCrowd {
		errs = append(errs, fmt.Errorf("%d clients in all crowds: want %d at most", clients, load.MaxCrowd))
	}
	if err := errors.Join(errs...); err != nil {
		return nil, err
	}
	return all, nil
}

// String writes the crowd as [Parse] reads it.
func (s Spec) String() string {
	text := fmt.Sprintf("%s=%d", s.Kind, s.Count)
	if s.Rate > 0 {
		text += ",rate=" + showRate(s.Rate)
	}
	if s.Part != "" {
		text += ",part=" + s.Part
	}
	if s.Timed {
		text += ",at=" + s.At.String()
	}
	if s.Timed && (s.Within > 0 || s.Kind == load.Storm) {
		text += ",within=" + s.Within.String()
	}
	if s.Path != "" {
		text += ",path=" + s.Path
	}
	if s.Reopen {
		text += ",reopen"
	}
	return text
}

func showRate(rate float64) string {
	for _, u := range units {
		if rate >= u.bytes {
			return strconv.FormatFloat(rate/u.bytes, 'g', -1, 64) + u.name
		}
	}
	return strconv.FormatFloat(rate, 'g', -1, 64) + "B/s"
}
