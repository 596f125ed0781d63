package main

import "time"

// drain serves what is in the queues and ends idle connections, for as long as the configuration lets it.
func (s *server) drain(served <-chan error) {
	s.log.Info().Dur("drain_ms", s.config.Drain).Msg("draining")
	s.draining.Store(true)
	done := make(chan struct{})
	go func() {
		defer close(done)
		s.listener.Drain()
		<-served
		s.conns.readers.Wait()
		s.pool.close()
		s.pool.running.Wait()
	}()
	s.conns.hangUp()
	select {
	case <-done:
		s.log.Info().Msg("drained")
		return
	case <-time.After(s.config.Drain):
	}
	_ = s.listener.Close() // it may be closed already
	s.log.Warn().Int("connections", s.conns.cut()).Msg("drain time is over, cut what was left")
	s.pool.close()
	select {
	case <-done:
	case <-time.After(cutTime):
	}
}

// cutTime is how long connections have to end after they were cut.
const cutTime = 500 * time.Millisecond
