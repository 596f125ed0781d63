package accept

import (
	"bytes"
	"io"
	"net"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/rs/zerolog"
	"github.com/stretchr/testify/require"
	"go.uber.org/goleak"
	"golang.org/x/sys/unix"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// served is a listener under test whose connections are kept until the test closes them.
type served struct {
	*Listener
	conns  chan *net.TCPConn
	result chan error
}

func serve(t *testing.T, c Config) *served {
	t.Helper()
	if c.Addr == "" {
		c.Addr = "127.0.0.1:0"
	}
	l, err := Listen(c, zerolog.Nop())
	require.NoError(t, err)
	s := &served{Listener: l, conns: make(chan *net.TCPConn, 1000), result: make(chan error, 1)}
	go func() { s.result <- l.Serve(func(c *net.TCPConn) { s.conns <- c }) }()
	t.Cleanup(func() {
		require.NoError(t, l.Close())
		s.finished(t)
	})
	return s
}

// finished waits for Serve to return nil; it may be asked again.
func (s *served) finished(t *testing.T) {
	t.Helper()
	select {
	case err := <-s.result:
		require.NoError(t, err)
		s.result <- nil
	case <-time.After(5 * time.Second):
		require.Fail(t, "Serve did not return")
	}
}

func (s *served) dial(t *testing.T) net.Conn {
	t.Helper()
	conn, err := net.DialTimeout("tcp", s.Addr().String(), 5*time.Second)
	require.NoError(t, err)
	t.Cleanup(func() { conn.Close() })
	return conn
}

func (s *served) dials(t *testing.T, n int) []net.Conn {
	t.Helper()
	conns := make([]net.Conn, n)
	for i := range conns {
		conns[i] = s.dial(t)
	}
	return conns
}

func (s *served) take(t *testing.T) *net.TCPConn {
	t.Helper()
	select {
	case c := <-s.conns:
		t.Cleanup(func() { c.Close() })
		return c
	case <-time.After(5 * time.Second):
		require.Fail(t, "no connection was handed out")
		return nil
	}
}

func eventually(t *testing.T, what string, condition func() bool) {
	t.Helper()
	require.Eventually(t, condition, 5*time.Second, time.Millisecond, what)
}

func TestListenErrors(t *testing.T) {
	taken := serve(t, Config{Backlog: 1})
	cases := map[string]struct {
		config Config
		want   string
	}{
		"port in use":    {Config{Addr: taken.Addr().String(), Backlog: 1}, "choose another --addr"},
		"not an address": {Config{Addr: "nonsense", Backlog: 1}, "listen on nonsense"},
		"no descriptors": {Config{Addr: "127.0.0.1:0", Backlog: 1, Reserve: 1 << 30}, "raise it (ulimit -n)"},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			_, err := Listen(c.config, zerolog.Nop())
			require.ErrorContains(t, err, c.want)
		})
	}
}

func TestStatsOfLimits(t *testing.T) {
	s := serve(t, Config{Backlog: 7, MaxConns: 1 << 29, Reserve: 50})
	stats := s.Stats()
	require.Equal(t, 7, stats.BacklogAsked)
	require.Equal(t, 7, stats.Backlog)
	require.Equal(t, 1<<29, stats.MaxConnsAsked)
	free, err := connectionLimit(0, 50)
	require.NoError(t, err)
	require.Equal(t, free, stats.MaxConns)

	cut := serve(t, Config{Backlog: 1 << 20, MaxConns: 3}).Stats()
	require.Less(t, cut.Backlog, 1<<20, "somaxconn cuts it")
	require.Positive(t, cut.Backlog)
	require.Equal(t, 3, cut.MaxConns)
}

func TestOptionsOfAcceptedConnections(t *testing.T) {
	s := serve(t, Config{Backlog: 1, MaxConns: 1})
	s.dial(t)
	raw, err := s.take(t).SyscallConn()
	require.NoError(t, err)
	require.NoError(t, raw.Control(func(fd uintptr) {
		noDelay, err := unix.GetsockoptInt(int(fd), unix.IPPROTO_TCP, unix.TCP_NODELAY)
		require.NoError(t, err)
		require.Equal(t, 1, noDelay, "TCP_NODELAY is on")
		probes, err := unix.GetsockoptInt(int(fd), unix.SOL_SOCKET, unix.SO_KEEPALIVE)
		require.NoError(t, err)
		require.Zero(t, probes, "keep-alive probes are off")
	}))
}

