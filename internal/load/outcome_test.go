package load

import (
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/netip"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"golang.org/x/sys/unix"

	"poolvsloop/internal/deadport"
)

// What a server can do to a request, and what the books must then say of twelve of them.
func TestOutcomes(t *testing.T) {
	const ok = "HTTP/1.1 200 OK\r\n"
	for _, c := range []struct {
		name  string
		reply func(*net.TCPConn, *http.Request, int) bool
		want  Counts
		cause string
	}{
		{"constant", say(hello), Counts{Answered: 12}, ""},
		{"all 500", say("HTTP/1.1 500 Oops\r\nContent-Length: 0\r\n\r\n"), Counts{Answered: 12}, ""},
		{"no content", say("HTTP/1.1 204 No Content\r\n\r\n"), Counts{Answered: 12}, ""},
		{"chunked", say(ok + "Transfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n0\r\n\r\n"), Counts{Answered: 12}, ""},
		{"until close", sayAndClose(ok + "\r\nhello"), Counts{Answered: 12}, ""},
		{"interim answer first", say("HTTP/1.1 103 Early Hints\r\nLink: x\r\n\r\n" + hello), Counts{Answered: 12}, ""},
		{"announced close", sayAndClose(ok + "Connection: close\r\nContent-Length: 2\r\n\r\nhi"), Counts{Answered: 12}, ""},
		{"HTTP/1.0 without keep-alive", sayAndClose("HTTP/1.0 200 OK\r\nContent-Length: 2\r\n\r\nhi"), Counts{Answered: 12}, ""},
		{"nothing", sayAndClose(""), Counts{Aborted: 12}, "closed without an answer"},
		{"half a header", sayAndClose(ok + "Content-Le"), Counts{Aborted: 12}, "closed within the answer"},
		{"half a body", sayAndClose(ok + "Content-Length: 9\r\n\r\nhalf"), Counts{Aborted: 12}, "closed within the answer"},
		{"half a chunk", sayAndClose(ok + "Transfer-Encoding: chunked\r\n\r\n9\r\nhalf"), Counts{Aborted: 12}, "closed within the answer"},
		{"no HTTP", say("SSH-2.0-OpenSSH_9.2\r\n"), Counts{Aborted: 12}, "broken answer: " + errStatusLine.Error()},
		{"bytes after the answer", say(hello + "HTTP/1.1 200"), Counts{Aborted: 12}, "bytes after the answer"},
		{"reset", func(c *net.TCPConn, _ *http.Request, _ int) bool { reset(c); return false },
			Counts{Reset: 12}, "reset while waiting for the answer"},
		{"hang", func(c *net.TCPConn, _ *http.Request, _ int) bool { hold(c); return false },
			Counts{TimedOut: 12}, "timed out while waiting for the answer"},
		{"hang within", func(c *net.TCPConn, r *http.Request, _ int) bool {
			c.Write([]byte(ok + "Content-Length: 9\r\n\r\nhalf"))
			hold(c)
			return false
		}, Counts{TimedOut: 12}, "timed out within the answer"},
	} {
		t.Run(c.name, func(t *testing.T) {
			s := serve(t, c.reply)
			timeout := 10 * time.Second
			if c.want.TimedOut > 0 {
				timeout = 300 * time.Millisecond
			}
			r := mustRun(t, Config{Addr: s.addr, Source: Fixed(get), Requests: 12, Clients: 4, KeepAlive: true, Timeout: timeout})
			c.want.Planned, c.want.Sent = 12, 12
			require.Equal(t, c.want, r.Counts, r.Failures)
			require.EqualValues(t, 12, s.requests.Load(), "the server saw another number of requests")
			if c.cause == "" {
				require.Empty(t, r.Failures)
			} else {
				require.Equal(t, map[string]int{c.cause: 12}, r.Failures)
			}
			if c.want.TimedOut > 0 {
				require.GreaterOrEqual(t, r.GivenUp.Min, timeout.Microseconds())
				require.Equal(t, 12, r.Opened, "a timed-out connection must be replaced")
			}
		})
	}
}

// hold keeps a connection until its client goes.
func hold(c net.Conn) { _, _ = c.Read(make([]byte, 1)) }

func TestHead(t *testing.T) {
	s := serve(t, say("HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\n"))
	r := mustRun(t, Config{Addr: s.addr, Source: Fixed(strings.Replace(get, "GET", "HEAD", 1)), Requests: 10, Clients: 2, KeepAlive: true})
	require.Equal(t, 10, r.OK2xx)
	require.Zero(t, r.Body)
	require.Equal(t, 2, r.Opened)
}

