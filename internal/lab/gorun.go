package lab

import (
	"bytes"
	"fmt"
	"os"
	"time"

	"golang.org/x/sys/unix"
)

// parentEvery is how often it is looked whether "go run" still lives.
const parentEvery = 200 * time.Millisecond

// followGoRun sends this process SIGTERM, once, when its parent dies, if that is "go run": a kill -9 of that would leave its
// program, and so the lab, behind. It returns when it has, or done is closed, or at once under any other parent.
//
// PR_SET_PDEATHSIG would not do: it sends the signal for each thread of the parent that dies, and a second SIGTERM kills
// before anything is tidied up.
func followGoRun(done <-chan struct{}) {
	parent := os.Getppid()
	comm, err := os.ReadFile(fmt.Sprintf("/proc/%d/comm", parent))
	if err != nil || string(bytes.TrimSpace(comm)) != "go" {
		return
	}
	ticks := time.NewTicker(parentEvery)
	defer ticks.Stop()
	for os.Getppid() == parent {
		select {
		case <-ticks.C:
		case <-done:
			return
		}
	}
	_ = unix.Kill(os.Getpid(), unix.SIGTERM)
}
