package load

import (
	"fmt"
	"io"
	"net"
	"net/http"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// mixed makes GET and HEAD requests in turn.
type mixed struct{}

func (mixed) Append(dst []byte, i int) []byte {
	method := "GET"
	if i%3 == 1 {
		method = "HEAD"
	}
	return fmt.Appendf(dst, "%s /%d HTTP/1.1\r\nHost: x\r\n\r\n", method, i)
}

// Every request of a pipeline is sent and answered once, also when GET and HEAD are mixed and n is no multiple.
func TestPipeline(t *testing.T) {
	head := strings.TrimSuffix(hello, "hello")
	for _, c := range []struct{ n, clients, depth, threads int }{
		{100, 1, 1, 1}, {100, 1, 8, 1}, {101, 7, 8, 1}, {10, 10, 64, 1}, {1000, 3, 16, 2}, {5, 2, 64, 1},
	} {
		t.Run(fmt.Sprintf("%+v", c), func(t *testing.T) {
			s := serve(t, func(conn *net.TCPConn, r *http.Request, _ int) bool {
				answer := hello
				if r.Method == http.MethodHead {
					answer = head
				}
				_, err := io.WriteString(conn, answer)
				return err == nil
			})
			r := mustRun(t, Config{Addr: s.addr, Source: mixed{}, Requests: c.n, Clients: c.clients, Threads: c.threads, KeepAlive: true,
				Pipeline: c.depth})
			require.Equal(t, Counts{Planned: c.n, Sent: c.n, Answered: c.n}, r.Counts, r.Failures)
			require.Len(t, s.seen(), c.n)
			require.Equal(t, min(c.n, c.clients), r.Opened)
			require.Equal(t, c.n, r.Kept)
			require.EqualValues(t, int(r.Body), 5*(c.n-(c.n+1)/3))
		})
	}
}

func TestPipelineOfFixedHeads(t *testing.T) {
	s := serve(t, say("HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\n"))
	r := mustRun(t, Config{Addr: s.addr, Source: Fixed(strings.Replace(get, "GET", "HEAD", 1)), Requests: 50, Clients: 2,
		KeepAlive: true, Pipeline: 9})
	require.Equal(t, 50, r.Answered, r.Failures)
	require.EqualValues(t, 50*len("HEAD / HTTP/1.1\r\nHost: x\r\n\r\n"), r.Written)
}

// A server that closes behind the third answer of a pipeline fails the requests behind it; none is sent again.
func TestPipelineBroken(t *testing.T) {
	for name, last := range map[string]string{
		"silently":  hello,
		"announced": "HTTP/1.1 200 OK\r\nConnection: close\r\nContent-Length: 5\r\n\r\nhello",
	} {
		t.Run(name, func(t *testing.T) {
			s := serve(t, func(c *net.TCPConn, r *http.Request, k int) bool {
				if k == 2 {
					say(last)(c, r, k)
					c.CloseWrite()
					io.Copy(io.Discard, c) // what is unread would reset the connection
					return false
				}
				return say(hello)(c, r, k)
			})
			r := mustRun(t, Config{Addr: s.addr, Source: numbered{}, Requests: 80, Clients: 2, KeepAlive: true, Pipeline: 8})
			require.Equal(t, Counts{Planned: 80, Sent: 80, Answered: 30, Aborted: 50}, r.Counts, r.Failures)
			require.Equal(t, map[string]int{"closed without an answer": 50}, r.Failures)
			require.Equal(t, 10, r.ClosedOnRequest)
			for path, n := range s.seen() {
				require.Equal(t, 1, n, path)
			}
		})
	}
}

// A pipeline of which not all is answered times out as a whole.
func TestPipelineTimeout(t *testing.T) {
	s := serve(t, func(c *net.TCPConn, r *http.Request, k int) bool {
		return k < 3 && say(hello)(c, r, k) || k >= 3 && hang(c, r, k)
	})
	r := mustRun(t, Config{Addr: s.addr, Source: Fixed(get), Requests: 8, Clients: 1, KeepAlive: true, Pipeline: 8, Timeout: 200e6})
	require.Equal(t, Counts{Planned: 8, Sent: 8, Answered: 3, TimedOut: 5}, r.Counts)
	require.EqualValues(t, 3*len(hello), r.Read)
	require.EqualValues(t, 15, r.Body)
}

// TestCheckKnowsTheRequest: a server that repeats what it was asked is right only when each answer is held against the
// request that it belongs to, in a pipeline, over several loops, and on new connections too.
func TestCheckKnowsTheRequest(t *testing.T) {
	for name, c := range map[string]Config{
		"one by one":      {Requests: 40, Clients: 4, KeepAlive: true},
		"new connections": {Requests: 40, Clients: 4},
		"two loops":       {Requests: 41, Clients: 4, KeepAlive: true, Threads: 2},
		"a pipeline":      {Requests: 43, Clients: 3, KeepAlive: true, Pipeline: 8},
	} {
		t.Run(name, func(t *testing.T) {
			s := serve(t, func(conn *net.TCPConn, r *http.Request, _ int) bool {
				_, err := fmt.Fprintf(conn, "HTTP/1.1 200 OK\r\nContent-Length: %d\r\n\r\n%s", len(r.URL.Path), r.URL.Path)
				return err == nil
			})
			c.Addr, c.Source = s.addr, numbered{close: !c.KeepAlive}
			c.Check = func(i, _ int, body []byte) error {
				if want := fmt.Sprintf("/%d", i); string(body) != want {
					return fmt.Errorf("request %d was answered %q, want %q", i, body, want)
				}
				return nil
			}
			r := mustRun(t, c)
			require.Equal(t, c.Requests, r.OK2xx)
			require.Empty(t, r.WrongSample)
		})
	}
}