// closedPort returns an address at which nobody listens.
// A run on a dead port ends when it was told to, and not when a server has answered before.
func TestMostRefused(t *testing.T) {
	dead := Config{Addr: deadport.Addr(t), Source: Fixed(get), Requests: 500, Clients: 20, MostRefused: 100}
	r := mustRun(t, dead)
	require.True(t, r.NobodyListens)
	require.True(t, r.Interrupted)
	require.Equal(t, Counts{Planned: r.Planned, Sent: r.Refused, Refused: r.Refused, Dropped: r.Dropped}, r.Counts)
	require.Greater(t, r.Refused, 100)
	require.LessOrEqual(t, r.Refused, 120, "those of the other clients were under way")
	dead.MostRefused = 500
	r = mustRun(t, dead)
	require.False(t, r.NobodyListens, "it was at its end anyway")
	require.False(t, r.Interrupted)

	ln, err := net.Listen("tcp", "127.0.0.1:0")
	require.NoError(t, err)
	served := make(chan error, 1)
	go func() {
		conn, err := ln.Accept()
		if err == nil {
			_ = ln.Close() // before the answer: the next request finds nobody
			_, _ = conn.Read(make([]byte, 1024))
			_, err = io.WriteString(conn, "HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n")
			err = errors.Join(err, conn.Close())
		}
		served <- err
	}()
	r = mustRun(t, Config{Addr: ln.Addr().(*net.TCPAddr).AddrPort(), Source: Fixed(get), Requests: 500, Clients: 1, MostRefused: 100})
	require.NoError(t, <-served)
	require.False(t, r.NobodyListens, "it was there once")
	require.Equal(t, Counts{Planned: 500, Sent: 500, Answered: 1, Refused: 499}, r.Counts)
}

func TestRefused(t *testing.T) {
	r := mustRun(t, Config{Addr: deadport.Addr(t), Source: Fixed(get), Requests: 500, Clients: 20, KeepAlive: true})
	require.Equal(t, Counts{Planned: 500, Sent: 500, Refused: 500}, r.Counts)
	require.Equal(t, Connections{}, r.Connections)
	require.Equal(t, map[string]int{"connection refused": 500}, r.Failures)
}

// A connection that the kernel refuses at once, here to the broadcast address of the loopback, is booked as well.
func TestUnreachable(t *testing.T) {
	addr := netip.AddrPortFrom(netip.MustParseAddr("127.255.255.255"), deadport.Addr(t).Port())
	r := mustRun(t, Config{Addr: addr, Source: Fixed(get), Requests: 50, Clients: 4})
	require.Equal(t, Counts{Planned: 50, Sent: 50, Aborted: 50}, r.Counts)
	require.Equal(t, map[string]int{unix.ENETUNREACH.Error(): 50}, r.Failures)
}

// Every fifth request is reset: no more and no less than that is booked, and none is sent again.
func TestResetEveryFifth(t *testing.T) {
	var n atomic.Int64
	s := serve(t, func(c *net.TCPConn, r *http.Request, k int) bool {
		if n.Add(1)%5 == 0 {
			reset(c)
			return false
		}
		return say(hello)(c, r, k)
	})
	r := mustRun(t, Config{Addr: s.addr, Source: numbered{}, Requests: 100, Clients: 4, KeepAlive: true})
	require.Equal(t, Counts{Planned: 100, Sent: 100, Answered: 80, Reset: 20}, r.Counts)
	require.Len(t, s.seen(), 100)
	require.EqualValues(t, 100, s.requests.Load())
}

// A server that ends a kept connection behind its fifth answer without saying so costs at most the request that was on
// its way, and that request is never sent again.
func TestSilentClose(t *testing.T) {
	s := serve(t, func(c *net.TCPConn, r *http.Request, k int) bool {
		return say(hello)(c, r, k) && k < 4
	})
	r := mustRun(t, Config{Addr: s.addr, Source: numbered{}, Requests: 500, Clients: 4, KeepAlive: true})
	require.Equal(t, 500, r.Sent)
	require.EqualValues(t, r.Answered, s.requests.Load(), "an answered request was sent twice, or one lost")
	for path, n := range s.seen() {
		require.Equal(t, 1, n, path)
	}
	closes := r.ClosedByServer + r.Failed()
	require.InDelta(t, r.Answered/5, closes, 4, "closes: %d seen in time, %v", r.ClosedByServer, r.Failures)
}

