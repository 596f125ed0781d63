// Package procstat reads what a process and its host use and are, from /proc and getrusage(2). Linux only. All functions
// may be called from any goroutine.
package procstat

import (
	"errors"
	"fmt"
	"io/fs"

	"github.com/prometheus/procfs"
	"golang.org/x/sys/unix"
)

// ErrEnded is the error of a process that is not there any more.
var ErrEnded = errors.New("the process has ended")

// Usage is what a process has used since its start (CPU, switches) and holds now (memory, threads, descriptors).
type Usage struct {
	// CPUSeconds is user and system time of all threads.
	CPUSeconds float64 `json:"cpu_s"`
	// RSSBytes is the resident memory now, PeakRSSBytes the most it ever was.
	RSSBytes     int64 `json:"rss_bytes"`
	PeakRSSBytes int64 `json:"peak_rss_bytes"`
	// Threads is the number of OS threads now.
	Threads int `json:"threads"`
	// VoluntarySwitches counts the times a thread gave its CPU up to wait, InvoluntarySwitches those it lost it.
	VoluntarySwitches   int64 `json:"voluntary_switches"`
	InvoluntarySwitches int64 `json:"involuntary_switches"`
	// ReadWriteCalls counts the system calls that read or write (read, write, readv, writev, pread, sendfile and their kin:
	// syscr and syscw of /proc/PID/io), those that failed included and those of threads that ended. Waiting (poll, epoll,
	// futex), recv, send, accept and close are not among them. Negative is not known.
	ReadWriteCalls int64 `json:"read_write_calls"`
	// OpenFDs is the number of open file descriptors now.
	OpenFDs int `json:"open_fds"`
}

// Since returns what was used between before and u: CPU, switches and calls as differences, memory, threads and descriptors
// as they are in u. Both must be of one process and from one source ([Process] or [Self]).
func (u Usage) Since(before Usage) Usage {
	u.CPUSeconds -= before.CPUSeconds
	u.VoluntarySwitches -= before.VoluntarySwitches
	u.InvoluntarySwitches -= before.InvoluntarySwitches
	if u.ReadWriteCalls < 0 || before.ReadWriteCalls < 0 {
		u.ReadWriteCalls = -1
		return u
	}
	u.ReadWriteCalls -= before.ReadWriteCalls
	return u
}

// Self returns the usage of the calling process. CPU and switches come from getrusage(RUSAGE_SELF), which also knows the
// threads that have ended. The peak does not: ru_maxrss survives exec(2), so that a child would report its parent's.
func Self() (Usage, error) {
	var r unix.Rusage
	if err := unix.Getrusage(unix.RUSAGE_SELF, &r); err != nil {
		return Usage{}, fmt.Errorf("getrusage of this process: %w", err)
	}
	u, _, err := snapshot(unix.Getpid())
	if err != nil {
		return Usage{}, err
	}
	u.CPUSeconds = float64(r.Utime.Nano()+r.Stime.Nano()) / 1e9
	u.VoluntarySwitches, u.InvoluntarySwitches = r.Nvcsw, r.Nivcsw
	return u, nil
}

// Process returns the usage of another process from /proc/PID; it needs the rights of the process's owner. A process
// that is gone or a zombie is an error that wraps [ErrEnded].
//
// CPU time: the sum of task/*/schedstat has nanoseconds but loses threads that ended; stat has all threads but counts in
// ticks (10 ms). Each can only be too small, so the larger is taken, which is at most two ticks too small.
// Switches are summed over task/*/status (/proc/PID/status has the main thread's alone); those of threads that ended
// are lost there, which only a process's own getrusage(2) can tell.
func Process(pid int) (Usage, error) {
	u, ticked, err := snapshot(pid)
	if err != nil {
		return Usage{}, err
	}
	threads, err := procfs.AllThreads(pid)
	if err != nil {
		return Usage{}, cannotRead(pid, err)
	}
	var nanoseconds uint64
	for _, t := range threads {
		n, err := u.addThread(t)
		if err != nil {
			return Usage{}, cannotRead(pid, err)
		}
		nanoseconds += n
	}
	u.CPUSeconds = max(ticked, float64(nanoseconds)/1e9)
	return u, nil
}

// addThread adds the switches of a thread to u and returns its CPU time in nanoseconds. A thread that has just ended
// adds nothing; nor does the CPU time of a kernel without schedstat (CONFIG_SCHED_INFO).
func (u *Usage) addThread(t procfs.Proc) (nanoseconds uint64, err error) {
	status, err := t.NewStatus()
	if gone(err) {
		return 0, nil
	}
	if err != nil {
		return 0, err
	}
	u.VoluntarySwitches += int64(status.VoluntaryCtxtSwitches)
	u.InvoluntarySwitches += int64(status.NonVoluntaryCtxtSwitches)
	sched, err := t.Schedstat()
	if err != nil && !gone(err) {
		return 0, err
	}
	return sched.RunningNanoseconds, nil
}

// snapshot reads what /proc/PID knows about the process as a whole, and its CPU time in seconds, counted in ticks.
func snapshot(pid int) (u Usage, ticked float64, err error) {
	p, err := procfs.NewProc(pid)
	if err != nil {
		return Usage{}, 0, cannotRead(pid, err)
	}
	stat, err := p.Stat()
	if err != nil {
		return Usage{}, 0, cannotRead(pid, err)
	}
	if stat.State == "Z" || stat.State == "X" {
		return Usage{}, 0, cannotRead(pid, unix.ESRCH)
	}
	status, err := p.NewStatus()
	if err != nil {
		return Usage{}, 0, cannotRead(pid, err)
	}
	descriptors, err := p.FileDescriptorsLen()
	if err != nil {
		return Usage{}, 0, cannotRead(pid, err)
	}
	return Usage{
		RSSBytes:       int64(status.VmRSS),
		PeakRSSBytes:   max(int64(status.VmHWM), int64(status.VmRSS)),
		Threads:        stat.NumThreads,
		OpenFDs:        descriptors,
		ReadWriteCalls: readWriteCalls(p),
	}, stat.CPUTime(), nil
}

// readWriteCalls is -1 where /proc/PID/io may not be read, or is not there (CONFIG_TASK_IO_ACCOUNTING).
func readWriteCalls(p procfs.Proc) int64 {
	io, err := p.IO()
	if err != nil {
		return -1
	}
	return int64(io.SyscR) + int64(io.SyscW)
}

// cannotRead names the process that err is about.
func cannotRead(pid int, err error) error {
	if gone(err) {
		return fmt.Errorf("process %d: %w", pid, ErrEnded)
	}
	return fmt.Errorf("read the usage of process %d from /proc: %w", pid, err)
}

// gone says whether err means that the process or thread has ended, perhaps between two reads.
func gone(err error) bool {
	return errors.Is(err, fs.ErrNotExist) || errors.Is(err, unix.ESRCH)
}
