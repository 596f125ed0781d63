package load

import (
	"fmt"
	"runtime"
	"sync/atomic"
	"time"
	"unsafe"

	"golang.org/x/sys/unix"
)

// coarse says that the kernel (before 5.11) waits in whole milliseconds only.
var coarse atomic.Bool

// turn is how long a loop keeps its place in Go's scheduler: less than the 10 ms after which the runtime's monitor steps in.
const turn = 9 * time.Millisecond

// wait takes the events that are there, or waits for the first ones as long as the loop's patience lasts. Under load
// something is there nearly always, so it looks before it falls asleep.
func (l *loop) wait() (int, error) {
	n, errno := poll(l.epoll, l.events[:], 0)
	if n == 0 && errno == 0 {
		if patience := l.patience(); patience > 0 {
			n, errno = poll(l.epoll, l.events[:], l.yield(patience))
		}
	}
	switch errno {
	case 0:
		return n, nil
	case unix.EINTR:
		return 0, nil
	case unix.ENOSYS:
		coarse.Store(true)
		return 0, nil
	}
	return 0, fmt.Errorf("wait for events: %w", errno)
}

// yield begins a new turn when the old one was long, and returns what is left of the patience. A goroutine that is found
// asleep in the kernel in an old turn loses its place, and the runtime's monitor then watches every 20 µs for a while: that
// took 2 to 6 % of the processor time of a run. When something is due soon, nothing may come in between.
func (l *loop) yield(patience time.Duration) time.Duration {
	if l.now-l.turned < int64(turn) || patience < time.Millisecond {
		return patience
	}
	runtime.Gosched()
	l.turned = l.clock()
	return l.patience()
}

// poll calls epoll_pwait2(2), or epoll_pwait(2) where there is none. A wait of no time is made without telling Go's
// scheduler, which would cost more than the call.
func poll(epoll int, events []unix.EpollEvent, patience time.Duration) (int, unix.Errno) {
	into, size := uintptr(unsafe.Pointer(unsafe.SliceData(events))), uintptr(len(events))
	var n uintptr
	var errno unix.Errno
	switch {
	case patience == 0:
		n, _, errno = unix.RawSyscall6(unix.SYS_EPOLL_PWAIT, uintptr(epoll), into, size, 0, 0, 0)
	case coarse.Load():
		ms := (patience + time.Millisecond - 1) / time.Millisecond
		n, _, errno = unix.Syscall6(unix.SYS_EPOLL_PWAIT, uintptr(epoll), into, size, uintptr(ms), 0, 0)
	default:
		timeout := unix.NsecToTimespec(int64(patience))
		n, _, errno = unix.Syscall6(unix.SYS_EPOLL_PWAIT2, uintptr(epoll), into, size,
			uintptr(unsafe.Pointer(&timeout)), 0, 0)
	}
	if errno != 0 {
		return 0, errno
	}
	return int(n), 0
}

// preciseTimers has the kernel wake this thread without the 50 µs of slack it has by default (prctl(2),
// PR_SET_TIMERSLACK). The returned function undoes that. Where the kernel can't, the send lag shows it.
func preciseTimers() (undo func()) {
	_ = unix.Prctl(unix.PR_SET_TIMERSLACK, 1, 0, 0, 0)
	return func() { _ = unix.Prctl(unix.PR_SET_TIMERSLACK, 0, 0, 0, 0) }
}