// A close that the answer announces is no failure, and the next request opens a connection.
func TestAnnouncedClose(t *testing.T) {
	s := serve(t, func(c *net.TCPConn, _ *http.Request, k int) bool {
		if k < 4 {
			return say(hello)(c, nil, k)
		}
		return sayAndClose("HTTP/1.1 200 OK\r\nConnection: close\r\nContent-Length: 5\r\n\r\nhello")(c, nil, k)
	})
	r := mustRun(t, Config{Addr: s.addr, Source: Fixed(get), Requests: 100, Clients: 1, KeepAlive: true})
	require.Equal(t, 100, r.Answered, r.Failures)
	require.Equal(t, 20, r.ClosedByServer)
	require.Equal(t, 20, r.Opened)
	require.Equal(t, 80, r.Kept)
}

// With keep-alive off the client closes, also when the server would go on.
func TestClientCloses(t *testing.T) {
	var closed atomic.Int64
	addr := listen(t, func(c *net.TCPConn) {
		b := make([]byte, 1024)
		c.Read(b)
		c.Write([]byte(hello))
		if n, _ := c.Read(b); n == 0 {
			closed.Add(1)
		}
	})
	r := mustRun(t, Config{Addr: addr, Source: Fixed(get), Requests: 30, Clients: 3})
	require.Equal(t, 30, r.Answered)
	require.Eventually(t, func() bool { return closed.Load() == 30 }, 2*time.Second, time.Millisecond)
}

// A server that refuses a large body without reading it is heard, not taken for a broken connection.
func TestEarlyAnswer(t *testing.T) {
	addr := listen(t, func(c *net.TCPConn) {
		c.Read(make([]byte, 100))
		c.Write([]byte("HTTP/1.1 413 Too Large\r\nConnection: close\r\nContent-Length: 3\r\n\r\nbig"))
	})
	big := fmt.Sprintf("POST / HTTP/1.1\r\nHost: x\r\nContent-Length: %d\r\n\r\n%s", 8<<20, strings.Repeat("x", 8<<20))
	r := mustRun(t, Config{Addr: addr, Source: Fixed(big), Requests: 20, Clients: 2, KeepAlive: true})
	require.Equal(t, map[int]int{413: 20}, r.ByStatus, r.Failures)
	require.Less(t, r.Written, int64(20*len(big)))
}

// A server whose kernel accept queue is full lets connections wait for the kernel's next try: that time is the connection's.
func TestConnectionWaits(t *testing.T) {
	ln, err := net.ListenTCP("tcp", &net.TCPAddr{IP: net.IPv4(127, 0, 0, 1)})
	require.NoError(t, err)
	defer ln.Close()
	raw, err := ln.SyscallConn()
	require.NoError(t, err)
	require.NoError(t, raw.Control(func(fd uintptr) { err = unix.Listen(int(fd), 0) }))
	require.NoError(t, err)
	c := Config{Addr: ln.Addr().(*net.TCPAddr).AddrPort(), Source: Fixed(get), Requests: 6, Clients: 6}

	c.Timeout = 200 * time.Millisecond
	r := mustRun(t, c)
	require.Equal(t, 6, r.TimedOut)
	require.Positive(t, r.Failures["timed out while connecting"])
	require.Equal(t, r.Opened, r.Failures["timed out while waiting for the answer"])

	c.Timeout = 20 * time.Second
	time.AfterFunc(50*time.Millisecond, func() {
		for {
			conn, err := ln.AcceptTCP()
			if err != nil {
				return
			}
			go func() { defer conn.Close(); echo(conn) }()
		}
	})
	r = mustRun(t, c)
	require.Equal(t, 6, r.Answered, r.Failures)
	require.Greater(t, r.Connect.Max, int64(500_000), "a connection that waited for the kernel's second try")
	require.Less(t, r.Processing.Min, int64(500_000))
}

func TestFailureOf(t *testing.T) {
	for _, c := range []struct {
		errno unix.Errno
		phase phase
		want  failure
	}{
		{unix.ECONNREFUSED, connecting, failure{Refused, "connection refused", 0}},
		{unix.ECONNRESET, connecting, failure{Reset, "reset while connecting", 0}},
		{unix.EPIPE, sending, failure{Reset, "reset while sending", 0}},
		{unix.ECONNRESET, reading, failure{Reset, "reset within the answer", 0}},
		{unix.ETIMEDOUT, connecting, failure{TimedOut, "connection timed out in the kernel", 0}},
		{unix.EADDRNOTAVAIL, connecting, failure{Aborted, "no free local port", 0}},
		{unix.EMFILE, connecting, failure{Aborted, "no free descriptor", 0}},
		{unix.ENETUNREACH, connecting, failure{Aborted, "network is unreachable", 0}},
	} {
		c.want.errno = c.errno
		require.Equal(t, c.want, failureOf(c.errno, c.phase))
	}
}

func TestOutcomeNames(t *testing.T) {
	for o := range InFlight + 1 {
		require.NotEmpty(t, o.String())
	}
}
