package lab

import (
	"bufio"
	"fmt"
	"io"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"testing"
	"time"

	"github.com/prometheus/procfs"
	"github.com/stretchr/testify/require"
	"golang.org/x/sys/unix"

	"poolvsloop/internal/procstat"
)

// buildParent compiles testdata/parent.
func buildParent(t *testing.T) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "parent")
	out, err := exec.Command("go", "build", "-o", path, "./testdata/parent").CombinedOutput()
	require.NoError(t, err, string(out))
	return path
}

// startParent runs a command that ends up in testdata/parent, and returns it with the pid of that program once its lab is
// up, and those of the lab's children.
func startParent(t *testing.T, command ...string) (c *exec.Cmd, runner int, children []int) {
	t.Helper()
	c = exec.Command(command[0], command[1:]...)
	c.Env = append(os.Environ(), "GORACE=atexit_sleep_ms=0") // the race detector's programs take a second to exit
	c.Stderr = os.Stderr
	out, err := c.StdoutPipe()
	require.NoError(t, err)
	require.NoError(t, c.Start())
	line, err := bufio.NewReader(out).ReadString('\n')
	require.NoError(t, err)
	_, err = fmt.Sscanf(line, "runner %d", &runner)
	require.NoError(t, err)
	t.Cleanup(func() {
		_ = c.Process.Kill()
		_, _ = io.Copy(io.Discard, out)
		_ = c.Wait()
	})
	children = childrenOf(t, runner)
	require.Len(t, children, 5)
	return c, runner, children
}

// childrenOf finds the processes whose parent is pid.
func childrenOf(t *testing.T, pid int) []int {
	t.Helper()
	all, err := procfs.AllProcs()
	require.NoError(t, err)
	var children []int
	for _, p := range all {
		if stat, err := p.Stat(); err == nil && stat.PPID == pid {
			children = append(children, p.PID)
		}
	}
	return children
}

// patience is how long a busy machine may take for what takes milliseconds.
const patience = 20 * time.Second

// requireLeave is the promise: whatever kills the runner, nothing is left.
func requireLeave(t *testing.T, pids []int) {
	t.Helper()
	for _, pid := range pids {
		require.Eventually(t, func() bool {
			_, err := procstat.Process(pid)
			return err != nil
		}, patience, 5*time.Millisecond, "process %d is left", pid)
	}
}

func TestKilledRunnerLeavesNothing(t *testing.T) {
	programs, parent := fakePrograms(t), buildParent(t)
	for _, sent := range []unix.Signal{unix.SIGKILL, unix.SIGHUP, unix.SIGTERM} {
		t.Run(unix.SignalName(sent), func(t *testing.T) {
			if signal.Ignored(sent) {
				t.Skip("these tests were started to outlive that signal (nohup), and so would the runner")
			}
			t.Setenv("TMPDIR", t.TempDir())
			c, _, children := startParent(t, parent, programs)
			require.NoError(t, c.Process.Signal(sent))
			requireLeave(t, children)
			require.Eventually(t, func() bool {
				if sent != unix.SIGTERM {
					sweep(os.TempDir()) // as the next start does
				}
				left, err := filepath.Glob(filepath.Join(os.TempDir(), scratchPrefix+"*"))
				return err == nil && len(left) == 0
			}, patience, 5*time.Millisecond)
		})
	}
}

func TestKilledGoRunLeavesNothing(t *testing.T) {
	t.Setenv("TMPDIR", t.TempDir())
	c, runner, children := startParent(t, "go", "run", "./testdata/parent", fakePrograms(t))
	require.NotEqual(t, c.Process.Pid, runner)
	require.NoError(t, c.Process.Kill())
	requireLeave(t, append(children, runner))
	requireNoScratch(t)
}

// slowTool runs each step of a build after it has said so and waited.
const slowTool = `#!/bin/sh
touch "$TMPDIR/building"
sleep 0.2
exec "$@"
`

func TestRunnerKilledWhileBuildingLeavesNothing(t *testing.T) {
	parent, root := buildParent(t), tree(t, "package main\n\nfunc main() {}\n")
	t.Setenv("TMPDIR", t.TempDir())
	t.Setenv("GOCACHE", t.TempDir())
	tool := filepath.Join(t.TempDir(), "slow")
	write(t, tool, slowTool, 0o755)
	t.Setenv("GOFLAGS", "-toolexec="+tool)
	t.Chdir(root)
	c := exec.Command(parent, "")
	require.NoError(t, c.Start())
	require.Eventually(t, func() bool {
		_, err := os.Stat(filepath.Join(os.TempDir(), "building"))
		return err == nil
	}, 10*time.Second, 5*time.Millisecond, "the build begins")
	builder := childrenOf(t, c.Process.Pid)
	require.Len(t, builder, 1)
	require.NoError(t, c.Process.Kill())
	require.Error(t, c.Wait())
	requireLeave(t, builder)
}
