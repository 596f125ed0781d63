package compare

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"poolvsloop/internal/drill"
	"poolvsloop/internal/load"
	"poolvsloop/internal/results"
	"poolvsloop/internal/timeline"
)

// resolveEvents reads the events of the configuration, writes them in the order of their times, and returns all that is
// wrong with them.
func resolveEvents(c *results.Config) error {
	events, err := timeline.ParseAll(c.At)
	if err != nil || len(events) == 0 {
		return named("--at", err)
	}
	c.At = nil
	for _, e := range events {
		c.At = append(c.At, e.String())
		if e.Program == timeline.Redis && c.Lab == Attach {
			err = fmt.Errorf("--at %q: only the cache that an embedded lab starts can be stopped", e)
		}
	}
	last := events[len(events)-1]
	return errors.Join(err, unless(last.At < time.Duration(c.Duration),
		"--at %q: want a --duration (-t) above %s: an event has to come before the round ends", last, last.At))
}

// named puts a flag in front of an error.
func named(flag string, err error) error {
	if err == nil {
		return nil
	}
	return fmt.Errorf("%s %w", flag, err)
}

// eventful says whether rounds have events, which make them unsteady on purpose.
func eventful(c results.Config) bool { return len(c.At) > 0 }

// eventsFor are the events of a server's round: those of the other server's settings are left out.
func eventsFor(s Server, all []timeline.Event) []timeline.Event {
	var own []timeline.Event
	for _, e := range all {
		switch Server(e.Program) {
		case s.kind():
			e.Program = string(s)
		case ThreadPool, EventLoop:
			continue
		}
		own = append(own, e)
	}
	return own
}

// events are those of one round; nil when it has none.
type events struct{ *drill.Drill }

// stopCache says whether they stop the cache.
func (e *events) stopCache() bool {
	return e != nil && e.Before[timeline.Redis+"."+timeline.Stopped] != ""
}

// drill prepares the events of a server's round.
func (s *session) drill(ctx context.Context, server Server) (*events, error) {
	all, err := timeline.ParseAll(s.config.At)
	if err != nil {
		return nil, err
	}
	own := eventsFor(server, all)
	if len(own) == 0 {
		return nil, nil
	}
	d, err := drill.Prepare(ctx, s.lab.Knobs(), own)
	return &events{d}, err
}

// endThreads says whether they change the number of threads: those that end take their context switches with them, so
// that nobody can count those of the round.
func (e *events) endThreads() bool {
	if e == nil {
		return false
	}
	for key := range e.Before {
		if strings.HasSuffix(key, ".workers") {
			return true
		}
	}
	return false
}

// run makes the load of a round while its events are carried out, and puts everything back.
func (e *events) run(ctx context.Context, c load.Config, m *Measurement) (err error) {
	if e == nil {
		m.Load, err = load.Run(ctx, c)
		return err
	}
	c.OnStart = func(origin time.Time) { e.Start(ctx, origin) }
	m.Load, err = load.Run(ctx, c)
	m.Events, m.Before, m.CacheStopped = e.Stop(), e.Before, e.stopCache()
	return errors.Join(err, e.Restore(ctx))
}
