package main

import (
	"strconv"

	"github.com/spf13/pflag"

	"poolvsloop/internal/accept"
	"poolvsloop/internal/admin"
	"poolvsloop/internal/config"
	"poolvsloop/internal/meter"
	"poolvsloop/internal/procstat"
	"poolvsloop/internal/program"
)

// adminPages is what the admin port shows of the server.
func (s *server) adminPages() admin.Program {
	return admin.Program{
		Name: name, Ready: s.ready, Gather: s.meter.Registry(),
		Stats: s.stats, Config: s.currentConfig, SetConfig: s.setConfig,
	}
}

// stats is what /stats shows.
func (s *server) stats() any {
	process, err := procstat.Self()
	if err != nil {
		s.log.Warn().Err(err).Msg("usage of the process is not known")
	}
	return struct {
		Server   string         `json:"server"`
		Counts   meter.Counts   `json:"counts"`
		Pool     poolStats      `json:"pool"`
		Listener accept.Stats   `json:"listener"`
		Process  procstat.Usage `json:"process"`
	}{name, s.meter.Counts(), s.pool.stats(), s.listener.Stats(), process}
}

// currentConfig is what /config shows: every flag by name, as its text is now, the limits in force, and the
// versions of the modules inside.
func (s *server) currentConfig() any {
	shown := map[string]any{"limits": s.limits, "versions": program.Versions()}
	for flag, value := range s.flags {
		shown[flag] = value
	}
	now := s.pool.stats()
	shown["workers"], shown["queue"] = strconv.Itoa(now.Workers), strconv.Itoa(now.QueueLimit)
	return shown
}

// setConfig changes workers and queue: {"workers": 20, "queue": 50}; what is left out stays.
func (s *server) setConfig(body []byte) error {
	changes, err := admin.Changes(body, `{"workers": 20, "queue": 50}`)
	if err != nil {
		return err
	}
	changed, now := s.config, s.pool.stats()
	settings := pflag.NewFlagSet(name, pflag.ContinueOnError)
	settings.IntVar(&changed.Workers, "workers", now.Workers, "")
	settings.IntVar(&changed.Queue, "queue", now.QueueLimit, "")
	if err := config.Assign(settings, changes); err != nil {
		return err
	}
	if err := changed.Validate(); err != nil {
		return err
	}
	if err := s.descriptorsFor(changed.Workers); err != nil {
		return err
	}
	s.pool.resize(changed.Workers, changed.queueLimit(changed.Queue))
	s.log.Info().Int("workers", changed.Workers).Int("queue", changed.Queue).Msg("pool changed")
	return nil
}
