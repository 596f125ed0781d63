package main

import "github.com/rs/zerolog"

// gnetLog writes gnet's log lines at their levels, but for what it says of its ordinary life, which is for debugging.
type gnetLog struct{ log zerolog.Logger }

// Debugf, Infof, Warnf, Errorf and Fatalf implement gnet's Logger. Fatalf does not end the process.
func (g gnetLog) Debugf(format string, args ...any) { g.log.Debug().Msgf(format, args...) }
func (g gnetLog) Infof(format string, args ...any)  { g.log.Debug().Msgf(format, args...) }
func (g gnetLog) Warnf(format string, args ...any)  { g.log.Warn().Msgf(format, args...) }
func (g gnetLog) Errorf(format string, args ...any) { g.log.Error().Msgf(format, args...) }
func (g gnetLog) Fatalf(format string, args ...any) { g.log.Error().Msgf(format, args...) }
