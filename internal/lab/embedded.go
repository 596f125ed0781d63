package lab

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"sync"
	"time"

	"golang.org/x/sync/errgroup"
)

// Program is a server of the lab and the flags it is started with, beside those that the lab itself gives: --addr,
// --admin, --log-format, --downstream-a, --downstream-b, --redis.
type Program struct {
	// Name is what the server is called in the lab; Program, when it is another one, the program that it is.
	Name, Program string
	Args          []string
}

func (p Program) program() string {
	if p.Program == "" {
		return p.Name
	}
	return p.Program
}

// Embedded says what [Start] starts.
type Embedded struct {
	// Servers are the servers under test; each is a program, built from its folder under servers.
	Servers []Program
	// DownstreamA and DownstreamB are further flags of A and B, such as --latency const:20ms.
	DownstreamA, DownstreamB []string
	// Redis is auto (redis-server when it is on PATH, else miniredis), redis-server, miniredis, or the host:port of one
	// that is up. Empty is auto.
	Redis string
	// Ready bounds the time from the first start to the last readiness, building left out; 0 is 20 s.
	Ready time.Duration
	// Drain is how long a child may take to end after SIGTERM before it is killed; 0 is 15 s.
	Drain time.Duration
	// Progress, if set, is told in a few words what is being done. It is called by one goroutine.
	Progress func(string)
	// Log, if set, gets every line that a child writes; by several goroutines, one per child.
	Log func(child, line string)
	// Programs is a directory that holds the programs; empty finds or builds them.
	Programs string
	// CacheCommand is the command that runs miniredis (see package cache); empty is this executable with "cache".
	CacheCommand []string
}

const (
	defaultReady = 20 * time.Second
	defaultDrain = 15 * time.Second
)

// Start brings up an embedded lab and returns it ready. ctx bounds the start, not the lab's life. Children inherit the
// environment; the flags given here go before it. On an error nothing is left running, and the error shows the last log
// lines of the child that is to blame.
func Start(ctx context.Context, e Embedded) (*Lab, error) {
	sweep(os.TempDir())
	s, err := newScratch(os.TempDir())
	if err != nil {
		return nil, err
	}
	if e.Progress == nil {
		e.Progress = func(string) {}
	}
	if e.Drain == 0 {
		e.Drain = defaultDrain
	}
	if e.Ready == 0 {
		e.Ready = defaultReady
	}
	b := &bringUp{settings: e, lab: newLab(), scratch: s, spawner: newSpawner(), ended: make(chan struct{})}
	b.lab.owned = b
	go followGoRun(b.ended)
	if err := b.run(ctx); err != nil {
		aborted, cancel := context.WithCancel(ctx)
		cancel() // nothing of a lab that did not come up is worth waiting for
		_ = b.lab.Stop(aborted)
		return nil, interrupted(ctx, err)
	}
	return b.lab, nil
}

// interrupted is the error of a lab that did not come up; it says so when that was because ctx ended.
func interrupted(ctx context.Context, err error) error {
	if ctx.Err() == nil {
		return err
	}
	return fmt.Errorf("interrupted, nothing was measured: %w", err)
}

// bringUp is an embedded lab while it starts, and what is needed to end it.
type bringUp struct {
	settings Embedded
	lab      *Lab
	scratch  *scratch
	spawner  *spawner
	programs string
	ended    chan struct{} // closed by tearDown

	mu       sync.Mutex // protects children
	children []*child   // in the order of their start
}

func (b *bringUp) run(ctx context.Context) error {
	if err := b.locate(ctx); err != nil {
		return err
	}
	b.settings.Progress("starting the lab")
	ctx, cancel := b.readiness(ctx)
	defer cancel()
	redis, err := b.startDependencies(ctx)
	if err != nil {
		return err
	}
	if b.lab.Cache, err = openCache(ctx, redis); err != nil {
		return err
	}
	return b.startServers(ctx)
}

// locate finds or builds the programs. They are children too, so a build directory lives as long as the lab.
func (b *bringUp) locate(ctx context.Context) (err error) {
	names := []string{downstreamProgram}
	for _, s := range b.settings.Servers {
		names = append(names, s.program())
	}
	if b.programs = b.settings.Programs; b.programs != "" {
		return nil
	}
	b.programs, err = findPrograms(ctx, b.spawner, names, filepath.Join(b.scratch.dir, "bin"), b.settings.Progress)
	return err
}

