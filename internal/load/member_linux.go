package load

import (
	"time"
	"unsafe"

	"golang.org/x/sys/unix"
)

// member is one client of a crowd. It belongs to the crowds' thread. Its phase is connecting, sending (the request or the
// part of it that it sends), reading, or resting: nothing more comes from it.
type member struct {
	crowd      int32
	fd         int   // none without a connection
	generation int32 // of the connection: tells its events from those of an earlier one
	phase      phase
	begun      bool // it has opened a connection
	awaited    bool // the run waits for it to settle
	answered   bool // an answer has come on this connection

	due   int64 // of its alarm
	place int   // of its alarm in the heap

	start, connected int64
	sent             int   // bytes of the request
	taken            int64 // bytes that a slow reader has read
	answer           framer
}

const (
	// stepLeast is how often a slow client sends or reads at most; one of less than a byte in that time waits longer.
	stepLeast = 250 * time.Millisecond
	// reopenAfter is how long a client waits before it opens another connection.
	reopenAfter = time.Second
	// longConnect is a connect time from which on it is looked at, and counted by its seconds.
	longConnect = 500 * time.Millisecond
)

// stepTime is the time between two steps of a slow client.
func stepTime(rate float64) time.Duration {
	return max(stepLeast, time.Duration(min(float64(time.Second)/rate, float64(time.Hour))))
}

// allowed is how many bytes a slow client may have sent or read by now.
func (x *crowds) allowed(m *member) int64 {
	return 1 + int64(x.configs[m.crowd].Rate*time.Duration(x.now-m.connected).Seconds())
}

// alarm serves a member whose alarm is due.
func (x *crowds) alarm(i int32) {
	m := &x.members[i]
	switch kind := x.configs[m.crowd].Kind; {
	case m.fd == none:
		x.open(i)
	case m.phase == connecting || kind == Storm:
		x.finish(i, timeouts[min(m.phase, reading)])
	case kind == SlowSend:
		x.sendSlowly(i)
	case kind == SlowRead:
		x.readSlowly(i)
	}
}

// open starts a connection.
func (x *crowds) open(i int32) {
	m := &x.members[i]
	r := &x.results[m.crowd]
	if r.Started == 0 {
		r.first = x.now
	}
	r.Started++
	r.last = x.now
	m.begun, m.answered, m.start, m.connected, m.sent, m.taken, m.phase = true, false, x.now, 0, 0, 0, connecting
	m.answer.reset(false, false, false)
	var errno unix.Errno
	if m.fd, errno = x.dialers[m.crowd].open(true); errno != 0 {
		m.fd = none
		x.finish(i, failureOf(errno, connecting))
		return
	}
	m.generation++
	ev := unix.EpollEvent{Events: unix.EPOLLIN | unix.EPOLLOUT | unix.EPOLLRDHUP | unix.EPOLLET, Fd: i, Pad: m.generation}
	if errno := control(x.epoll, unix.EPOLL_CTL_ADD, m.fd, &ev); errno != 0 {
		x.finish(i, failureOf(errno, connecting))
		return
	}
	x.set(i, x.now+int64(x.timeout))
}

// event serves what epoll reports of a member.
func (x *crowds) event(i int32, events uint32) {
	m := &x.members[i]
	if m.phase == connecting && !x.connected(i) {
		return
	}
	kind := x.configs[m.crowd].Kind
	if m.phase == sending && kind != SlowSend && !x.push(i, x.wholeOf(m)) {
		return
	}
	if kind == SlowRead && events&(unix.EPOLLERR|unix.EPOLLHUP) == 0 {
		return // it reads when it is time to
	}
	if events&^unix.EPOLLOUT != 0 {
		x.read(i)
	}
}

// wholeOf is how many bytes of the request a member sends.
func (x *crowds) wholeOf(m *member) int {
	if g := &x.configs[m.crowd]; g.Kind == HalfOpen {
		return g.Sent
	}
	return len(x.configs[m.crowd].Request)
}

// connected looks whether the connection stands, and has the member begin to send. It returns false when it does not, or
// has ended.
func (x *crowds) connected(i int32) bool {
	m := &x.members[i]
	code, err := unix.GetsockoptInt(m.fd, unix.SOL_SOCKET, unix.SO_ERROR)
	if err != nil || code != 0 {
		x.finish(i, failureOf(unix.Errno(code), connecting))
		return false
	}
	g, r := &x.configs[m.crowd], &x.results[m.crowd]
	m.connected, m.phase = x.now, sending
	r.Opened++
	took := time.Duration(x.now - m.start)
	r.Connect.record(took.Microseconds(), 1)
	if took >= longConnect {
		r.BySeconds[int((took+time.Second/2)/time.Second)]++
		if info, err := unix.GetsockoptTCPInfo(m.fd, unix.IPPROTO_TCP, unix.TCP_INFO); err == nil && info.Total_retrans > 0 {
			r.Retried++
		}
	}
	switch g.Kind {
	case SlowSend:
		x.calm(m)
		x.sendSlowly(i)
		return m.fd != none
	case SlowRead:
		x.calm(m)
		x.set(i, x.now+int64(stepTime(g.Rate)))
	case HalfOpen:
		x.calm(m)
		x.clear(i)
	case IdleKept:
		x.clear(i)
	case Storm: // its alarm goes on
	}
	return true
}

