package accept

import (
	"errors"
	"fmt"
	"net"
	"os"
	"time"

	"golang.org/x/sys/unix"
)

// Serve accepts and hands every connection to handle, on Serve's goroutine: handle must not block for long. It returns
// nil after Drain or Close, and an error only when the listening socket itself is broken; a full descriptor table is
// waited out (5 ms to 1 s) and counted. Call it once.
func (l *Listener) Serve(handle func(*net.TCPConn)) error {
	l.serving.Store(true)
	defer func() { _ = l.Close() }() // it ends here either way
	var pause backoff
	for l.acquire() {
		conn, err := l.next()
		if err == nil {
			pause.reset()
			l.accepted.Add(1)
			l.permits.opened()
			handle(conn)
			continue
		}
		l.permits.giveBack()
		switch {
		case isDone(l.closed), errors.Is(err, errQueueEmpty):
			return nil
		case errors.Is(err, os.ErrDeadlineExceeded):
			continue // Drain woke us
		case isBroken(err):
			return fmt.Errorf("accept on %s: %w", l.Addr(), err)
		}
		l.note(err, pause.first())
		pause.wait(l.closed)
	}
	return nil
}

// isBroken says that the listening socket is of no further use. Every other error is of the connection that was to be
// accepted, of the network, or of a shortage (accept(2), "Error handling").
func isBroken(err error) bool {
	for _, errno := range []error{net.ErrClosed, unix.EBADF, unix.EINVAL, unix.ENOTSOCK} {
		if errors.Is(err, errno) {
			return true
		}
	}
	return false
}

// note counts a shortage, and logs the first error of a row.
func (l *Listener) note(err error, first bool) {
	if errors.Is(err, unix.EMFILE) || errors.Is(err, unix.ENFILE) {
		l.descriptorsFull.Add(1)
	}
	if first {
		l.log.Warn().Err(err).Stringer("addr", l.Addr()).Int("open", l.permits.open()).Msg("accept failed, waiting")
	}
}

// errQueueEmpty ends Serve while draining: nobody waits to be accepted any more.
var errQueueEmpty = errors.New("kernel accept queue is empty")

// next accepts one connection. While draining it does not wait: an empty queue is errQueueEmpty.
func (l *Listener) next() (*net.TCPConn, error) {
	if isDone(l.drain) {
		if depth, _ := l.socket.queue(); depth == 0 {
			return nil, errQueueEmpty
		}
		if err := l.listener.SetDeadline(time.Time{}); err != nil {
			return nil, err
		}
	}
	return l.listener.AcceptTCP()
}

const (
	// fullPoll is how often a full listener looks whether somebody waits in the kernel accept queue.
	fullPoll = 5 * time.Millisecond
	// fullPause is how long Full has to free a permit before it is called again.
	fullPause = 50 * time.Millisecond
)

// acquire takes a permit, or waits for one. It returns false when the listener was closed, or has nobody left to drain.
func (l *Listener) acquire() bool {
	if l.permits.try() {
		return true
	}
	defer l.permits.block()()
	draining := l.drain
	for {
		depth, _ := l.socket.queue()
		if depth == 0 && isDone(l.drain) {
			return false
		}
		var again <-chan time.Time
		switch {
		case depth > 0 && l.config.Full != nil:
			l.config.Full()
			again = time.After(fullPause)
		case l.config.Full != nil || isDone(l.drain):
			again = time.After(fullPoll)
		}
		if isDone(l.drain) {
			draining = nil
		}
		select {
		case l.permits.taken <- struct{}{}:
			return true
		case <-l.closed:
			return false
		case <-draining:
		case <-again:
		}
	}
}

// settle is how long Drain waits for handshakes that are under way when it stops new ones.
const settle = 5 * time.Millisecond

// FirstGrace is how long, from accept, a draining server waits for the first byte of a connection that has not asked yet:
// its client could not know.
const FirstGrace = 250 * time.Millisecond

// Drain stops new handshakes (their SYN is dropped, so that a client that retries meets a closed port or the next
// server, never a reset), hands out what waits in the kernel accept queue as permits allow, and closes the socket. It
// returns when that is done, or after Close; call Close to bound it. Serve then returns nil. Idle connections hold
// permits: with all permits taken, close those on another goroutine.
func (l *Listener) Drain() {
	l.startDrain.Do(func() {
		if err := l.socket.dropSYN(); err != nil {
			l.log.Debug().Err(err).Msg("new handshakes go on while draining")
		}
		time.Sleep(settle)
		close(l.drain)
		if !l.serving.Load() {
			_ = l.Close()
		}
		_ = l.listener.SetDeadline(time.Unix(0, 0)) // wakes Serve; fails only when closed already
	})
	<-l.closed
}

// backoff is the pause after failed accepts: 5 ms, doubled up to 1 s, as net/http's.
type backoff struct{ next time.Duration }

const (
	firstPause   = 5 * time.Millisecond
	longestPause = time.Second
)

func (b *backoff) reset() { b.next = 0 }

func (b *backoff) first() bool { return b.next == 0 }

// wait pauses, or returns early when done closes.
func (b *backoff) wait(done <-chan struct{}) {
	b.next = min(max(2*b.next, firstPause), longestPause)
	select {
	case <-done:
	case <-time.After(b.next):
	}
}
