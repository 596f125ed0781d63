package main

import (
	"bytes"
	"io"
	"net"
	"os"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// blockingPair returns a blocking connection and its peer.
func blockingPair(t *testing.T) (*blockingConn, *net.TCPConn) {
	t.Helper()
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	require.NoError(t, err)
	defer listener.Close()
	c, err := dialBlocking(listener.Addr().String(), patience)
	require.NoError(t, err)
	t.Cleanup(func() { c.Close() })
	peer, err := listener.Accept()
	require.NoError(t, err)
	t.Cleanup(func() { peer.Close() })
	return c, peer.(*net.TCPConn)
}

func TestBlockingConnCarriesBytes(t *testing.T) {
	c, peer := blockingPair(t)
	require.NoError(t, c.SetDeadline(time.Now().Add(patience)))
	sent := bytes.Repeat([]byte("0123456789abcdef"), 1<<16)
	go func() {
		_, _ = io.Copy(peer, peer)
		_ = peer.CloseWrite()
	}()
	go func() { _, _ = c.Write(sent) }()
	got := make([]byte, len(sent))
	_, err := io.ReadFull(c, got)
	require.NoError(t, err)
	require.True(t, bytes.Equal(sent, got))
}

func TestBlockingConnDeadlines(t *testing.T) {
	const short = 30 * time.Millisecond
	full := bytes.Repeat([]byte{'f'}, 16<<20) // more than the socket buffers take
	read := func(c *blockingConn) error {
		_, err := c.Read(make([]byte, 10))
		return err
	}
	write := func(c *blockingConn) error {
		_, err := c.Write(full)
		return err
	}
	for name, do := range map[string]func(*blockingConn) error{"read": read, "write": write} {
		t.Run(name, func(t *testing.T) {
			c, _ := blockingPair(t)
			for _, wait := range []time.Duration{short, -time.Second, short / 2} {
				deadline := time.Now().Add(wait)
				require.NoError(t, c.SetDeadline(deadline))
				require.ErrorIs(t, do(c), os.ErrDeadlineExceeded)
				require.False(t, time.Now().Before(deadline), "too early")
			}
		})
	}
}

// A deadline bounds the whole wait, however many reads it takes.
func TestBlockingConnDeadlineIsTotal(t *testing.T) {
	c, peer := blockingPair(t)
	stop, stopped := make(chan struct{}), make(chan struct{})
	go func() {
		defer close(stopped)
		for {
			select {
			case <-stop:
				return
			case <-time.After(10 * time.Millisecond):
				_, _ = peer.Write([]byte{'.'})
			}
		}
	}()
	require.NoError(t, c.SetReadDeadline(time.Now().Add(80*time.Millisecond)))
	_, err := io.Copy(io.Discard, c)
	require.ErrorIs(t, err, os.ErrDeadlineExceeded)
	close(stop)
	<-stopped
}

func TestBlockingConnWithoutDeadlineWaits(t *testing.T) {
	c, peer := blockingPair(t)
	require.NoError(t, c.SetDeadline(time.Now().Add(20*time.Millisecond)))
	_, err := c.Read(make([]byte, 1))
	require.ErrorIs(t, err, os.ErrDeadlineExceeded)
	require.NoError(t, c.SetDeadline(time.Time{}))
	go func() {
		<-time.After(60 * time.Millisecond)
		_, _ = peer.Write([]byte("late"))
	}()
	b := make([]byte, 10)
	n, err := c.Read(b)
	require.NoError(t, err)
	require.Equal(t, "late", string(b[:n]))
}

func TestBlockingConnEnds(t *testing.T) {
	c, peer := blockingPair(t)
	require.NoError(t, peer.Close())
	_, err := c.Read(make([]byte, 1))
	require.ErrorIs(t, err, io.EOF)
	require.NoError(t, c.Close())
	require.ErrorIs(t, c.Close(), net.ErrClosed)
	_, err = c.Read(make([]byte, 1))
	require.ErrorIs(t, err, net.ErrClosed)
	_, err = c.Write(make([]byte, 1))
	require.ErrorIs(t, err, net.ErrClosed)
}

func TestDialBlockingFails(t *testing.T) {
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	require.NoError(t, err)
	require.NoError(t, listener.Close())
	_, err = dialBlocking(listener.Addr().String(), patience)
	require.Error(t, err)
}

func TestParkers(t *testing.T) {
	for name, p := range map[string]parker{"channel": newChannelParker(), "futex": new(futexParker)} {
		t.Run(name, func(t *testing.T) {
			const rounds = 1000
			other := threads{}.parker()
			done := make(chan struct{})
			go func() {
				defer close(done)
				for range rounds {
					p.park()
					other.unpark()
				}
			}()
			for range rounds {
				p.unpark()
				other.park()
			}
			<-done
			p.unpark()
			p.park() // an unpark that comes first is not lost
		})
	}
}
