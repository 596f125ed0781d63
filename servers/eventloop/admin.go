package main

import (
	"fmt"
	"time"

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
	loops := make([]loopStats, len(s.loops))
	for i, l := range s.loops {
		loops[i] = l.stats()
	}
	return struct {
		Server   string         `json:"server"`
		Mistake  string         `json:"mistake"`
		Counts   meter.Counts   `json:"counts"`
		Loops    []loopStats    `json:"loops"`
		Listener accept.Stats   `json:"listener"`
		Process  procstat.Usage `json:"process"`
	}{name, s.config.Mistake, s.meter.Counts(), loops, s.listener.Stats(), process}
}

// currentConfig is what /config shows: every flag by name, what was changed since the start, and the limits in force.
func (s *server) currentConfig() any {
	shown := map[string]any{}
	for flag, value := range s.flags {
		shown[flag] = value
	}
	shown["limits"] = s.limits
	shown["loops"], shown["downstream-conns"] = s.config.Loops, s.downstreamConns
	shown["max-inflight"], shown["max-lag"] = s.maxInflight.Load(), time.Duration(s.maxLag.Load()).String()
	return shown
}

// setConfig changes the two limits that shed load: {"max-inflight": 100, "max-lag": "50ms"}; what is left out stays.
func (s *server) setConfig(body []byte) error {
	changed := s.config
	inflight, lag := int(s.maxInflight.Load()), time.Duration(s.maxLag.Load()).String()
	wanted := struct {
		MaxInflight *int    `json:"max-inflight"`
		MaxLag      *string `json:"max-lag"`
	}{&inflight, &lag}
	if err := admin.Decode(body, &wanted, `{"max-inflight": N, "max-lag": "50ms"}`); err != nil {
		return err
	}
	if wanted.MaxInflight == nil || wanted.MaxLag == nil {
		return fmt.Errorf(`want {"max-inflight": N, "max-lag": "50ms"}: null is neither`)
	}
	most, err := time.ParseDuration(*wanted.MaxLag)
	if err != nil {
		return fmt.Errorf("max-lag: %w", err)
	}
	changed.MaxInflight, changed.MaxLag = *wanted.MaxInflight, most
	if err := changed.Validate(); err != nil {
		return err
	}
	s.maxInflight.Store(int64(changed.MaxInflight))
	s.maxLag.Store(int64(changed.MaxLag))
	s.log.Info().Int("max_inflight", changed.MaxInflight).Dur("max_lag_ms", changed.MaxLag).Msg("limits changed")
	return nil
}
