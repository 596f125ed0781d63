package procstat

import (
	"errors"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"testing"

	"github.com/stretchr/testify/require"
	"golang.org/x/sys/unix"
)

// countSelf counts the system calls of this process, or skips the test where that is not allowed.
func countSelf(t *testing.T) *SyscallCounter {
	t.Helper()
	c, err := CountSyscalls(os.Getpid())
	if errors.Is(err, fs.ErrPermission) || errors.Is(err, fs.ErrNotExist) || errors.Is(err, unix.EPERM) || errors.Is(err, unix.EACCES) {
		t.Skip("not allowed here: ", err)
	}
	require.NoError(t, err)
	t.Cleanup(c.Close)
	return c
}

func TestSyscallsAreCounted(t *testing.T) {
	c := countSelf(t)
	before, err := c.Count()
	require.NoError(t, err)
	for range 1000 {
		_ = unix.Getppid()
	}
	after, err := c.Count()
	require.NoError(t, err)
	require.GreaterOrEqual(t, after-before, uint64(1000))
}

func TestSyscallsOfLaterThreadsAreCounted(t *testing.T) {
	c := countSelf(t)
	before, err := c.Count()
	require.NoError(t, err)
	done := make(chan struct{})
	go func() {
		defer close(done)
		runtime.LockOSThread() // never unlocked: the thread ends with its goroutine
		for range 1000 {
			_ = unix.Getppid()
		}
	}()
	<-done
	after, err := c.Count()
	require.NoError(t, err)
	require.GreaterOrEqual(t, after-before, uint64(1000))
}

// endedPID is that of a process that has ended.
func endedPID(t *testing.T) int {
	t.Helper()
	c := exec.Command("true")
	require.NoError(t, c.Run())
	return c.Process.Pid
}

func TestReadsAndWritesAreCounted(t *testing.T) {
	before, err := Process(os.Getpid())
	require.NoError(t, err)
	if before.ReadWriteCalls < 0 {
		t.Skip("/proc/PID/io cannot be read here")
	}
	null, err := os.OpenFile(os.DevNull, os.O_RDWR, 0)
	require.NoError(t, err)
	defer null.Close()
	for range 500 {
		_, _ = null.Write([]byte("x"))
		_, _ = null.Read(make([]byte, 1))
	}
	after, err := Self()
	require.NoError(t, err)
	require.GreaterOrEqual(t, after.Since(before).ReadWriteCalls, int64(1000))
	unknown := Usage{ReadWriteCalls: -1}
	require.Negative(t, after.Since(unknown).ReadWriteCalls)
	require.Negative(t, unknown.Since(after).ReadWriteCalls)
}

func TestSyscallsOfAProcessThatHasEnded(t *testing.T) {
	countSelf(t)
	_, err := CountSyscalls(endedPID(t))
	require.ErrorIs(t, err, ErrEnded)
}

func TestKernelMemory(t *testing.T) {
	const meminfo = "MemTotal: 100 kB\nSlab: 20 kB\nKernelStack: 3 kB\nPageTables: 4 kB\n"
	const sockstat = "sockets: used 32\nTCP: inuse 2 orphan 0 tw 0 alloc 2 mem 142\nUDP: inuse 0 mem 7\n"
	for name, c := range map[string]struct {
		meminfo, sockstat string
		want              KernelMemory
		says              string
	}{
		"all there":    {meminfo, sockstat, KernelMemory{27 << 10, 142 * int64(os.Getpagesize())}, ""},
		"no slab":      {"MemTotal: 100 kB\nKernelStack: 3 kB\nPageTables: 4 kB\n", sockstat, KernelMemory{}, "no Slab"},
		"no meminfo":   {"", sockstat, KernelMemory{}, "meminfo"},
		"no TCP":       {meminfo, "sockets: used 32\n", KernelMemory{}, "no mem of TCP"},
		"no sockstat":  {meminfo, "", KernelMemory{}, "sockstat"},
		"TCP of words": {meminfo, "TCP: inuse a few\n", KernelMemory{}, "sockstat"},
	} {
		t.Run(name, func(t *testing.T) {
			proc := t.TempDir()
			for file, text := range map[string]string{"meminfo": c.meminfo, "net/sockstat": c.sockstat} {
				path := filepath.Join(proc, file)
				require.NoError(t, os.MkdirAll(filepath.Dir(path), 0o755))
				if text != "" {
					require.NoError(t, os.WriteFile(path, []byte(text), 0o600))
				}
			}
			got, err := readKernelMemory(proc)
			if c.says != "" {
				require.ErrorContains(t, err, c.says)
				return
			}
			require.NoError(t, err)
			require.Equal(t, c.want, got)
		})
	}
	now, err := ReadKernelMemory()
	require.NoError(t, err)
	require.Positive(t, now.Bytes)
}
