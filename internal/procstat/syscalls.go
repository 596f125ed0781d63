package procstat

import (
	"encoding/binary"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"unsafe"

	"golang.org/x/sys/unix"
)

// SyscallCounter counts the system calls that the threads of a process enter, those of threads that start later included:
// the kernel's tracepoint raw_syscalls:sys_enter, counted by perf_event_open(2). Counting makes each call a little slower.
type SyscallCounter struct{ events []int }

// traceIDs are where the number of the tracepoint may be read, below the mount points of tracefs.
var traceIDs = []string{
	"/sys/kernel/tracing/events/raw_syscalls/sys_enter/id",
	"/sys/kernel/debug/tracing/events/raw_syscalls/sys_enter/id",
}

// threadTries is how often the threads of a process are listed until no new one came while they were attached to.
const threadTries = 10

// CountSyscalls begins to count; end it with Close. It needs what perf needs: CAP_PERFMON, or a tracefs that may be read
// and kernel.perf_event_paranoid at most -1. The error says what was in the way.
func CountSyscalls(pid int) (*SyscallCounter, error) {
	id, err := tracepoint()
	if err != nil {
		return nil, fmt.Errorf("count system calls: %w", err)
	}
	for range threadTries {
		c, err := attach(pid, id)
		if err != nil {
			return nil, fmt.Errorf("count system calls of process %d: %w", pid, err)
		}
		if c != nil {
			return c, nil
		}
	}
	return nil, fmt.Errorf("count system calls of process %d: its threads come and go", pid)
}

func tracepoint() (id uint64, err error) {
	var text []byte
	for _, path := range traceIDs {
		if text, err = os.ReadFile(path); err == nil {
			return strconv.ParseUint(strings.TrimSpace(string(text)), 10, 64)
		}
		if errors.Is(err, os.ErrPermission) {
			break
		}
	}
	return 0, fmt.Errorf("%w: want CAP_PERFMON and a tracefs that may be read", err)
}

// attach opens a counter on every thread of a process. A thread that starts in between may have inherited a counter or
// not, so it returns nil when there is one.
func attach(pid int, id uint64) (*SyscallCounter, error) {
	before, err := threads(pid)
	if err != nil {
		return nil, err
	}
	c := &SyscallCounter{}
	attr := unix.PerfEventAttr{Type: unix.PERF_TYPE_TRACEPOINT, Config: id, Bits: unix.PerfBitInherit}
	attr.Size = uint32(unsafe.Sizeof(attr))
	for tid := range before {
		fd, err := unix.PerfEventOpen(&attr, tid, -1, -1, unix.PERF_FLAG_FD_CLOEXEC)
		if errors.Is(err, unix.ESRCH) {
			continue // it has ended
		}
		if err != nil {
			c.Close()
			return nil, fmt.Errorf("perf_event_open: %w: want CAP_PERFMON, or kernel.perf_event_paranoid at most -1", err)
		}
		c.events = append(c.events, fd)
	}
	after, err := threads(pid)
	if err != nil {
		c.Close()
		return nil, err
	}
	for tid := range before {
		delete(after, tid)
	}
	if len(after) > 0 {
		c.Close()
		return nil, nil
	}
	return c, nil
}

// threads are those of a process.
func threads(pid int) (map[int]bool, error) {
	entries, err := os.ReadDir(filepath.Join("/proc", strconv.Itoa(pid), "task"))
	if err != nil {
		return nil, cannotRead(pid, err)
	}
	all := map[int]bool{}
	for _, e := range entries {
		if tid, err := strconv.Atoi(e.Name()); err == nil {
			all[tid] = true
		}
	}
	return all, nil
}

// Count returns how many calls were entered since the counter was opened.
func (c *SyscallCounter) Count() (uint64, error) {
	var all uint64
	for _, fd := range c.events {
		var count [8]byte
		if n, err := unix.Read(fd, count[:]); err != nil || n != len(count) {
			return 0, fmt.Errorf("count system calls: read %d bytes of a counter: %w", n, err)
		}
		all += binary.NativeEndian.Uint64(count[:])
	}
	return all, nil
}

// Close ends the counting. It may be called once.
func (c *SyscallCounter) Close() {
	for _, fd := range c.events {
		// A counter that was read has nothing to lose.
		_ = unix.Close(fd)
	}
}
