package load

import (
	"context"
	"net"
	"net/http"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

const keptRequest = "GET / HTTP/1.1\r\nHost: x\r\n\r\n"

func TestKeptConnectionsAreAnsweredAndStay(t *testing.T) {
	s := serve(t, say(hello))
	k := NewKept(s.addr, []byte(keptRequest))
	defer k.Close()
	require.NoError(t, k.Grow(t.Context(), 3))
	require.NoError(t, k.Grow(t.Context(), 10))
	require.NoError(t, k.Grow(t.Context(), 5), "there are more")
	require.Equal(t, 10, k.Open())
	k.Close()
	require.Zero(t, k.Open())
}

func TestAKeptConnectionIsTriedAgain(t *testing.T) {
	var asked atomic.Int32
	s := serve(t, func(c *net.TCPConn, r *http.Request, k int) bool {
		return asked.Add(1) > 2 && say(hello)(c, r, k)
	})
	k := NewKept(s.addr, []byte(keptRequest))
	defer k.Close()
	require.NoError(t, k.Grow(t.Context(), 1))
	require.EqualValues(t, 3, asked.Load())
}

func TestKeptConnectionsThatTheServerEnds(t *testing.T) {
	leave := make(chan struct{})
	s := serve(t, func(c *net.TCPConn, r *http.Request, k int) bool {
		say(hello)(c, r, k)
		<-leave
		return false
	})
	k := NewKept(s.addr, []byte(keptRequest))
	defer k.Close()
	require.NoError(t, k.Grow(t.Context(), 4))
	require.Equal(t, 4, k.Open())
	close(leave)
	require.Eventually(t, func() bool { return k.Open() == 0 }, 5*time.Second, time.Millisecond)
}

func TestKeptConnectionsThatCannotBe(t *testing.T) {
	refuse := func(status string) func(*net.TCPConn, *http.Request, int) bool {
		return say("HTTP/1.1 " + status + "\r\nContent-Length: 0\r\n\r\n")
	}
	for name, c := range map[string]struct {
		serve func(*net.TCPConn, *http.Request, int) bool
		says  string
	}{
		"turned away": {refuse("503 Service Unavailable"), "open idle connection 1 of 2"},
		"not kept":    {say("HTTP/1.1 200 OK\r\nConnection: close\r\nContent-Length: 0\r\n\r\n"), "connection kept: false"},
		"hung up":     {func(*net.TCPConn, *http.Request, int) bool { return false }, "EOF"},
	} {
		t.Run(name, func(t *testing.T) {
			s := serve(t, c.serve)
			k := NewKept(s.addr, []byte(keptRequest))
			defer k.Close()
			require.ErrorContains(t, k.Grow(t.Context(), 2), c.says)
			require.Zero(t, k.Open())
		})
	}
	t.Run("interrupted", func(t *testing.T) {
		s := serve(t, hang)
		ctx, cancel := context.WithCancel(t.Context())
		k := NewKept(s.addr, []byte(keptRequest))
		defer k.Close()
		time.AfterFunc(10*time.Millisecond, cancel)
		require.ErrorIs(t, k.Grow(ctx, 1), context.Canceled)
	})
}
