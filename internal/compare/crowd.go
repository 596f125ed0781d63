package compare

import (
	"fmt"
	"math"
	"time"

	"poolvsloop/internal/config"
	"poolvsloop/internal/crowd"
	"poolvsloop/internal/flow"
	"poolvsloop/internal/load"
	"poolvsloop/internal/results"
)

// What crowds ask for that name no path: neither calls A, B or the cache, so that the ledgers hold the requests of the
// measured clients alone. What slow readers ask for has to be more than the kernel takes off a server: 3 MB between
// processes of one machine, where net.ipv4.tcp_wmem allows 4 MiB.
const (
	crowdPath  = flow.HoldPath + "?ms=50"
	crowdLarge = flow.HoldPath + "?size=8388608"
)

// resolveCrowds reads the crowds of the configuration, completes them, and returns all that is wrong with them.
func resolveCrowds(c *results.Config) error {
	specs, err := crowd.ParseAll(c.With)
	if err != nil || len(specs) == 0 {
		return named("--with", err)
	}
	c.With = nil
	for _, s := range specs {
		c.With = append(c.With, s.String())
		if s.Timed && c.Duration > 0 && s.At >= time.Duration(c.Duration) {
			return fmt.Errorf("--with %q: want a --duration (-t) above %s: a crowd has to come before the round ends", s, s.At)
		}
	}
	return nil
}

// crowded says whether crowds are beside the clients that are measured.
func crowded(c results.Config) bool { return len(c.With) > 0 }

// crowds are what the load engine is told of those beside a round.
func (s *session) crowds(server Server) ([]load.Crowd, error) {
	specs, err := crowd.ParseAll(s.config.With)
	var all []load.Crowd
	for _, spec := range specs {
		all = append(all, spec.Crowd(crowd.Target{
			Host: config.AddressOf(s.evidence.URLs[server]), Path: crowdPath, Large: crowdLarge,
		}))
	}
	return all, err
}

// crowdsOf is what became of the crowds over the rounds of a server.
func crowdsOf(c results.Config, own []Measurement) []results.Crowd {
	all := []results.Crowd{}
	specs, err := crowd.ParseAll(c.With)
	if err != nil {
		return all // resolveCrowds has read them before
	}
	for i, spec := range specs {
		var books []load.CrowdResult
		for _, m := range own {
			if i < len(m.Load.Crowds) {
				books = append(books, m.Load.Crowds[i])
			}
		}
		all = append(all, crowd.Total(spec, books))
	}
	return all
}

// disturbed is from which moment of a round on something is done to the lab on purpose, so that requests may fail for that:
// at an event, or when a crowd comes. It is the longest time where nothing is.
func disturbed(m Measurement, c results.Config) time.Duration {
	first := time.Duration(math.MaxInt64)
	if len(m.Events) > 0 {
		first = m.Events[0].At
	}
	specs, err := crowd.ParseAll(c.With)
	if err != nil {
		return first
	}
	for _, s := range specs {
		if !s.Timed {
			return 0
		}
		first = min(first, s.At)
	}
	return first
}

// checkCrowds: every connection of a crowd has one outcome.
func checkCrowds(all []Measurement) results.Check {
	connections := 0
	for _, m := range all {
		for _, r := range m.Load.Crowds {
			connections += r.Started
		}
	}
	return each("crowd_books", all, fmt.Sprintf("all of %d connections of crowds have one outcome each", connections), func(m Measurement) string {
		for _, r := range m.Load.Crowds {
			if err := r.Books(); err != nil {
				return err.Error()
			}
		}
		return ""
	})
}

// excused turns a check that a crowd may fail on purpose into a warning.
func excused(c results.Check) results.Check {
	switch c.Name {
	case "no_client_starved", "no_listen_overflows":
		if !c.OK {
			c.OK, c.Status = true, results.Warning
			c.Detail += ". A crowd may do that: it is no fault of the measurement"
		}
	}
	return c
}

// crowdedWhy and crowdedNext stand for an explanation, whose models know the measured clients alone.
const (
	crowdedWhy = "Why: the clients beside the measured ones take what the servers have, on purpose: predictions and the limit " +
		"know nothing of them and are left out. The section on crowds tells what became of them."
	crowdedNext = "Next: the same command without --with, for the limit and the predictions of the measured clients alone."
)
