package main

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/spf13/pflag"

	"poolvsloop/internal/config"
)

// Settings is a checked Config, ready to be served by: immutable.
type Settings struct {
	Config
	model  Model
	source Source
	// values are all flags by name, as GET /config shows them.
	values map[string]string
}

// NewSettings checks c, which was bound to flags.
func NewSettings(c Config, flags *pflag.FlagSet, open Opener) (*Settings, error) {
	if err := c.Validate(); err != nil {
		return nil, err
	}
	model, err := ParseLatency(c.Latency, open)
	if err != nil {
		return nil, fmt.Errorf("--latency: %w", err)
	}
	return &Settings{Config: c, model: model, source: NewSource(c.Seed, c.Name), values: config.Values(flags)}, nil
}

// fixed are the flags that can't change while the program runs.
var fixed = []string{"name", "addr", "admin", "max-conns", "backlog", "drain", "log-level", "log-format"}

// Change returns the settings with the values of a JSON object, {"latency":"exp:20ms","error-share":0.01}, put over
// those of s, and whether it named the stall window. Names are those of the flags, values may be texts or numbers. On an
// error nothing has changed.
func (s *Settings) Change(body []byte, open Opener) (next *Settings, stall bool, err error) {
	changes, err := parseChanges(body)
	if err != nil {
		return nil, false, err
	}
	for name, value := range changes {
		if slices.Contains(fixed, name) && value != s.values[name] {
			return nil, false, fmt.Errorf("%s is fixed at %q while the program runs", name, s.values[name])
		}
		stall = stall || name == "stall-at" || name == "stall-for"
	}
	values := maps.Clone(s.values)
	maps.Copy(values, changes)
	next, err = settingsOf(values, open)
	return next, stall, err
}

func settingsOf(values map[string]string, open Opener) (*Settings, error) {
	var c Config
	flags := pflag.NewFlagSet("config", pflag.ContinueOnError)
	c.Bind(flags)
	for _, name := range slices.Sorted(maps.Keys(values)) {
		if flags.Lookup(name) == nil {
			return nil, fmt.Errorf("unknown setting %q", name)
		}
		if err := flags.Set(name, values[name]); err != nil {
			return nil, err
		}
	}
	return NewSettings(c, flags, open)
}

// parseChanges reads a JSON object whose values are texts or numbers.
func parseChanges(body []byte) (map[string]string, error) {
	var raw map[string]json.RawMessage
	if err := json.Unmarshal(body, &raw); err != nil {
		return nil, fmt.Errorf("want a JSON object of settings: %w", err)
	}
	changes := map[string]string{}
	for name, value := range raw {
		text := string(value)
		switch {
		case strings.HasPrefix(text, `"`):
			if err := json.Unmarshal(value, &text); err != nil {
				return nil, fmt.Errorf("%s: %w", name, err)
			}
		case strings.HasPrefix(text, "{"), strings.HasPrefix(text, "["), text == "null":
			return nil, fmt.Errorf("%s: want a text or a number, not %s", name, text)
		}
		changes[name] = text
	}
	return changes, nil
}
