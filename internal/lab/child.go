package lab

import (
	"context"
	"errors"
	"fmt"
	"os/exec"
	"sync/atomic"
	"syscall"
	"time"

	"golang.org/x/sys/unix"
)

// child is a process of the lab.
type child struct {
	name   string
	cmd    *exec.Cmd
	output *output
	// up is set once the child is ready; an end before that is for who starts it to see.
	up atomic.Bool
	// stopping is set before the child is told to end: an end before that is unasked.
	stopping atomic.Bool
	// exited is closed when the process is gone and its output read; err is then how it ended.
	exited chan struct{}
	err    error
}

// startChild starts program as a child. log, if set, gets each line that it writes.
func startChild(s *spawner, name, program string, args []string, log func(string)) (*child, error) {
	c := &child{name: name, cmd: exec.Command(program, args...), output: newOutput(log), exited: make(chan struct{})}
	c.cmd.Stdout, c.cmd.Stderr = c.output, c.output
	c.cmd.WaitDelay = time.Second
	if err := s.start(c.cmd); err != nil {
		return nil, fmt.Errorf("start %s (%s): %w", name, program, err)
	}
	go func() {
		c.err = c.cmd.Wait()
		close(c.exited)
	}()
	return c, nil
}

// watch marks the child as ready. It calls unasked, from another goroutine, when the child ends without [child.stop].
func (c *child) watch(unasked func(error)) {
	c.up.Store(true)
	go func() {
		<-c.exited
		if !c.stopping.Load() {
			unasked(c.ended())
		}
	}()
}

// announced waits for the child to say where it listens.
func (c *child) announced(ctx context.Context) (announcement, error) {
	select {
	case a := <-c.output.announced:
		return a, nil
	case <-c.exited:
		return announcement{}, c.ended()
	case <-ctx.Done():
		return announcement{}, fmt.Errorf("wait for %s to say that it listens: %w; %s", c.name, context.Cause(ctx),
			c.output.last())
	}
}

// ended describes an unasked end; it wraps the *[exec.ExitError] of a bad one.
func (c *child) ended() error {
	if c.err == nil {
		return fmt.Errorf("%s ended by itself (exit status 0); %s", c.name, c.output.last())
	}
	return fmt.Errorf("%s ended by itself (%w); %s", c.name, c.err, c.output.last())
}

// stop asks the child to end, and kills it when it takes longer than drain or ctx ends. It returns an error when the child,
// once ready, had ended by itself, had to be killed, or ended badly. It is called once.
func (c *child) stop(ctx context.Context, drain time.Duration) error {
	c.stopping.Store(true)
	select {
	case <-c.exited:
		if c.up.Load() {
			return c.ended()
		}
		return nil
	default:
	}
	asked := time.Now()
	_ = c.cmd.Process.Signal(unix.SIGTERM) // fails only when it is gone
	patience := time.NewTimer(drain)
	defer patience.Stop()
	select {
	case <-c.exited:
		return c.goodbye()
	case <-patience.C:
	case <-ctx.Done():
	}
	_ = c.cmd.Process.Kill()
	<-c.exited
	return fmt.Errorf("%s had not ended %s after SIGTERM and was killed; %s", c.name,
		time.Since(asked).Round(time.Millisecond), c.output.last())
}

// goodbye says how a child that was asked to end did. To die of the signal itself is no failure.
func (c *child) goodbye() error {
	var exit *exec.ExitError
	if c.err == nil || errors.As(c.err, &exit) && exit.Sys().(syscall.WaitStatus).Signal() == unix.SIGTERM {
		return nil
	}
	return fmt.Errorf("%s ended badly after SIGTERM (%w); %s", c.name, c.err, c.output.last())
}
