package load

import (
	"net"
	"net/http"
	"sync/atomic"
	"testing"

	"github.com/stretchr/testify/require"
	"golang.org/x/sys/unix"
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
		require.Equal(t, []Failure{{Reset, "reset while waiting for the answer", unix.ECONNRESET}}, told)
		require.True(t, r.Interrupted)
		require.Equal(t, 1, r.Reset)
		require.GreaterOrEqual(t, r.Dropped, 1000-4-1-2)
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