// startDependencies starts the cache and both downstreams at once.
func (b *bringUp) startDependencies(ctx context.Context) (redis string, err error) {
	g, ctx := errgroup.WithContext(ctx)
	g.Go(func() (err error) {
		redis, err = b.startCache(ctx)
		return err
	})
	g.Go(func() (err error) {
		b.lab.A, err = b.startDownstream(ctx, "a", b.settings.DownstreamA)
		return err
	})
	g.Go(func() (err error) {
		b.lab.B, err = b.startDownstream(ctx, "b", b.settings.DownstreamB)
		return err
	})
	return redis, g.Wait()
}

func (b *bringUp) startDownstream(ctx context.Context, name string, args []string) (*Downstream, error) {
	s, err := b.startProgram(ctx, "downstream-"+name, downstreamProgram, append([]string{"--name", name}, args...))
	if err != nil {
		return nil, err
	}
	return &Downstream{Name: name, URL: s.url, admin: s.admin}, nil
}

// startServers starts all servers at once.
func (b *bringUp) startServers(ctx context.Context) error {
	wiring := []string{"--downstream-a", b.lab.A.URL, "--downstream-b", b.lab.B.URL, "--redis", b.lab.Cache.Addr}
	b.lab.Targets = make([]*Target, len(b.settings.Servers))
	g, ctx := errgroup.WithContext(ctx)
	for i, server := range b.settings.Servers {
		g.Go(func() error {
			s, err := b.startProgram(ctx, server.Name, server.program(), slices.Concat(wiring, server.Args))
			if err != nil {
				return err
			}
			b.lab.Targets[i] = &Target{Name: server.Name, URL: s.url, admin: s.admin, pid: s.pid}
			return nil
		})
	}
	return g.Wait()
}

// renew ends all servers and starts them again.
func (b *bringUp) renew(ctx context.Context) error {
	if err := b.stopChildren(ctx, b.isServer); err != nil {
		return err
	}
	ctx, cancel := b.readiness(ctx)
	defer cancel()
	return b.startServers(ctx)
}

// readiness bounds a start.
func (b *bringUp) readiness(ctx context.Context) (context.Context, context.CancelFunc) {
	return context.WithTimeoutCause(ctx, b.settings.Ready, fmt.Errorf("not ready after %s", b.settings.Ready))
}

// startProgram starts one of the lab's programs and waits until it is healthy.
func (b *bringUp) startProgram(ctx context.Context, name, program string, args []string) (*started, error) {
	own := []string{"--addr", "127.0.0.1:0", "--admin", "127.0.0.1:0", "--log-format", "json"}
	c, err := b.spawn(name, filepath.Join(b.programs, program), append(own, args...))
	if err != nil {
		return nil, err
	}
	a, err := c.announced(ctx)
	if err != nil {
		return nil, err
	}
	port, err := newAdmin(name, a.Admin)
	if err != nil {
		return nil, err
	}
	s := &started{url: "http://" + a.Addr, admin: port, pid: c.cmd.Process.Pid}
	return s, b.settled(c, waitHealthy(ctx, name, s.url, c))
}

// started is a program of the lab that is up.
type started struct {
	url   string
	admin *admin
	pid   int
}

func (b *bringUp) spawn(name, program string, args []string) (*child, error) {
	var log func(string)
	if b.settings.Log != nil {
		log = func(line string) { b.settings.Log(name, line) }
	}
	c, err := startChild(b.spawner, name, program, args, log)
	if err != nil {
		return nil, err
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	b.children = append(b.children, c)
	return c, nil
}

// settled passes err on; without one the child is up, and from now on its unasked end breaks the lab.
func (b *bringUp) settled(c *child, err error) error {
	if err == nil {
		c.watch(b.lab.fail)
	}
	return err
}

// tearDown ends the servers, then what they depend on. Nil has nothing to end.
func (b *bringUp) tearDown(ctx context.Context) error {
	if b == nil {
		return nil
	}
	servers := b.stopChildren(ctx, b.isServer)
	others := b.stopChildren(ctx, func(*child) bool { return true })
	b.spawner.close()
	close(b.ended)
	return errors.Join(servers, others, b.scratch.remove())
}

func (b *bringUp) isServer(c *child) bool {
	return slices.ContainsFunc(b.settings.Servers, func(s Program) bool { return s.Name == c.name })
}

// stopChildren ends some of the children and forgets them.
func (b *bringUp) stopChildren(ctx context.Context, which func(*child) bool) error {
	b.mu.Lock()
	defer b.mu.Unlock()
	var wait sync.WaitGroup
	errs := make([]error, len(b.children))
	for i, c := range b.children {
		if which(c) {
			wait.Go(func() { errs[i] = c.stop(ctx, b.settings.Drain) })
		}
	}
	wait.Wait()
	b.children = slices.DeleteFunc(b.children, which)
	return errors.Join(errs...)
}
