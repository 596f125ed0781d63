package load

import (
	"context"
	"net"
	"net/netip"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"go.uber.org/goleak"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// serve runs handler for each connection of a server of its own and returns the address.
func serve(t *testing.T, handler func(net.Conn)) netip.AddrPort {
	t.Helper()
	ln, err := net.Listen("tcp", "127.0.0.1:0")
	require.NoError(t, err)
	done := make(chan struct{})
	go func() {
		defer close(done)
		for {
			c, err := ln.Accept()
			if err != nil {
				return
			}
			go func() {
				defer c.Close()
				handler(c)
			}()
		}
	}()
	t.Cleanup(func() {
		ln.Close()
		<-done
	})
	return ln.Addr().(*net.TCPAddr).AddrPort()
}

const (
	get    = "GET / HTTP/1.1\r\nHost: x\r\n\r\n"
	answer = "HTTP/1.1 200 OK\r\nServer: t/1 x\r\nContent-Length: 5\r\n\r\nhello"
)

func TestSmoke(t *testing.T) {
	addr := serve(t, func(c net.Conn) {
		b := make([]byte, 4096)
		for {
			n, err := c.Read(b)
			if err != nil || n == 0 {
				return
			}
			c.Write([]byte(answer))
		}
	})
	for _, ka := range []bool{true, false} {
		r, err := Run(context.Background(), Config{Addr: addr, Source: Fixed(get), Requests: 1000, Clients: 64, KeepAlive: ka, Timeout: 2 * time.Second})
		require.NoError(t, err)
		require.NoError(t, r.Books())
		t.Logf("%+v %v %v %+v %+v cpu %v %v lag %v", r.Counts, r.Duration, r.Failures, r.Connections, r.Bytes, r.CPU, r.LoopCPU, r.Lag)
		require.Equal(t, 1000, r.OK2xx)
	}
}
