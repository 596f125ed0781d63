package lab

import (
	"os/exec"
	"runtime"

	"golang.org/x/sys/unix"
)

// spawner starts processes from one OS thread that lives as long as the spawner. The kernel ties "kill the child when its
// parent dies" (PR_SET_PDEATHSIG) to the thread that started it, not to the process, and Go ends and moves threads as it
// likes.
type spawner struct {
	work chan func()
}

// newSpawner starts the thread; close ends it.
func newSpawner() *spawner {
	s := &spawner{work: make(chan func())}
	go s.run()
	return s
}

func (s *spawner) run() {
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	for f := range s.work {
		f()
	}
}

// start starts c as a child in a process group of its own (Ctrl-C on the terminal is for the parent to act on) that
// gets SIGKILL when this process dies.
func (s *spawner) start(c *exec.Cmd) error {
	c.SysProcAttr = &unix.SysProcAttr{Pdeathsig: unix.SIGKILL, Setpgid: true}
	started := make(chan error)
	s.work <- func() { started <- c.Start() }
	return <-started
}

// close ends the thread. Children must have ended before.
func (s *spawner) close() { close(s.work) }
