package main

import (
	"strconv"
	"time"

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

// currentConfig is what /config shows: every flag by name, as its text is now, the limits in force, and the
// versions of the modules inside.
func (s *server) currentConfig() any {
	shown := map[string]any{"limits": s.limits, "versions": program.Versions()}
	for flag, value := range s.flags {
		shown[flag] = value
	}
	shown["loops"], shown["downstream-conns"] = strconv.Itoa(s.config.Loops), strconv.Itoa(s.downstreamConns)
	shown["max-inflight"] = strconv.FormatInt(s.maxInflight.Load(), 10)
	shown["max-lag"] = time.Duration(s.maxLag.Load()).String()
	return shown
}

// setConfig changes the two limits that shed load: {"max-inflight": 100, "max-lag": "50ms"}; what is left out stays.
func (s *server) setConfig(body []byte) error {
	changes, err := admin.Changes(body, `{"max-inflight": 100, "max-lag": "50ms"}`)
	if err != nil {
		return err
	}
	changed := s.config
	settings := pflag.NewFlagSet(name, pflag.ContinueOnError)
	settings.IntVar(&changed.MaxInflight, "max-inflight", int(s.maxInflight.Load()), "")
	settings.DurationVar(&changed.MaxLag, "max-lag", time.Duration(s.maxLag.Load()), "")
	if err := config.Assign(settings, changes); err != nil {
		return err
	}
	if err := changed.Validate(); err != nil {
		return err
	}
	s.maxInflight.Store(int64(changed.MaxInflight))
	s.maxLag.Store(int64(changed.MaxLag))
	s.log.Info().Int("max_inflight", changed.MaxInflight).Dur("max_lag_ms", changed.MaxLag).Msg("limits changed")
	return nil
}
