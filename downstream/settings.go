package main

import (
	"fmt"
	"maps"
	"slices"

	"github.com/spf13/pflag"

	"poolvsloop/internal/admin"
	"poolvsloop/internal/config"
	"poolvsloop/internal/latency"
)

// Settings is a checked Config, ready to be served by: immutable.
type Settings struct {
	Config
	model  latency.Model
	source Source
	// values are all flags by name, as GET /config shows them.
	values map[string]string
}

// NewSettings checks c, which was bound to flags.
func NewSettings(c Config, flags *pflag.FlagSet, open latency.Opener) (*Settings, error) {
	if err := c.Validate(); err != nil {
		return nil, err
	}
	model, err := latency.Parse(c.Latency, open)
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
func (s *Settings) Change(body []byte, open latency.Opener) (next *Settings, stall bool, err error) {
	changes, err := admin.Changes(body, `{"latency": "20ms"}`)
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

func settingsOf(values map[string]string, open latency.Opener) (*Settings, error) {
	var c Config
	flags := pflag.NewFlagSet("config", pflag.ContinueOnError)
	c.Bind(flags)
	if err := config.Assign(flags, values); err != nil {
		return nil, err
	}
	return NewSettings(c, flags, open)
}
