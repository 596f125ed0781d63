package lab

import (
	"context"
	"fmt"
	"net"
	"time"

	"golang.org/x/sync/errgroup"
)

// Endpoint is a server that is already up.
type Endpoint struct {
	// Name is the server's, such as "threadpool".
	Name string
	// URL is http://host:port.
	URL string
	// Admin is host:port or http://host:port of the admin port; without it the server's configuration, counters and usage
	// are not known.
	Admin string
}

// Attached says what [Attach] attaches to. What is optional may be left empty; everything that needs it is then
// [ErrNotKnown].
type Attached struct {
	// Servers are the servers under test, one at least.
	Servers []Endpoint
	// DownstreamA and DownstreamB are the admin ports of A and B, host:port or http://host:port. Optional.
	DownstreamA, DownstreamB string
	// Redis is host:port of the Redis that the servers use. Optional.
	Redis string
	// Ready bounds how long to wait until all of it is ready; 0 is 20 s.
	Ready time.Duration
}

// Attach takes a lab that is up, or is coming up: it waits until every server and all that was named is ready. The error
// names what was not. [Lab.Stop] leaves the lab as it is and lets go of the connections to it.
func Attach(ctx context.Context, a Attached) (*Lab, error) {
	l := newLab()
	err := a.check()
	if err == nil {
		err = a.connect(ctx, l)
	}
	if err != nil {
		_ = l.Stop(ctx)
		return nil, interrupted(ctx, err)
	}
	return l, nil
}

func (a Attached) check() error {
	if len(a.Servers) == 0 {
		return fmt.Errorf("no server to attach to: give at least one URL")
	}
	if _, _, err := net.SplitHostPort(a.Redis); a.Redis != "" && err != nil {
		return fmt.Errorf("redis %q: want host:port", a.Redis)
	}
	return nil
}

// connect fills l with clients and waits for all at once.
func (a Attached) connect(ctx context.Context, l *Lab) (err error) {
	for _, s := range a.Servers {
		t := &Target{Name: s.Name}
		if t.URL, err = baseURL(s.URL); err != nil {
			return fmt.Errorf("URL of %s: %w", s.Name, err)
		}
		if t.admin, err = newAdmin(s.Name, s.Admin); err != nil {
			return err
		}
		l.Targets = append(l.Targets, t)
	}
	if l.A, err = attachDownstream("a", a.DownstreamA); err != nil {
		return err
	}
	if l.B, err = attachDownstream("b", a.DownstreamB); err != nil {
		return err
	}
	limit := a.Ready
	if limit == 0 {
		limit = defaultReady
	}
	ctx, cancel := context.WithTimeoutCause(ctx, limit, fmt.Errorf("not ready after %s", limit))
	defer cancel()
	return a.wait(ctx, l)
}

func attachDownstream(name, address string) (*Downstream, error) {
	port, err := newAdmin("downstream-"+name, address)
	return &Downstream{Name: name, admin: port}, err
}

func (a Attached) wait(ctx context.Context, l *Lab) error {
	g, ctx := errgroup.WithContext(ctx)
	for _, t := range l.Targets {
		g.Go(func() error { return waitHealthy(ctx, t.Name, t.URL, nil) })
		g.Go(func() error { return t.admin.wait(ctx) })
	}
	g.Go(func() error { return l.A.admin.wait(ctx) })
	g.Go(func() error { return l.B.admin.wait(ctx) })
	g.Go(func() (err error) {
		if a.Redis != "" {
			err = waitForRedis(ctx, a.Redis, nil)
		}
		if err == nil {
			l.Cache, err = openCache(ctx, a.Redis)
		}
		return err
	})
	return g.Wait()
}

// wait waits until the port says that its program is healthy; of one that is not known there is nothing to wait for.
func (a *admin) wait(ctx context.Context) error {
	if a == nil {
		return nil
	}
	return waitHealthy(ctx, a.String(), a.base, nil)
}
