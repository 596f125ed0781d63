package load

import (
	"fmt"
	"io"
	"net"
	"net/http"
	"runtime"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// Every answer is shown once, with the header that is wanted in whatever form it comes, and nothing left of an earlier one.
func TestOnAnswerShowsTheHeader(t *testing.T) {
	answer := func(status int, lines ...string) string {
		return fmt.Sprintf("HTTP/1.1 %d X\r\n%sContent-Length: 5\r\n\r\nhello", status, strings.Join(append(lines, ""), "\r\n"))
	}
	answers := []struct{ text, want string }{
		{answer(200, "X-Times: a;dur=1"), "a;dur=1"},
		{answer(200), ""},
		{answer(200, "x-tImEs:\ta;dur=2  "), "a;dur=2"},
		{answer(503), ""},
		{answer(502, "X-Times: a", "X-Other: c", "X-Times: b"), "a, b"},
		{"HTTP/1.1 103 Early\r\nX-Times: early\r\n\r\n" + answer(200), ""},
		{"HTTP/1.1 103 Early\r\nX-Times: early\r\n\r\n" + answer(200, "X-Times: late"), "late"},
		{answer(200, "X-Times: a;dur=1"), "a;dur=1"},
		{answer(200, "X-Times: a;dur=1"), "a;dur=1"},
		{answer(200, "X-Timesx: 1", "X-Time: 2", "Y-Times: 3"), ""},
	}
	for name, piece := range map[string]int{"whole": 1 << 10, "byte by byte": 1} {
		t.Run(name, func(t *testing.T) {
			s := serve(t, func(c *net.TCPConn, _ *http.Request, k int) bool {
				for rest := answers[k].text; rest != ""; rest = rest[min(piece, len(rest)):] {
					if _, err := io.WriteString(c, rest[:min(piece, len(rest))]); err != nil {
						return false
					}
				}
				return true
			})
			var told []Answer
			r := mustRun(t, Config{Addr: s.addr, Source: Fixed(get), Requests: len(answers), Clients: 1, KeepAlive: true, Header: "x-times",
				OnAnswer: func(a Answer) {
					want := answers[len(told)]
					assert.Equal(t, want.want, string(a.Header), want.text)
					a.Header = nil
					told = append(told, a)
				}})
			require.Len(t, told, len(answers))
			for i, a := range told {
				require.Equal(t, i, a.Number)
				require.EqualValues(t, r.Samples[i].Status, a.Status)
				require.EqualValues(t, r.Samples[i].Total, a.Response.Microseconds())
			}
		})
	}
}

// An answer is told with its own request's number and by the loop that got it, whatever the shape of the load.
func TestOnAnswerKnowsRequestAndLoop(t *testing.T) {
	for name, c := range map[string]Config{
		"closed":     {Requests: 40, Clients: 4, KeepAlive: true},
		"two loops":  {Requests: 41, Clients: 4, Threads: 2},
		"a pipeline": {Requests: 43, Clients: 3, KeepAlive: true, Pipeline: 8},
		"open":       {Requests: 40, KeepAlive: true, Arrivals: &Arrivals{Plan: Steady(2000)}},
	} {
		t.Run(name, func(t *testing.T) {
			s := serve(t, func(conn *net.TCPConn, r *http.Request, _ int) bool {
				_, err := fmt.Fprintf(conn, "HTTP/1.1 200 OK\r\nX-Path: %s\r\nContent-Length: 2\r\n\r\nhi", r.URL.Path)
				return err == nil
			})
			var mu sync.Mutex
			seen := map[int]int{}
			c.Addr, c.Source, c.Header = s.addr, numbered{close: !c.KeepAlive}, "x-path"
			c.OnAnswer = func(a Answer) {
				mu.Lock()
				defer mu.Unlock()
				assert.Equal(t, fmt.Sprintf("/%d", a.Number), string(a.Header))
				assert.Equal(t, a.Number%max(1, c.Threads), a.Loop, "a loop takes every so many-th request")
				assert.Positive(t, a.Response)
				assert.Less(t, a.Response, time.Minute)
				seen[a.Number]++
			}
			r := mustRun(t, c)
			require.Equal(t, c.Requests, r.Answered)
			require.Len(t, seen, c.Requests, "each once")
		})
	}
}

// Showing answers allocates nothing per request.
func TestOnAnswerAllocatesNothing(t *testing.T) {
	addr := listen(t, echo)
	bytes := 0
	allocations := func(requests int) uint64 {
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		r := mustRun(t, Config{Addr: addr, Source: Fixed(get), Requests: requests, Clients: 8, KeepAlive: true, MaxSamples: -1,
			Header: "server", OnAnswer: func(a Answer) { bytes += len(a.Header) }})
		runtime.ReadMemStats(&after)
		require.Equal(t, requests, r.Answered)
		return after.Mallocs - before.Mallocs
	}
	allocations(100) // warm
	small, large := allocations(100), allocations(10_100)
	require.Less(t, large, small+1000, "10,000 requests more")
	require.Equal(t, (100+100+10_100)*len("t/1 x"), bytes)
}
