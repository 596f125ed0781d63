package load

import (
	"bytes"
	"context"
	"crypto/tls"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"golang.org/x/sys/unix"
)

// A server that sends faster than it is read keeps a loop neither from timeouts, nor from the end of the run, nor from
// its other clients. The read buffer is small and the connection is a pair of local sockets, so that there always is more.
func TestEndlessAnswers(t *testing.T) {
	pair, err := unix.Socketpair(unix.AF_UNIX, unix.SOCK_STREAM|unix.SOCK_NONBLOCK, 0)
	require.NoError(t, err)
	defer hangUp(pair[1])
	s := newShared(Config{Source: Fixed(get), Requests: 1, Clients: 1})
	s.origin = time.Now()
	l, err := newLoop(s, 0)
	require.NoError(t, err)
	defer l.release()
	const size, pieces = 1024, 2 * stretch
	l.in = make([]byte, size)
	text := append([]byte("HTTP/1.1 200 OK\r\n\r\n"), bytes.Repeat([]byte("x"), size*pieces)...)
	n, errno := send(pair[1], text[:size*pieces])
	require.Zero(t, errno)
	require.Equal(t, size*pieces, n)

	l.ready.pop()
	l.unbegun, l.left = 0, 0
	c := &l.clients[0]
	c.fd, c.batch, c.phase, l.inFlight = pair[0], 1, waiting, 1
	c.answer.reset(false, false, false)
	l.busy.add(0)
	require.True(t, l.watch(0, unix.EPOLLIN|unix.EPOLLRDHUP))
	for turn := range 2 {
		n, err := l.wait()
		require.NoError(t, err)
		require.Equal(t, 1, n, "the connection is reported again")
		l.handle(&l.events[0])
		require.EqualValues(t, (turn+1)*stretch*size, l.Read)
	}
	l.abandon()
}

// A kept connection that the server ended behind an answer carries no other request, however long that answer was.
func TestEndedBehindAFullBuffer(t *testing.T) {
	const form = "HTTP/1.1 200 OK\r\nContent-Length: %5d\r\n\r\n"
	size := inBuffer - len(fmt.Sprintf(form, 0))
	head := fmt.Sprintf(form, size)
	s := serve(t, func(c *net.TCPConn, _ *http.Request, _ int) bool {
		_, _ = io.WriteString(c, head+strings.Repeat("x", size))
		_ = c.CloseWrite()
		_, _ = io.Copy(io.Discard, c) // what is sent on it all the same is lost
		return false
	})
	r := mustRun(t, Config{Addr: s.addr, Source: Fixed(get), Requests: 20, Clients: 2, KeepAlive: true, Timeout: 10 * time.Second})
	require.Zero(t, r.TimedOut, r.Failures)
}

// A run ends with its duration when nothing is in flight: the grace is for answers, not for pauses.
func TestNoGraceForThinking(t *testing.T) {
	s := serve(t, say(hello))
	for name, arrivals := range map[string]*Arrivals{"closed": nil, "open": {Plan: Steady(20)}} {
		t.Run(name, func(t *testing.T) {
			c := Config{Addr: s.addr, Source: Fixed(get), Clients: 2, KeepAlive: true, Think: time.Hour, Duration: 100 * time.Millisecond,
				Timeout: time.Minute, Arrivals: arrivals}
			if arrivals != nil {
				c.Clients, c.PerConnection = 0, 2
			}
			began := time.Now()
			r := mustRun(t, c)
			require.Positive(t, r.Answered)
			require.Less(t, time.Since(began), 30*time.Second, "it waited for those that think")
		})
	}
}

// Idle connections to a server that lets none in are given up after the first: each would take as long.
func TestIdleGivesUp(t *testing.T) {
	fd, err := unix.Socket(unix.AF_INET, unix.SOCK_STREAM, 0)
	require.NoError(t, err)
	defer hangUp(fd)
	require.NoError(t, unix.Bind(fd, &unix.SockaddrInet4{Addr: [4]byte{127, 0, 0, 1}}))
	require.NoError(t, unix.Listen(fd, 0))
	name, err := unix.Getsockname(fd)
	require.NoError(t, err)
	addr, err := Resolve(t.Context(), fmt.Sprintf("127.0.0.1:%d", name.(*unix.SockaddrInet4).Port))
	require.NoError(t, err)
	began := time.Now()
	x := holdIdle(t.Context(), addr, 1000)
	defer x.release()
	r := x.result()
	require.Equal(t, 1000, r.Opened+r.Failed, "every one is counted")
	require.Contains(t, r.Cause, "timeout")
	require.Less(t, time.Since(began), time.Minute)

	gone, cancel := context.WithCancel(t.Context())
	cancel()
	require.Equal(t, 5, holdIdle(gone, addr, 5).result().Failed)
}

// A tunnel ends with the request that gave it up, even while its server takes nothing.
func TestTunnelsEndWithTheirRequests(t *testing.T) {
	certificate := httptest.NewUnstartedServer(nil)
	certificate.StartTLS()
	secure := certificate.TLS
	certificate.Close()
	done := make(chan struct{})
	addr := listen(t, func(c *net.TCPConn) {
		_ = tls.Server(c, secure).Handshake()
		<-done
	})
	defer close(done)
	most := 0
	request := Fixed("POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 16777216\r\n\r\n" + strings.Repeat("x", 16<<20))
	r := mustRun(t, Config{Addr: addr, Source: request, Requests: 12, Clients: 1, Timeout: 200 * time.Millisecond,
		TLS: &tls.Config{InsecureSkipVerify: true}, OnFailure: func(Failure) bool {
			open, err := os.ReadDir("/proc/self/fd")
			if err == nil {
				most = max(most, len(open))
			}
			return false
		}})
	require.Equal(t, 12, r.TimedOut, r.Failures)
	open, err := os.ReadDir("/proc/self/fd")
	require.NoError(t, err)
	require.Less(t, most-len(open), 12, "descriptors of the run's own side: two a connection")
}