func TestExactlyMaxConnsAndBacklogPlusOne(t *testing.T) {
	const maxConns, backlog = 3, 2
	s := serve(t, Config{Backlog: backlog, MaxConns: maxConns})
	s.dials(t, maxConns)
	var first *net.TCPConn
	for range maxConns {
		first = s.take(t)
	}
	s.dials(t, backlog+1)
	eventually(t, "the kernel holds backlog+1", func() bool { return s.Stats().QueueDepth == backlog+1 })
	require.Equal(t, maxConns, s.Stats().Open)
	require.EqualValues(t, maxConns, s.Stats().Accepted)
	_, err := net.DialTimeout("tcp", s.Addr().String(), 100*time.Millisecond)
	require.Error(t, err, "the next handshake is dropped")
	eventually(t, "waiting is counted while it lasts", func() bool { return s.Stats().BlockedSeconds > 0 })

	require.NoError(t, first.Close())
	s.Release()
	s.take(t)
	eventually(t, "one came out of the queue", func() bool { return s.Stats().QueueDepth <= backlog })
	require.Equal(t, maxConns, s.Stats().Open)
}

func TestFullEvictsOnlyForANewcomer(t *testing.T) {
	var evictions atomic.Int64
	var s *served
	ready := make(chan struct{})
	s = serve(t, Config{Backlog: 5, MaxConns: 2, Full: func() {
		<-ready
		evictions.Add(1)
		select {
		case idle := <-s.conns:
			idle.Close()
			s.Release()
		default:
		}
	}})
	close(ready)
	s.dials(t, 2)
	eventually(t, "full", func() bool { return s.Stats().Open == 2 && s.Stats().BlockedSeconds > 0.02 })
	require.Zero(t, evictions.Load(), "nobody waits, nobody is evicted")

	s.dial(t)
	eventually(t, "the newcomer is in", func() bool { return s.Stats().Accepted == 3 })
	require.EqualValues(t, 1, evictions.Load())
	for len(s.conns) > 0 {
		(<-s.conns).Close()
	}
}

func TestDrainHandsOutTheQueueAndResetsNobody(t *testing.T) {
	s := serve(t, Config{Backlog: 50, MaxConns: 2})
	clients := s.dials(t, 20)
	eventually(t, "the rest waits", func() bool { return s.Stats().QueueDepth == 18 })

	var answering sync.WaitGroup
	answering.Go(func() {
		for range clients {
			c := s.take(t)
			_, _ = c.Write([]byte("served"))
			c.Close()
			s.Release()
		}
	})
	s.Drain()
	s.finished(t)
	answering.Wait()
	for _, client := range clients {
		got, err := io.ReadAll(client)
		require.NoError(t, err)
		require.Equal(t, "served", string(got))
	}
	_, err := net.DialTimeout("tcp", s.Addr().String(), time.Second)
	require.Error(t, err)
}

// Clients that connect at any moment of a drain are either served or turned away at connect: none is reset afterwards.
func TestDrainUnderConnects(t *testing.T) {
	s := serve(t, Config{Backlog: 100, MaxConns: 1000})
	var answering, dialling sync.WaitGroup
	answering.Go(func() {
		for {
			select {
			case c := <-s.conns:
				_, _ = c.Write([]byte("served"))
				c.Close()
				s.Release()
			case <-s.closed:
				if len(s.conns) == 0 {
					return
				}
			}
		}
	})
	var ok, refused atomic.Int64
	for range 8 {
		dialling.Go(func() {
			for {
				c, err := net.DialTimeout("tcp", s.Addr().String(), 300*time.Millisecond)
				if err != nil {
					refused.Add(1)
					return
				}
				got, err := io.ReadAll(c)
				if err == nil && string(got) == "served" {
					ok.Add(1)
				} else {
					t.Errorf("connected, then got %q, %v", got, err)
				}
				c.Close()
			}
		})
	}
	eventually(t, "clients come and go", func() bool { return ok.Load() > 200 })
	s.Drain()
	s.finished(t)
	dialling.Wait()
	answering.Wait()
	require.Positive(t, refused.Load())
}

