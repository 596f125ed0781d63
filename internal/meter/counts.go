package meter

import "time"

// Counts is a snapshot of the counters since the start, for /stats and for tests that close the books. Its fields are
// read one after another, not at one instant.
type Counts struct {
	// Responses is the number of answers by status code ("200"), Answered their sum. Codes never sent are left out.
	Responses map[string]uint64 `json:"responses"`
	Answered  uint64            `json:"answered"`
	// Rejected is by reason, Abandoned by where the request was, TimedOut by phase of the connection.
	Rejected  map[string]uint64 `json:"rejected"`
	Abandoned map[string]uint64 `json:"abandoned"`
	TimedOut  map[string]uint64 `json:"timeouts"`
	// Calls is by target and outcome, Resent by target.
	Calls  map[string]map[string]uint64 `json:"calls"`
	Resent map[string]uint64            `json:"resent"`
	// CacheFailOpen is the number of requests that went on as a miss because the cache was down.
	CacheFailOpen uint64 `json:"cache_fail_open"`
	// Panics is the number of panics that were recovered.
	Panics uint64 `json:"panics"`
	// ServiceSeconds is the time of service of all requests together: over a span of time, its growth is the mean number
	// of requests in service.
	ServiceSeconds float64 `json:"service_s"`
	// InFlight is the number of requests in service now, Idle the number of connections in keep-alive wait.
	InFlight int64 `json:"in_flight"`
	Idle     int64 `json:"conns_idle"`
}

// Counts reads all counters.
func (s *Server) Counts() Counts {
	c := Counts{
		Responses: byLabel(s.responses), Rejected: byLabel(s.rejected), Abandoned: byLabel(s.abandoned),
		TimedOut: byLabel(s.timeouts), Resent: byLabel(s.resent), Calls: map[string]map[string]uint64{},
		CacheFailOpen: s.cacheFailed.cells[0].Load(), Panics: s.panics.cells[0].Load(),
		ServiceSeconds: time.Duration(s.served.Load()).Seconds(), InFlight: s.inFlight.Load(), Idle: s.idle.Load(),
	}
	for _, n := range c.Responses {
		c.Answered += n
	}
	s.calls.each(func(values []string, count uint64) {
		target, outcome := values[0], values[1]
		if c.Calls[target] == nil {
			c.Calls[target] = map[string]uint64{}
		}
		c.Calls[target][outcome] = count
	})
	return c
}

func byLabel(c *counters) map[string]uint64 {
	counts := map[string]uint64{}
	c.each(func(values []string, count uint64) { counts[values[0]] = count })
	return counts
}
