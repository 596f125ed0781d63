package load

import (
	"crypto/tls"
	"net"
	"net/http"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"golang.org/x/sys/unix"

	"poolvsloop/internal/deadport"
)

// The run ends with the first failure when OnFailure says so, on all loops.
func TestOnFailure(t *testing.T) {
	var n atomic.Int64
	s := serve(t, func(c *net.TCPConn, r *http.Request, k int) bool {
		if n.Add(1) == 5 {
			reset(c)
			return false
		}
		return n.Load() < 5 && say(hello)(c, r, k) || n.Load() > 5 && hang(c, r, k)
	})
	for _, threads := range []int{1, 2} {
		n.Store(0)
		var told []Failure
		r := mustRun(t, Config{Addr: s.addr, Source: Fixed(get), Requests: 1000, Clients: 2, Threads: threads, KeepAlive: true,
			OnFailure: func(f Failure) bool { told = append(told, f); return f.Errno == unix.ECONNRESET }})
		require.Equal(t, []Failure{{Outcome: Reset, Cause: "reset while waiting for the answer", Errno: unix.ECONNRESET,
			Reused: told[0].Reused}}, told)
		require.True(t, r.Interrupted)
		require.Equal(t, 1, r.Reset)
		require.GreaterOrEqual(t, r.Dropped, 1000-4-1-2)
	}
}

// A failure says whether there was a connection, and whether it was an old one.
func TestFailureOfConnection(t *testing.T) {
	var told []Failure
	listen := func(f Failure) bool { told = append(told, f); return false }
	closing := serve(t, func(c *net.TCPConn, r *http.Request, k int) bool { return k == 0 && say(hello)(c, r, k) })
	mustRun(t, Config{Addr: closing.addr, Source: Fixed(get), Requests: 2, Clients: 1, KeepAlive: true, OnFailure: listen})
	mustRun(t, Config{Addr: deadport.Addr(t), Source: Fixed(get), Requests: 1, Clients: 1, OnFailure: listen})
	mustRun(t, Config{Addr: deadport.Addr(t), Source: Fixed(get), Requests: 1, Clients: 1, OnFailure: listen, TLS: &tls.Config{}})
	require.Equal(t, []Failure{
		{Outcome: Aborted, Cause: "closed without an answer", Reused: true},
		{Outcome: Refused, Cause: "connection refused", Errno: unix.ECONNREFUSED, Unconnected: true},
		{Outcome: Refused, Cause: "connection refused", Errno: unix.ECONNREFUSED, Unconnected: true},
	}, told)
}

// Every socket is prepared once before it connects, and what a client reads is shown whole.
func TestPrepareAndOnRead(t *testing.T) {
	s := serve(t, say(hello))
	var prepared atomic.Int64
	var seen strings.Builder
	firsts := 0
	c := Config{Addr: s.addr, Source: Fixed(get), Requests: 6, Clients: 2, KeepAlive: true,
		Prepare: func(fd int) unix.Errno {
			prepared.Add(1)
			if _, err := unix.GetsockoptInt(fd, unix.SOL_SOCKET, unix.SO_TYPE); err != nil {
				return unix.ENOTSOCK
			}
			return 0
		},
		OnRead: func(client int, first bool, b []byte) {
			seen.Write(b)
			if first {
				firsts++
			}
		}}
	r := mustRun(t, c)
	require.Equal(t, 6, r.Answered)
	require.EqualValues(t, 2, prepared.Load())
	require.Equal(t, strings.Repeat(hello, 6), seen.String())
	require.Equal(t, 6, firsts)

	for _, secure := range []*tls.Config{nil, {}} {
		c.TLS, c.Prepare = secure, func(int) unix.Errno { return unix.EPERM }
		r = mustRun(t, c)
		require.Equal(t, map[string]int{"operation not permitted": 6}, r.Failures)
	}
}

// A server that answers HTTP/1.0 requests with HTTP/1.1 and no word about the connection is not trusted to keep it.
func TestHTTP10(t *testing.T) {
	const kept = "HTTP/1.1 200 OK\r\nContent-Length: 5\r\nConnection: Keep-Alive\r\n\r\nhello"
	const mute = "HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nhello"
	for _, c := range []struct {
		name, answer string
		http10       bool
		opened       int
	}{{"said so", kept, true, 1}, {"said nothing", mute, true, 3}, {"said nothing in 1.1", mute, false, 1}} {
		t.Run(c.name, func(t *testing.T) {
			s := serve(t, say(c.answer))
			r := mustRun(t, Config{Addr: s.addr, Source: Fixed(get), Requests: 3, Clients: 1, KeepAlive: true, HTTP10: c.http10})
			require.Equal(t, 3, r.Answered)
			require.Equal(t, c.opened, r.Opened)
		})
	}
}

// OnStart is told the moment from which all times count, before anything is sent.
func TestOnStart(t *testing.T) {
	s := serve(t, say(hello))
	var told []time.Time
	r := mustRun(t, Config{Addr: s.addr, Source: Fixed(get), Requests: 4, Clients: 2, Threads: 2, KeepAlive: true, OnStart: func(origin time.Time) {
		require.Zero(t, s.connections.Load())
		told = append(told, origin)
	}})
	require.Equal(t, []time.Time{r.Started}, told)
}