func TestDrainEnds(t *testing.T) {
	cases := map[string]func(t *testing.T, s *served){
		"nobody there":                    func(*testing.T, *served) {},
		"all permits taken, empty queue":  func(t *testing.T, s *served) { s.dials(t, 2); s.take(t); s.take(t) },
		"all permits taken, then a close": func(t *testing.T, s *served) { s.dials(t, 3); s.take(t); s.take(t); closeLater(t, s) },
	}
	for name, prepare := range cases {
		t.Run(name, func(t *testing.T) {
			s := serve(t, Config{Backlog: 5, MaxConns: 2})
			prepare(t, s)
			s.Drain()
			s.finished(t)
			s.Drain()
			require.NoError(t, s.Close())
		})
	}
	t.Run("never served", func(t *testing.T) {
		l, err := Listen(Config{Addr: "127.0.0.1:0", Backlog: 1}, zerolog.Nop())
		require.NoError(t, err)
		l.Drain()
		require.NoError(t, l.Serve(func(*net.TCPConn) { t.Error("handed out after drain") }))
	})
}

// closeLater closes the listener once a drain waits for a permit.
func closeLater(t *testing.T, s *served) {
	eventually(t, "one waits", func() bool { return s.Stats().QueueDepth == 1 })
	done := make(chan struct{})
	t.Cleanup(func() { <-done })
	go func() {
		defer close(done)
		<-s.drain
		s.Close()
	}()
}

func TestPermitsAgainstClose(t *testing.T) {
	for range 30 {
		s := serve(t, Config{Backlog: 50, MaxConns: 2})
		var working, releasing sync.WaitGroup
		gone := make(chan struct{})
		for range 4 {
			working.Go(func() {
				for !isDone(s.closed) {
					c, err := net.DialTimeout("tcp", s.Addr().String(), time.Second)
					if err != nil {
						return
					}
					_, _ = io.Copy(io.Discard, c)
					c.Close()
				}
			})
			releasing.Go(func() {
				for {
					select {
					case c := <-s.conns:
						c.Close()
						s.Release()
					case <-gone:
						return
					}
				}
			})
		}
		eventually(t, "traffic", func() bool { return s.Stats().Accepted > 5 })
		require.NoError(t, s.Close())
		s.finished(t)
		working.Wait()
		close(gone)
		releasing.Wait()
		require.Zero(t, s.Stats().Backlog, "a closed socket has no queue")
		for len(s.conns) > 0 {
			(<-s.conns).Close()
			s.Release()
		}
		require.Zero(t, s.Stats().Open)
	}
}

func TestBrokenSocketIsAnError(t *testing.T) {
	l, err := Listen(Config{Addr: "127.0.0.1:0", Backlog: 1}, zerolog.Nop())
	require.NoError(t, err)
	require.NoError(t, l.listener.Close())
	require.ErrorContains(t, l.Serve(func(*net.TCPConn) {}), "accept on 127.0.0.1:")
}

func TestShortageIsLoggedOncePerRow(t *testing.T) {
	var out bytes.Buffer
	l, err := Listen(Config{Addr: "127.0.0.1:0", Backlog: 1}, zerolog.New(&out))
	require.NoError(t, err)
	defer l.Close()
	var pause backoff
	closed := make(chan struct{})
	close(closed)
	for range 3 {
		l.note(net.ErrWriteToConnected, pause.first())
		pause.wait(closed)
	}
	require.Equal(t, 1, bytes.Count(out.Bytes(), []byte("\n")))
}

func TestBackoffDoubles(t *testing.T) {
	closed := make(chan struct{})
	close(closed)
	var pause backoff
	var got []time.Duration
	for range 10 {
		pause.wait(closed)
		got = append(got, pause.next)
	}
	ms := time.Millisecond
	require.Equal(t, []time.Duration{5 * ms, 10 * ms, 20 * ms, 40 * ms, 80 * ms, 160 * ms, 320 * ms, 640 * ms, time.Second, time.Second}, got)
}

func BenchmarkPermit(b *testing.B) {
	p := newPermits(1000)
	for b.Loop() {
		p.try()
		p.opened()
		p.release()
	}
}
