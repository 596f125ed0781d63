// Package drill carries out the events of a timeline on a running lab, each at its time from the start of a round, and
// puts everything back behind it.
package drill

import (
	"context"
	"errors"
	"fmt"
	"time"

	"poolvsloop/internal/timeline"
)

// Lab is what events are carried out on. Its methods are called from one goroutine at a time.
type Lab interface {
	// Setting returns the value of a program's setting, Set changes it.
	Setting(ctx context.Context, program, setting string) (string, error)
	Set(ctx context.Context, program, setting, value string) error
}

// Drill is the events of one round. Its methods are called in the order Start, Stop, Restore, once each, from one goroutine
// at a time.
type Drill struct {
	lab    Lab
	events []timeline.Event
	// Before are the values from before the first event, by [timeline.Event.Key].
	Before map[string]string

	cancel context.CancelFunc
	over   chan struct{}
	done   []timeline.Done
}

// Prepare reads what the events, which are in the order of their times, are going to change.
func Prepare(ctx context.Context, l Lab, events []timeline.Event) (*Drill, error) {
	d := &Drill{lab: l, events: events, Before: map[string]string{}}
	for _, e := range events {
		if _, read := d.Before[e.Key()]; read {
			continue
		}
		value, err := l.Setting(ctx, e.Program, e.Setting)
		if err != nil {
			return nil, fmt.Errorf("read %s, which an event changes: %w", e.Key(), err)
		}
		d.Before[e.Key()] = value
	}
	return d, nil
}

// Start begins to carry the events out in a goroutine of its own, which [Drill.Stop] ends. Times count from origin.
func (d *Drill) Start(ctx context.Context, origin time.Time) {
	ctx, d.cancel = context.WithCancel(ctx)
	d.over = make(chan struct{})
	go func() {
		defer close(d.over)
		for _, e := range d.events {
			d.done = append(d.done, d.carryOut(ctx, e, origin))
		}
	}()
}

var errEnded = errors.New("the round ended before it")

// carryOut waits for an event's time and sets what it says.
func (d *Drill) carryOut(ctx context.Context, e timeline.Event, origin time.Time) timeline.Done {
	done := timeline.Done{Event: e}
	timer := time.NewTimer(time.Until(origin.Add(e.At)))
	defer timer.Stop()
	select {
	case <-timer.C:
	case <-ctx.Done():
	}
	if ctx.Err() != nil {
		done.Err = errEnded
		return done
	}
	done.Begun, done.Lag = true, time.Since(origin)-e.At
	begun := time.Now()
	done.Err = d.lab.Set(ctx, e.Program, e.Setting, e.Value)
	done.Took = time.Since(begun)
	return done
}

// Stop ends the drill and says how each event went; those whose time had not come failed.
func (d *Drill) Stop() []timeline.Done {
	if d.over == nil {
		return nil
	}
	d.cancel()
	<-d.over
	return d.done
}

// restoring bounds how long it may take to put one setting back.
const restoring = 10 * time.Second

// Restore sets everything back to what it was, also when ctx has ended. The error names what could not be.
func (d *Drill) Restore(ctx context.Context) error {
	var errs []error
	put := map[string]bool{}
	for _, e := range d.events {
		if put[e.Key()] {
			continue
		}
		put[e.Key()] = true
		bounded, cancel := context.WithTimeout(context.WithoutCancel(ctx), restoring)
		if err := d.lab.Set(bounded, e.Program, e.Setting, d.Before[e.Key()]); err != nil {
			errs = append(errs, fmt.Errorf("put %s back to %s: %w", e.Key(), d.Before[e.Key()], err))
		}
		cancel()
	}
	return errors.Join(errs...)
}
