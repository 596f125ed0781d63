package load

import (
	"crypto/tls"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"net/netip"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"golang.org/x/sys/unix"

	"poolvsloop/internal/deadport"
)

// Idle connections stand beside the load, and the server's closing of some is seen.
func TestIdle(t *testing.T) {
	var open atomic.Int64
	addr := listen(t, func(c *net.TCPConn) {
		if n := open.Add(1); n <= 3 { // the first three come before the load
			return
		}
		echo(c)
	})
	r := mustRun(t, Config{Addr: addr, Source: Fixed(get), Requests: 20, Clients: 2, KeepAlive: true, Idle: 10})
	require.Equal(t, 20, r.Answered)
	require.Equal(t, Idle{Opened: 10, ClosedByServer: 3}, r.Idle)
	require.EqualValues(t, 12, open.Load())
	require.Equal(t, 2, r.Opened, "idle connections are counted apart")

	r = mustRun(t, Config{Addr: deadport.Addr(t), Source: Fixed(get), Requests: 1, Clients: 1, Idle: 2})
	require.Equal(t, 2, r.Idle.Failed)
	require.Contains(t, r.Idle.Cause, "refused")
}

// When the ports of one source address run out, the next one serves.
func TestSources(t *testing.T) {
	from := make(chan string, 16)
	addr := listen(t, func(c *net.TCPConn) {
		host, _, _ := net.SplitHostPort(c.RemoteAddr().String())
		from <- host
		hold(c)
	})
	const lowest, highest = 59000, 59002 // within the usual net.ipv4.ip_local_port_range, else they would not bind
	d := dialer{peer: newPeer(addr), ports: highest<<16 | lowest}
	counts := map[string]int{}
	for range 7 {
		fd, errno := d.open(false)
		if errno == unix.ENOPROTOOPT {
			t.Skip("the kernel has no IP_LOCAL_PORT_RANGE")
		}
		require.Zero(t, errno)
		defer hangUp(fd)
		counts[<-from]++
	}
	require.Equal(t, 2, d.source)
	require.Equal(t, map[string]int{"127.0.0.1": 3, "127.0.0.2": 3, "127.0.0.3": 1}, counts)
}

// Only the loopback has further addresses to take.
func TestSourcesElsewhere(t *testing.T) {
	require.True(t, newPeer(netip.MustParseAddrPort("127.9.0.1:1")).onLoopback4())
	require.False(t, newPeer(netip.MustParseAddrPort("10.0.0.1:1")).onLoopback4())
	require.False(t, newPeer(netip.MustParseAddrPort("[::1]:1")).onLoopback4())
	require.Nil(t, (&dialer{}).from())
}

func TestTLS(t *testing.T) {
	server := httptest.NewTLSServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		_, _ = io.WriteString(w, "hello")
	}))
	defer server.Close()
	addr := server.Listener.Addr().(*net.TCPAddr).AddrPort()
	trust := server.Client().Transport.(*http.Transport).TLSClientConfig
	client := &tls.Config{RootCAs: trust.RootCAs, ServerName: "example.com", ClientSessionCache: tls.NewLRUClientSessionCache(64)}
	for _, c := range []struct {
		name       string
		change     func(*Config)
		handshakes int
	}{
		{"kept", func(c *Config) { c.KeepAlive = true }, 4},
		{"a connection per request", func(*Config) {}, 40},
		{"pipelined", func(c *Config) { c.KeepAlive, c.Pipeline = true, 5 }, 4},
		{"sessions", func(c *Config) {
			c.KeepAlive, c.PerConnection, c.Clients, c.Arrivals = true, 4, 0, &Arrivals{Plan: Steady(200)}
		}, 10},
	} {
		t.Run(c.name, func(t *testing.T) {
			config := Config{Addr: addr, Source: Fixed(get), Requests: 40, Clients: 4, TLS: client}
			c.change(&config)
			r := mustRun(t, config)
			require.Equal(t, 40, r.Answered, r.Failures)
			require.Equal(t, c.handshakes, r.Opened)
			require.Equal(t, c.handshakes, r.TLS.Handshakes)
			require.LessOrEqual(t, r.TLS.Resumed, r.TLS.Handshakes)
			require.EqualValues(t, tls.VersionTLS13, r.TLS.First.Version)
			require.Positive(t, r.Connect.Max)
		})
	}
}

// A reset is told from a close, as without TLS.
func TestTLSReset(t *testing.T) {
	certificate := httptest.NewUnstartedServer(nil)
	certificate.StartTLS()
	secure := certificate.TLS
	certificate.Close()
	for name, c := range map[string]struct {
		end  func(*net.TCPConn)
		want Counts
	}{
		"reset":  {reset, Counts{Planned: 3, Sent: 3, Reset: 3}},
		"closed": {func(*net.TCPConn) {}, Counts{Planned: 3, Sent: 3, Aborted: 3}},
	} {
		t.Run(name, func(t *testing.T) {
			addr := listen(t, func(conn *net.TCPConn) {
				_, _ = tls.Server(conn, secure).Read(make([]byte, 1000))
				c.end(conn)
			})
			r := mustRun(t, Config{Addr: addr, Source: Fixed(get), Requests: 3, Clients: 1, TLS: &tls.Config{InsecureSkipVerify: true}})
			require.Equal(t, c.want, r.Counts, r.Failures)
		})
	}
}

// What keeps a TLS connection from coming about is named, and ends in the outcome it would have without TLS.
func TestTLSFailures(t *testing.T) {
	plain := serve(t, say(hello))
	mute := listen(t, func(c *net.TCPConn) { time.Sleep(time.Second) })
	for _, c := range []struct {
		name  string
		addr  netip.AddrPort
		want  Counts
		cause string
	}{
		{"refused", deadport.Addr(t), Counts{Planned: 3, Sent: 3, Refused: 3}, "connection refused"},
		{"no TLS there", plain.addr, Counts{Planned: 3, Sent: 3, Aborted: 3}, "TLS handshake: "},
		{"no handshake", mute, Counts{Planned: 3, Sent: 3, TimedOut: 3}, "timed out while connecting"},
	} {
		t.Run(c.name, func(t *testing.T) {
			r := mustRun(t, Config{Addr: c.addr, Source: Fixed(get), Requests: 3, Clients: 3, Timeout: 300 * time.Millisecond,
				TLS: &tls.Config{InsecureSkipVerify: true}})
			require.Equal(t, c.want, r.Counts, r.Failures)
			for cause := range r.Failures {
				require.Contains(t, cause, c.cause)
			}
			require.Zero(t, r.Opened)
		})
	}
}
