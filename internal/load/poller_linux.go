package load

import (
	"fmt"

	"golang.org/x/sys/unix"
)

// poller is an epoll set and an eventfd in it, by which another goroutine wakes the one that waits; none stands for what is
// not there.
type poller struct{ epoll, wake int }

// newPoller makes one; the events of the eventfd have the descriptor none. On an error nothing is left open.
func newPoller() (poller, error) {
	p := poller{none, none}
	var err error
	if p.epoll, err = unix.EpollCreate1(unix.EPOLL_CLOEXEC); err != nil {
		return poller{none, none}, fmt.Errorf("create epoll set: %w", err)
	}
	if p.wake, err = unix.Eventfd(0, unix.EFD_CLOEXEC|unix.EFD_NONBLOCK); err != nil {
		p.release()
		return poller{none, none}, fmt.Errorf("create eventfd: %w", err)
	}
	if errno := control(p.epoll, unix.EPOLL_CTL_ADD, p.wake, &unix.EpollEvent{Events: unix.EPOLLIN, Fd: none}); errno != 0 {
		p.release()
		return poller{none, none}, fmt.Errorf("watch eventfd: %w", errno)
	}
	return p, nil
}

// release closes both.
func (p poller) release() {
	for _, fd := range []int{p.epoll, p.wake} {
		if fd != none {
			hangUp(fd)
		}
	}
}

// interrupt wakes the goroutine that waits. Any goroutine may call it until release.
func (p poller) interrupt() { _, _ = unix.Write(p.wake, []byte{1, 0, 0, 0, 0, 0, 0, 0}) }
