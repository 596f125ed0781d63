package timeline

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"poolvsloop/internal/config"
)

// Event is one change of a setting of a running program, at a time from the start of a round.
type Event struct {
	At time.Duration
	// Program is a or b (the downstreams), threadpool, eventloop or redis; Setting one of its settings.
	Program, Setting, Value string
}

// form is what errors ask for.
const form = "want TIME PROGRAM.SETTING=VALUE, such as 10s b.latency=500ms"

// most bounds the number of events, and latest their time.
const (
	most   = 1000
	latest = 24 * time.Hour
)

// String writes the event as [Parse] reads it.
func (e Event) String() string { return e.At.String() + " " + e.Key() + "=" + e.Value }

// Key is the setting that the event changes, such as b.latency.
func (e Event) Key() string { return e.Program + "." + e.Setting }

// Parse reads an event: "10s b.latency=500ms", or with "=" in place of the blank. The error is one line that says what is
// wanted.
func Parse(text string) (Event, error) {
	text = strings.TrimSpace(text)
	i := strings.IndexAny(text, " \t=")
	if i < 0 {
		return Event{}, fmt.Errorf("%q: %s", text, form)
	}
	at, err := config.Duration(text[:i])
	if err != nil {
		return Event{}, fmt.Errorf("%q: the time %w; %s", text, err, form)
	}
	if at < 0 || at > latest {
		return Event{}, fmt.Errorf("%q: want a time of 0s to %s from the start of a round", text, latest)
	}
	key, value, assigned := strings.Cut(strings.TrimSpace(text[i+1:]), "=")
	program, setting, dotted := strings.Cut(strings.TrimSpace(key), ".")
	if !assigned || !dotted {
		return Event{}, fmt.Errorf("%q: %s", text, form)
	}
	e := Event{At: at, Program: program, Setting: setting, Value: strings.TrimSpace(value)}
	if err := e.check(); err != nil {
		return Event{}, fmt.Errorf("%q: %w", text, err)
	}
	return e, nil
}

// ParseAll reads the events of a round and returns them in the order of their times, those of one time as given. One text
// may hold several, parted by ";". The error names everything that is wrong.
func ParseAll(texts []string) ([]Event, error) {
	var all []Event
	var errs []error
	for _, text := range texts {
		for part := range strings.SplitSeq(text, ";") {
			e, err := Parse(part)
			if err != nil {
				errs = append(errs, err)
				continue
			}
			all = append(all, e)
		}
	}
	if len(all) > most {
		errs = append(errs, fmt.Errorf("%d events: want %d at most", len(all), most))
	}
	if err := errors.Join(errs...); err != nil {
		return nil, err
	}
	slices.SortStableFunc(all, func(a, b Event) int { return cmp.Compare(a.At, b.At) })
	return all, nil
}

// Join completes times that stand alone, as --at leaves them when its event is the word behind it (--at 10s
// b.latency=500ms): each takes the next of the words that is an assignment. rest are the other words, in their order.
func Join(times, words []string) (texts, rest []string) {
	var assignments []string
	for _, word := range words {
		if isAssignment(word) {
			assignments = append(assignments, word)
		} else {
			rest = append(rest, word)
		}
	}
	for _, text := range times {
		if !strings.ContainsAny(text, " \t=") && len(assignments) > 0 {
			text, assignments = text+" "+assignments[0], assignments[1:]
		}
		texts = append(texts, text)
	}
	return texts, append(rest, assignments...)
}

// isAssignment says whether a word looks like PROGRAM.SETTING=VALUE, which no URL with a scheme does.
func isAssignment(word string) bool {
	key, _, assigned := strings.Cut(word, "=")
	return assigned && strings.Contains(key, ".") && !strings.ContainsAny(key, ":/")
}
