package load

import (
	"fmt"
	"io"
	"net"
	"net/http"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// numbered makes requests whose path is their number.
type numbered struct{ close bool }

func (s numbered) Append(dst []byte, i int) []byte {
	dst = fmt.Appendf(dst, "GET /%d HTTP/1.1\r\nHost: x\r\n", i)
	if s.close {
		dst = append(dst, "Connection: close\r\n"...)
	}
	return append(dst, "\r\n"...)
}

// Exactly n requests go out, each planned one once, from exactly min(c, n) clients.
func TestExactCounts(t *testing.T) {
	for _, c := range []struct{ n, clients, threads int }{
		{1, 1, 1}, {1, 10, 1}, {7, 64, 1}, {64, 64, 1}, {1000, 64, 1}, {1000, 1, 1}, {1001, 64, 2}, {100, 7, 3}, {5, 3, 9},
	} {
		for _, keep := range []bool{true, false} {
			t.Run(fmt.Sprintf("n=%d c=%d threads=%d keep=%v", c.n, c.clients, c.threads, keep), func(t *testing.T) {
				s := serve(t, say(hello))
				r := mustRun(t, Config{Addr: s.addr, Source: numbered{close: !keep}, Requests: c.n, Clients: c.clients,
					KeepAlive: keep, Threads: c.threads})
				clients := min(c.n, c.clients)
				require.Equal(t, Counts{Planned: c.n, Sent: c.n, Answered: c.n}, r.Counts)
				require.Equal(t, map[int]int{200: c.n}, r.ByStatus)
				require.Equal(t, clients, r.Clients)
				require.False(t, r.Interrupted)
				require.EqualValues(t, c.n, s.requests.Load())
				require.LessOrEqual(t, int(s.most.Load()), clients, "requests at a time")
				require.Len(t, s.seen(), c.n, "a request was sent twice or not at all")
				if keep {
					require.Equal(t, Connections{Opened: clients, Reused: c.n - clients}, r.Connections)
					require.Equal(t, c.n, r.Kept)
				} else {
					require.Equal(t, Connections{Opened: c.n}, r.Connections)
				}
				require.EqualValues(t, r.Opened, s.connections.Load(), "connections the server saw")
			})
		}
	}
}

func TestBytesAndTimes(t *testing.T) {
	s := serve(t, say(hello))
	r := mustRun(t, Config{Addr: s.addr, Source: Fixed(get), Requests: 50, Clients: 5, KeepAlive: true})
	require.Equal(t, Bytes{Read: int64(50 * len(hello)), Head: int64(50 * (len(hello) - 5)), Body: 250,
		Written: int64(50 * len(get))}, r.Bytes)
	require.Equal(t, 5, r.Length)
	require.Zero(t, r.Different)
	require.Equal(t, "t/1 x", r.Server)
	require.Equal(t, r.Window, r.Duration)
	require.Equal(t, 50, r.InWindow)
	require.InEpsilon(t, 50/r.Duration.Seconds(), r.Throughput(), 1e-9)
	require.Equal(t, r.Response.Sum, r.Connect.Sum+r.Processing.Sum)
	require.Equal(t, r.Response.Histogram.Export(), r.Service.Histogram.Export())
	require.Positive(t, r.CPU)
	require.Positive(t, r.LoopCPU)
	require.LessOrEqual(t, r.Lag.Mean, r.Lag.Max)
}

// The measured time is the server's, not less and not much more.
func TestSlowServer(t *testing.T) {
	const pause = 30 * time.Millisecond
	s := serve(t, func(c *net.TCPConn, r *http.Request, k int) bool {
		time.Sleep(pause)
		return say(hello)(c, r, k)
	})
	r := mustRun(t, Config{Addr: s.addr, Source: Fixed(get), Requests: 40, Clients: 20, KeepAlive: true})
	require.GreaterOrEqual(t, r.Response.Min, pause.Microseconds())
	require.GreaterOrEqual(t, r.Wait.Min, pause.Microseconds()-1)
	require.GreaterOrEqual(t, r.Duration, 2*pause)
}

func TestDifferentLengths(t *testing.T) {
	var n atomic.Int64
	s := serve(t, func(c *net.TCPConn, _ *http.Request, _ int) bool {
		body := strings.Repeat("x", 10+int(n.Add(1))%3) // 11, 12, 10, 11, …
		_, err := fmt.Fprintf(c, "HTTP/1.1 200 OK\r\nContent-Length: %d\r\n\r\n%s", len(body), body)
		return err == nil
	})
	r := mustRun(t, Config{Addr: s.addr, Source: Fixed(get), Requests: 20, Clients: 1, KeepAlive: true})
	require.Equal(t, 11, r.Length)
	require.Equal(t, 13, r.Different)
	require.Equal(t, 20, r.Answered)
}

func TestCheck(t *testing.T) {
	for name, answer := range map[string]string{
		"in one piece": hello,
		"in chunks":    "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nhel\r\n2\r\nlo\r\n0\r\n\r\n",
	} {
		t.Run(name, func(t *testing.T) {
			s := serve(t, say(answer))
			var seen atomic.Int64
			r := mustRun(t, Config{Addr: s.addr, Source: Fixed(get), Requests: 12, Clients: 3, KeepAlive: true,
				Check: func(_, status int, body []byte) error {
					if status != 200 || string(body) != "hello" {
						return fmt.Errorf("unexpected %d %q", status, body)
					}
					if n := seen.Add(1); n%2 == 0 {
						return fmt.Errorf("fault %d", n)
					}
					return nil
				}})
			require.Equal(t, 12, r.OK2xx)
			require.Equal(t, 6, r.Wrong)
			require.Equal(t, []string{"fault 2", "fault 4", "fault 6", "fault 8", "fault 10"}, r.WrongSample)
		})
	}
}

func TestSamplesLimit(t *testing.T) {
	s := serve(t, say(hello))
	for _, c := range []struct {
		name            string
		requests, limit int
		kept            bool
	}{
		{"fits", 20, 20, true}, {"does not fit", 20, 19, false}, {"none wanted", 20, -1, false}, {"default", 20, 0, true},
	} {
		t.Run(c.name, func(t *testing.T) {
			r := mustRun(t, Config{Addr: s.addr, Source: Fixed(get), Requests: c.requests, Clients: 2, KeepAlive: true,
				MaxSamples: c.limit})
			require.Equal(t, c.kept, r.Samples != nil)
			require.EqualValues(t, 20, r.Response.Count())
		})
	}
}

func TestProgress(t *testing.T) {
	s := serve(t, func(c *net.TCPConn, r *http.Request, k int) bool {
		time.Sleep(5 * time.Millisecond)
		return say(hello)(c, r, k)
	})
	var calls []int
	start := time.Now()
	mustRun(t, Config{Addr: s.addr, Source: Fixed(get), Requests: 60, Clients: 1, KeepAlive: true,
		Progress: func(done int) { calls = append(calls, done) }})
	require.NotEmpty(t, calls)
	require.IsNonDecreasing(t, calls)
	require.Equal(t, 60, calls[len(calls)-1])
	require.LessOrEqual(t, len(calls), int(time.Since(start)/progressEvery)+1)
}

// lettered makes large requests that differ in every byte from their neighbours.
type lettered int

func (size lettered) body(i int) string { return strings.Repeat(string(rune('a'+i%26)), int(size)) }

func (size lettered) Append(dst []byte, i int) []byte {
	return fmt.Appendf(dst, "POST /%d HTTP/1.1\r\nHost: x\r\nContent-Length: %d\r\n\r\n%s", i, size, size.body(i))
}

// A body of several buffers goes out and comes back whole, however little the sockets take at a time.
func TestLargeBodies(t *testing.T) {
	const size = lettered(3 << 20)
	s := serve(t, func(c *net.TCPConn, r *http.Request, _ int) bool {
		_, err := fmt.Fprintf(c, "HTTP/1.1 200 OK\r\nContent-Length: %d\r\n\r\n", r.ContentLength)
		if err == nil {
			_, err = io.Copy(c, r.Body)
		}
		return err == nil
	})
	whole := func(_, _ int, got []byte) error {
		if len(got) != int(size) || strings.Trim(string(got), string(got[:1])) != "" {
			return fmt.Errorf("%d bytes, not all alike", len(got))
		}
		return nil
	}
	for name, source := range map[string]Source{"each its own": size, "all alike": Fixed(size.Append(nil, 0))} {
		for _, keep := range []bool{true, false} {
			t.Run(fmt.Sprintf("%s keep=%v", name, keep), func(t *testing.T) {
				r := mustRun(t, Config{Addr: s.addr, Requests: 8, Clients: 3, KeepAlive: keep, Source: source, Check: whole})
				require.Equal(t, 8, r.OK2xx, r.Failures)
				require.Zero(t, r.Wrong, r.WrongSample)
				require.EqualValues(t, 8*size, r.Body)
				require.Greater(t, r.Written, int64(8*size))
			})
		}
	}
}

func TestIPv6(t *testing.T) {
	ln, err := net.Listen("tcp", "[::1]:0")
	if err != nil {
		t.Skip("no IPv6 here:", err)
	}
	server := http.Server{Handler: http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { io.WriteString(w, "hello") })}
	go server.Serve(ln)
	defer server.Close()
	r := mustRun(t, Config{Addr: ln.Addr().(*net.TCPAddr).AddrPort(), Source: Fixed(get), Requests: 20, Clients: 3, KeepAlive: true})
	require.Equal(t, 20, r.OK2xx)
}

// A client is either waiting for an answer or on its way to the next request: the two times fill the run.
func TestTurnaround(t *testing.T) {
	s := serve(t, say(hello))
	r := mustRun(t, Config{Addr: s.addr, Source: Fixed(get), Requests: 200, Clients: 1, KeepAlive: true})
	require.Positive(t, r.Turnaround)
	responses := time.Duration(r.Response.Sum) * time.Microsecond
	require.InDelta(t, r.Duration, responses+r.Turnaround, float64(200*time.Microsecond), "each time is cut to a microsecond")
	r = mustRun(t, Config{Addr: s.addr, Source: Fixed(get), Requests: 20, Clients: 1, KeepAlive: true, Think: time.Millisecond})
	require.Zero(t, r.Turnaround, "a pause that was asked for has a schedule")
}
