package main

import (
	"errors"
	"fmt"

	"poolvsloop/internal/accept"
	"poolvsloop/internal/admin"
	"poolvsloop/internal/meter"
	"poolvsloop/internal/procstat"
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

// currentConfig is what /config shows: every flag by name, what was changed since the start, and the limits in force.
func (s *server) currentConfig() any {
	shown := map[string]any{"limits": s.limits}
	for flag, value := range s.flags {
		shown[flag] = value
	}
	now := s.pool.stats()
	shown["workers"], shown["queue"] = now.Workers, now.QueueLimit
	return shown
}

// setConfig changes workers and queue: {"workers": 20, "queue": 50}; what is left out stays.
func (s *server) setConfig(body []byte) error {
	now := s.pool.stats()
	wanted := struct {
		Workers *int `json:"workers"`
		Queue   *int `json:"queue"`
	}{&now.Workers, &now.QueueLimit}
	if err := admin.Decode(body, &wanted, `{"workers": N, "queue": N}`); err != nil {
		return err
	}
	if wanted.Workers == nil || wanted.Queue == nil {
		return errors.New(`want {"workers": N, "queue": N}: null is neither`)
	}
	changed := s.config
	changed.Workers, changed.Queue = *wanted.Workers, *wanted.Queue
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

// descriptorsFor says whether more workers than at the start find their descriptors.
func (s *server) descriptorsFor(workers int) error {
	need := otherDescriptors + workerDescriptors*workers + s.limits.MaxConns
	if workers <= s.config.Workers || uint64(need) <= s.limits.NofileSoft {
		return nil
	}
	return fmt.Errorf("workers %d and %d connections need %d descriptors of %d: start with more --workers or fewer "+
		"--max-conns, or raise the limit (ulimit -n)", workers, s.limits.MaxConns, need, s.limits.NofileSoft)
}
