package load

import (
	"bufio"
	"io"
	"maps"
	"net"
	"net/http"
	"net/netip"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/stretchr/testify/require"
	"go.uber.org/goleak"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// listen starts a server that runs handler for each connection, and closes the connection after it. The test ends
// only when every handler has.
func listen(t testing.TB, handler func(*net.TCPConn)) netip.AddrPort {
	t.Helper()
	ln, err := net.Listen("tcp", "127.0.0.1:0")
	require.NoError(t, err)
	var all sync.WaitGroup
	var open sync.Map
	all.Go(func() {
		for {
			c, err := ln.Accept()
			if err != nil {
				return
			}
			open.Store(c, true)
			all.Go(func() {
				defer open.Delete(c)
				defer c.Close()
				handler(c.(*net.TCPConn))
			})
		}
	})
	t.Cleanup(func() {
		ln.Close()
		open.Range(func(c, _ any) bool { c.(net.Conn).Close(); return true })
		all.Wait()
	})
	return ln.Addr().(*net.TCPAddr).AddrPort()
}

// script is a server that knows what it did: it reads requests and lets reply answer each.
type script struct {
	addr netip.AddrPort
	// requests and connections seen, answers given (replies that returned true), the most requests at a time.
	requests, connections, answers, most atomic.Int64
	mu                                   sync.Mutex
	paths                                map[string]int
}

// serve starts a script. reply gets the connection, the request and its number on that connection (from 0), and says
// whether the connection goes on. A body is reply's to read.
func serve(t *testing.T, reply func(c *net.TCPConn, r *http.Request, k int) bool) *script {
	t.Helper()
	s := &script{paths: map[string]int{}}
	var now atomic.Int64
	s.addr = listen(t, func(c *net.TCPConn) {
		s.connections.Add(1)
		in := bufio.NewReader(c)
		for k := 0; ; k++ {
			r, err := http.ReadRequest(in)
			if err != nil {
				return
			}
			s.requests.Add(1)
			s.mu.Lock()
			s.paths[r.URL.Path]++
			s.most.Store(max(s.most.Load(), now.Add(1)))
			s.mu.Unlock()
			now.Add(-1) // before the answer: with it the client may send the next request
			if !reply(c, r, k) {
				return
			}
			s.answers.Add(1)
		}
	})
	return s
}

// seen is how often each path was asked for.
func (s *script) seen() map[string]int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return maps.Clone(s.paths)
}

// say answers with those bytes and goes on.
func say(text string) func(*net.TCPConn, *http.Request, int) bool {
	return func(c *net.TCPConn, _ *http.Request, _ int) bool {
		_, err := io.WriteString(c, text)
		return err == nil
	}
}

// sayAndClose answers with those bytes and closes.
func sayAndClose(text string) func(*net.TCPConn, *http.Request, int) bool {
	return func(c *net.TCPConn, _ *http.Request, _ int) bool {
		_, _ = io.WriteString(c, text)
		return false
	}
}

// reset breaks a connection so that the client gets a RST.
func reset(c *net.TCPConn) { _ = c.SetLinger(0) }

const (
	get   = "GET / HTTP/1.1\r\nHost: x\r\n\r\n"
	hello = "HTTP/1.1 200 OK\r\nServer: t/1 x\r\nContent-Length: 5\r\n\r\nhello"
)

// mustRun runs and checks what must hold for every result.
func mustRun(t *testing.T, c Config) *Result {
	t.Helper()
	r, err := Run(t.Context(), c)
	require.NoError(t, err)
	checkResult(t, r)
	return r
}

// checkResult checks what must hold for every result, however the run ended.
func checkResult(t *testing.T, r *Result) {
	t.Helper()
	require.NoError(t, r.Books())
	sum := func(xs []int) (n int) {
		for _, x := range xs {
			n += x
		}
		return n
	}
	byStatus, failures := 0, 0
	for _, n := range r.ByStatus {
		byStatus += n
	}
	for _, n := range r.Failures {
		failures += n
	}
	require.Equal(t, r.Answered, byStatus, "answers by status")
	require.Equal(t, r.Answered, r.OK2xx+r.Non2xx, "answers by class")
	require.Equal(t, r.Answered, sum(r.AnswersPerClient), "answers by client")
	require.Equal(t, r.Failed(), failures, "failures by cause")
	require.Len(t, r.AnswersPerClient, r.Clients)
	require.Len(t, r.Ages, r.InFlight)
	require.EqualValues(t, r.Answered, r.Response.Count())
	require.EqualValues(t, r.Answered, r.Service.Count())
	require.EqualValues(t, r.OK2xx, r.Good.Count())
	require.EqualValues(t, r.TimedOut, r.GivenUp.Count())
	for _, x := range []Times{r.Connect, r.Processing, r.Wait} {
		require.EqualValues(t, r.Answered+r.TimedOut, x.Count())
	}
	require.LessOrEqual(t, r.InWindow, r.Answered)
	require.LessOrEqual(t, r.Window, r.Duration)
	require.LessOrEqual(t, r.LastAnswer, r.Duration)
	require.Equal(t, r.Answered > 0, r.LastAnswer > 0)
	require.LessOrEqual(t, r.Head+r.Body, r.Read)
	var answered, failed int
	for _, s := range r.Seconds {
		answered, failed = answered+s.Answered, failed+s.Failed
	}
	require.Equal(t, r.Answered, answered, "answers by second")
	require.Equal(t, r.Failed(), failed, "failures by second")
	checkSamples(t, r)
}

// checkSamples checks the single requests against the sums.
func checkSamples(t *testing.T, r *Result) {
	t.Helper()
	if r.Samples == nil {
		return
	}
	require.Len(t, r.Samples, r.Answered+r.Failed())
	var total int64
	var c Counts
	for _, x := range r.Samples {
		*c.of(x.Outcome)++
		if x.Outcome == Answered {
			total += int64(x.Total)
		}
		require.GreaterOrEqual(t, x.Total, x.Connect)
		require.GreaterOrEqual(t, x.Total, x.Wait)
	}
	require.Equal(t, r.Response.Sum, total)
	require.Equal(t, r.Answered, c.Answered)
	require.Equal(t, r.TimedOut, c.TimedOut)
	require.Equal(t, r.Reset, c.Reset)
	require.Equal(t, r.Refused, c.Refused)
	require.Equal(t, r.Aborted, c.Aborted)
}
