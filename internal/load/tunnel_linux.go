package load

import (
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"io"
	"net"
	"os"
	"sync"
	"sync/atomic"
	"syscall"
	"time"

	"golang.org/x/sys/unix"
)

// TLSUse is what a run has to say about TLS.
type TLSUse struct {
	// First is the state of the first finished handshake; its zero value says that there was none.
	First tls.ConnectionState
	// Handshakes were finished; Resumed of them took up an earlier session.
	Handshakes, Resumed int
}

// tunnel is a connection by way of TLS. The loop talks plainly to one end of a pair of local sockets; two goroutines
// carry the bytes between the other end and the server. So all the loop does works alike with and without TLS, at the
// price of one hop more, some tens of microseconds.
type tunnel struct {
	ready   atomic.Int64            // when the handshake was done, ns since the run's start; 0 before
	failure atomic.Pointer[failure] // why there was none
	reset   atomic.Bool             // the server reset the connection
	hangUp  context.CancelFunc      // ends it, whatever its goroutines wait for
}

// tunnels opens the tunnels of a run and ends them with it.
type tunnels struct {
	Config
	origin time.Time
	ctx    context.Context
	cancel context.CancelFunc
	all    sync.WaitGroup

	mu   sync.Mutex
	seen TLSUse // guarded by mu
}

func newTunnels(c Config) *tunnels {
	ctx, cancel := context.WithCancel(context.Background())
	return &tunnels{Config: c, ctx: ctx, cancel: cancel}
}

// wait ends what is still open, and waits for every goroutine. No tunnel may be opened any more.
func (t *tunnels) wait() {
	t.cancel()
	t.all.Wait()
}

// use returns what was seen so far.
func (t *tunnels) use() *TLSUse {
	t.mu.Lock()
	defer t.mu.Unlock()
	seen := t.seen
	return &seen
}

// open starts a tunnel and returns the loop's end.
func (t *tunnels) open() (fd int, x *tunnel, errno unix.Errno) {
	pair, err := unix.Socketpair(unix.AF_UNIX, unix.SOCK_STREAM|unix.SOCK_NONBLOCK|unix.SOCK_CLOEXEC, 0)
	if err != nil {
		errors.As(err, &errno)
		return none, nil, errno
	}
	file := os.NewFile(uintptr(pair[1]), "tunnel")
	local, err := net.FileConn(file)
	_ = file.Close() // FileConn has a descriptor of its own
	if err != nil {
		hangUp(pair[0])
		return none, nil, unix.EMFILE
	}
	ctx, cancel := context.WithCancel(t.ctx)
	x = &tunnel{hangUp: cancel}
	t.all.Go(func() {
		defer cancel()
		t.serve(ctx, x, local.(*net.UnixConn))
	})
	return pair[0], x, 0
}

// serve connects to the server and carries bytes until one side ends.
func (t *tunnels) serve(ctx context.Context, x *tunnel, local *net.UnixConn) {
	defer local.Close()
	soon, cancel := context.WithTimeout(ctx, t.Timeout)
	defer cancel()
	dialer := tls.Dialer{Config: t.TLS, NetDialer: &net.Dialer{Control: t.prepare}}
	remote, err := dialer.DialContext(soon, "tcp", t.Addr.String())
	if err != nil {
		f := tunnelFailure(err)
		x.failure.Store(&f)
		return
	}
	defer remote.Close()
	t.note(remote.(*tls.Conn).ConnectionState())
	x.ready.Store(int64(time.Since(t.origin)))
	stop := context.AfterFunc(ctx, func() {
		_ = local.Close()
		_ = remote.Close()
	})
	defer stop()
	t.all.Go(func() {
		_, _ = io.Copy(remote, local)
		_ = remote.Close() // the loop has hung up
	})
	_, err = io.Copy(local, remote)
	x.reset.Store(errors.Is(err, unix.ECONNRESET))
}

// prepare is Config.Prepare as net.Dialer wants it.
func (t *tunnels) prepare(_, _ string, c syscall.RawConn) error {
	if t.Prepare == nil {
		return nil
	}
	var errno unix.Errno
	if err := c.Control(func(fd uintptr) { errno = t.Prepare(int(fd)) }); err != nil || errno == 0 {
		return err
	}
	return errno
}

// note counts a handshake.
func (t *tunnels) note(s tls.ConnectionState) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.seen.Handshakes == 0 {
		t.seen.First = s
	}
	t.seen.Handshakes++
	if s.DidResume {
		t.seen.Resumed++
	}
}

// tunnelFailure classifies an error of connecting or of the handshake.
func tunnelFailure(err error) failure {
	var errno unix.Errno
	if errors.As(err, &errno) {
		return failureOf(errno, connecting)
	}
	if errors.Is(err, context.DeadlineExceeded) {
		return timeouts[connecting]
	}
	return failure{Aborted, fmt.Sprintf("TLS handshake: %s", err), 0}
}
