package main

import (
	"time"

	"poolvsloop/internal/accept"
)

// drainStep is how often a draining server looks whether it is done.
const drainStep = 10 * time.Millisecond

// drain serves on until every request that came is answered, or --drain has passed: what waits to be accepted is
// accepted, idle connections are closed, and every answer ends its connection.
func (s *server) drain() {
	s.draining.Store(true)
	s.log.Info().Int64("in_flight", s.inFlight.Load()).Int("open", s.listener.Stats().Open).Msg("draining")
	deadline := time.After(s.config.Drain)
	accepted := make(chan struct{})
	go func() {
		defer close(accepted)
		s.listener.Drain()
	}()
	for step := time.NewTicker(drainStep); ; {
		for _, l := range s.loops {
			l.post(l.closeUnused)
		}
		select {
		case <-deadline:
			step.Stop()
			s.log.Warn().Int64("in_flight", s.inFlight.Load()).Int("open", s.listener.Stats().Open).
				Msg("drain time is over, cutting what is left")
			return
		case <-step.C:
		}
		if isClosed(accepted) && s.listener.Stats().Open == 0 {
			step.Stop()
			s.log.Info().Msg("drained")
			return
		}
	}
}

// closeUnused closes the connections of the loop on which no request has begun.
func (l *loop) closeUnused() {
	for x := range l.conns {
		fresh := x.taken == 0 && l.now-x.openedAt < accept.FirstGrace
		if x.unanswered == 0 && x.unsent() == 0 && !x.decoder.Started() && !x.lingering && !fresh {
			x.abort()
		}
	}
}

func isClosed(c <-chan struct{}) bool {
	select {
	case <-c:
		return true
	default:
		return false
	}
}
