package timeline

import (
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
	"time"

	"poolvsloop/internal/config"
	"poolvsloop/internal/latency"
)

// Programs whose settings events change.
const (
	DownstreamA = "a"
	DownstreamB = "b"
	ThreadPool  = "threadpool"
	EventLoop   = "eventloop"
	Redis       = "redis"
)

// Stopped is the setting of [Redis]: true halts its process (SIGSTOP), so that it takes connections and answers nothing.
const Stopped = "stopped"

// check says what is wrong with a value, or nil.
type check func(value string) error

// settings are those that a program takes while it runs, by the names of its flags.
var settings = map[string]map[string]check{
	DownstreamA: downstream,
	DownstreamB: downstream,
	ThreadPool:  {"workers": whole(1, config.MostWorkers), "queue": whole(-1, config.MostQueue)},
	EventLoop:   {"max-inflight": whole(0, config.MostInflight), "max-lag": duration},
	Redis:       {Stopped: truth},
}

var downstream = map[string]check{
	"latency": delay, "error-share": share, "error-status": whole(400, 599), "hang-share": share, "reset-share": share,
	"slow-body-share": share, "slow-body-time": duration, "rate-limit": number(0, 1e6), "concurrency-limit": whole(0, 1e9),
}

// check says what is wrong with program, setting or value.
func (e Event) check() error {
	known, ok := settings[e.Program]
	if !ok {
		return fmt.Errorf("no program %q: want %s", e.Program, list(settings))
	}
	valid, ok := known[e.Setting]
	if !ok {
		return fmt.Errorf("%s has no setting %q that changes while it runs: want %s", e.Program, e.Setting, list(known))
	}
	if err := valid(e.Value); err != nil {
		return fmt.Errorf("%s: %w", e.Key(), err)
	}
	return nil
}

func list[V any](known map[string]V) string {
	return strings.Join(slices.Sorted(maps.Keys(known)), ", ")
}

func delay(value string) error {
	_, err := latency.Parse(value, latency.OpenFile)
	return err
}

func duration(value string) error {
	d, err := config.Duration(value)
	if err == nil && (d < 0 || d > latency.Max) {
		err = fmt.Errorf("%q: want 0s to %s", value, latency.Max)
	}
	return err
}

func truth(value string) error {
	if value == "true" || value == "false" {
		return nil
	}
	return fmt.Errorf("%q: want true or false", value)
}

func share(value string) error { return number(0, 1)(value) }

func number(least, most float64) check {
	return func(value string) error {
		if n, err := strconv.ParseFloat(value, 64); err != nil || !(n >= least && n <= most) {
			return fmt.Errorf("%q: want a number of %v to %v", value, least, most)
		}
		return nil
	}
}

func whole(least, most int) check {
	return func(value string) error {
		if n, err := strconv.Atoi(value); err != nil || n < least || n > most {
			return fmt.Errorf("%q: want a whole number of %d to %d", value, least, most)
		}
		return nil
	}
}

// same says whether two values of a setting mean the same: 0.5s is 500ms, and const:20ms is 20ms.
func same(a, b string) bool {
	a, b = strings.TrimPrefix(a, "const:"), strings.TrimPrefix(b, "const:")
	if x, err := time.ParseDuration(a); err == nil {
		y, err := time.ParseDuration(b)
		return err == nil && x == y
	}
	if x, err := strconv.ParseFloat(a, 64); err == nil {
		y, err := strconv.ParseFloat(b, 64)
		return err == nil && x == y
	}
	return a == b
}

// EndsFault says of each event whether with it all settings are again what they were before the first one, by their key,
// after at least one was not. events are in the order of their times; of several at one time the last one counts.
func EndsFault(events []Event, before map[string]string) []bool {
	ends := make([]bool, len(events))
	off := map[string]bool{}
	for i, e := range events {
		was := len(off) > 0
		if same(e.Value, before[e.Key()]) {
			delete(off, e.Key())
		} else {
			off[e.Key()] = true
		}
		ends[i] = was && len(off) == 0
	}
	return ends
}