// calm says that the run need not wait for the member any longer.
func (x *crowds) calm(m *member) {
	if m.awaited {
		m.awaited = false
		x.settle(1)
	}
}

// push sends the request up to so many bytes, as far as the socket takes them. It returns false when the connection has
// ended.
func (x *crowds) push(i int32, upTo int) bool {
	m := &x.members[i]
	request := x.configs[m.crowd].Request
	if m.sent < upTo {
		n, errno := send(m.fd, request[m.sent:upTo])
		if errno != 0 && errno != unix.EAGAIN {
			x.read(i) // an answer may have come before the end
			if m.fd != none {
				x.finish(i, failureOf(errno, sending))
			}
			return false
		}
		m.sent += n
		x.results[m.crowd].Written += int64(n)
	}
	if m.sent == x.wholeOf(m) {
		m.phase = waiting
		if x.configs[m.crowd].Kind == HalfOpen {
			m.phase = resting
		}
	}
	return true
}

// sendSlowly sends as much as the rate allows by now.
func (x *crowds) sendSlowly(i int32) {
	m := &x.members[i]
	g := &x.configs[m.crowd]
	if !x.push(i, int(min(int64(g.Sent)+x.allowed(m), int64(len(g.Request))))) {
		return
	}
	if m.phase == sending {
		x.set(i, x.now+int64(stepTime(g.Rate)))
	} else {
		x.clear(i)
	}
}

// readSlowly reads as much as the rate allows by now.
func (x *crowds) readSlowly(i int32) {
	m := &x.members[i]
	for m.fd != none {
		room := min(x.allowed(m)-m.taken, int64(len(x.in)))
		if room <= 0 || !x.take(i, x.in[:room]) {
			break
		}
	}
	if m.fd != none {
		x.set(i, x.now+int64(stepTime(x.configs[m.crowd].Rate)))
	}
}

// read takes all that has come.
func (x *crowds) read(i int32) {
	for range stretch {
		if !x.take(i, x.in) {
			return
		}
	}
	// More may be there, of which no event will tell: epoll is asked anew.
	m := &x.members[i]
	ev := unix.EpollEvent{Events: unix.EPOLLIN | unix.EPOLLOUT | unix.EPOLLRDHUP | unix.EPOLLET, Fd: i, Pad: m.generation}
	if errno := control(x.epoll, unix.EPOLL_CTL_MOD, m.fd, &ev); errno != 0 {
		x.finish(i, failureOf(errno, min(m.phase, reading)))
	}
}

// take reads once into b. It returns false when there is nothing more, or the connection has ended.
func (x *crowds) take(i int32, b []byte) bool {
	m := &x.members[i]
	r := &x.results[m.crowd]
	n, errno := receive(m.fd, b)
	switch {
	case errno == unix.EAGAIN:
		return false
	case errno != 0:
		x.finish(i, failureOf(errno, min(m.phase, reading)))
		return false
	case n == 0:
		if m.answer.started() && m.answer.closed() {
			x.answered(i)
		}
		if m.fd != none {
			x.close(i, &r.ClosedByServer)
		}
		return false
	}
	r.Read += int64(n)
	m.taken += int64(n)
	for rest := b[:n]; len(rest) > 0 && m.fd != none; {
		k, err := m.answer.feed(rest)
		if err != nil {
			x.finish(i, broken(err))
			return false
		}
		rest = rest[k:]
		if m.answer.done() {
			x.answered(i)
		}
	}
	return m.fd != none
}

// answered books a whole answer. An idle client keeps its connection, all others are done with theirs.
func (x *crowds) answered(i int32) {
	m := &x.members[i]
	r := &x.results[m.crowd]
	r.ByStatus[m.answer.status]++
	if !m.answered {
		r.Response.record((time.Duration(x.now - m.start)).Microseconds(), 1)
	}
	m.answered = true
	if x.configs[m.crowd].Kind != IdleKept {
		x.close(i, &r.Answered)
		return
	}
	m.phase = resting
	x.calm(m)
	m.answer.reset(false, false, false)
}

// finish ends a connection by a failure.
func (x *crowds) finish(i int32, f failure) {
	r := &x.results[x.members[i].crowd]
	switch f.outcome {
	case Reset:
		x.close(i, &r.Reset)
	case Refused:
		x.close(i, &r.Refused)
	case TimedOut:
		x.close(i, &r.TimedOut)
	default:
		r.Causes[f.cause]++
		x.close(i, &r.Failed)
	}
}

// close counts a connection's end, hangs up, and has the client come again if it does.
func (x *crowds) close(i int32, count *int) {
	m := &x.members[i]
	*count++
	x.clear(i)
	x.calm(m)
	if m.fd != none {
		hangUp(m.fd)
		m.fd = none
	}
	if x.configs[m.crowd].Reopen {
		x.set(i, x.now+int64(reopenAfter))
	}
}

// setReceiveBuffer makes the receive buffer of a socket that is not connected yet that small.
func setReceiveBuffer(fd int, size int32) unix.Errno {
	_, _, errno := unix.RawSyscall6(unix.SYS_SETSOCKOPT, uintptr(fd), unix.SOL_SOCKET, unix.SO_RCVBUF,
		uintptr(unsafe.Pointer(&size)), unsafe.Sizeof(size), 0)
	return errno
}
