// Package lab brings up what a comparison runs against (the servers, downstreams A and B, a cache) and holds the handles
// on it: the targets with their usage, the downstreams with their ledgers, the cache with its counts.
//
// [Start] starts all of it as child processes on free loopback ports; the children die with the calling process, whatever
// kills it. [Attach] takes a lab that is already up. What comes after is the same for both. What an attached lab does not
// tell is [ErrNotKnown], never a made-up value.
package lab

import (
	"context"
	"errors"
	"fmt"
)

// ErrNotKnown is the error of everything that needs an address which [Attached] left out.
var ErrNotKnown = errors.New("address not given")

// errStopped is the cause of an ended lab that nothing was wrong with.
var errStopped = errors.New("the lab was stopped")

// Lab is a lab that is up. Its fields are read-only after [Start] or [Attach]; its methods and those of its parts may be
// called from any goroutine.
type Lab struct {
	// Targets are the servers in the order in which they were given.
	Targets []*Target
	// A and B are the downstreams.
	A, B *Downstream
	// Cache is the Redis that the servers use.
	Cache *Cache

	running context.Context
	fail    context.CancelCauseFunc
	// owned is what [Start] started; nil for an attached lab.
	owned *bringUp
}

func newLab() *Lab {
	l := &Lab{}
	l.running, l.fail = context.WithCancelCause(context.Background())
	return l
}

// Target returns the server of that name.
func (l *Lab) Target(name string) (*Target, error) {
	for _, t := range l.Targets {
		if t.Name == name {
			return t, nil
		}
	}
	return nil, fmt.Errorf("the lab has no server %q", name)
}

// Watch returns a context that ends with parent, and also when a child process of the lab ends unasked; then
// [context.Cause] of it names the child and shows its last log lines. Call cancel when done.
func (l *Lab) Watch(parent context.Context) (ctx context.Context, cancel context.CancelFunc) {
	ctx, end := context.WithCancelCause(parent)
	release := context.AfterFunc(l.running, func() { end(context.Cause(l.running)) })
	return ctx, func() {
		release()
		end(context.Canceled)
	}
}

// Err is why the lab is broken: a child process that ended unasked. It is nil while all is well and after a Stop.
func (l *Lab) Err() error {
	if err := context.Cause(l.running); !errors.Is(err, errStopped) {
		return err
	}
	return nil
}

// Renew ends the servers as Stop does and starts them anew, with the same flags and on new ports: Targets are other ones
// afterwards. A, B and the cache stay. Nothing may be in flight, and no other method may be called meanwhile. An attached
// lab can't be renewed. After an error the lab is broken, and is to be stopped.
func (l *Lab) Renew(ctx context.Context) error {
	if l.owned == nil {
		return errors.New("start the servers anew: they were not started by this lab")
	}
	for _, t := range l.Targets {
		t.close()
	}
	if err := l.owned.renew(ctx); err != nil {
		return fmt.Errorf("start the servers anew: %w", err)
	}
	return nil
}

// Stop ends the lab: SIGTERM to the servers, SIGKILL to those that take longer than Embedded.Drain or when ctx ends, then
// the same for the rest; temporary files are removed. It leaves an attached lab as it is. The error names each child that
// had ended by itself, had to be killed, or ended with a bad exit code: so no end is missed, not even one that came after
// the last look at Err. Call it once, also after a failure.
func (l *Lab) Stop(ctx context.Context) error {
	l.fail(errStopped)
	for _, t := range l.Targets {
		t.close()
	}
	l.A.close()
	l.B.close()
	return errors.Join(l.Cache.close(), l.owned.tearDown(ctx))
}
