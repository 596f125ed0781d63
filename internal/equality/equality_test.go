package equality

import (
	"bufio"
	"context"
	"errors"
	"net/http"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"poolvsloop/internal/deadport"
)

func TestServersThatAreAlike(t *testing.T) {
	result := check(t, nil)
	require.Empty(t, result.Differences)
	require.Empty(t, result.Left)
	require.Len(t, result.Compared, len(Cases()))
}

// on spoils the answers to one target.
func on(target string, spoil func(*reply)) func(*http.Request, *reply) {
	return func(r *http.Request, a *reply) {
		if r.URL.Path == target {
			spoil(a)
		}
	}
}

// line changes one header line.
func line(from, to string) func(*reply) {
	return func(a *reply) {
		for i := range a.header {
			a.header[i] = strings.Replace(a.header[i], from, to, 1)
		}
	}
}

// orders is where the fake event loop takes orders.
const orders = "/v1/async"

// spoils are ways in which the event loop differs from the thread pool, and a part of what is to be said of each.
var spoils = []struct {
	name  string
	spoil func(*http.Request, *reply)
	want  string
}{
	{"another status", on("/v1/nowhere", func(a *reply) { a.status = "HTTP/1.1 410 Gone" }),
		`unknown path: status line: threadpool: "HTTP/1.1 404 Not Found", but eventloop: "HTTP/1.1 410 Gone"`},
	{"a status that is wrong", on("/v1/nowhere", func(a *reply) { a.status = "HTTP/1.1 410 Gone" }),
		`unknown path: status line: wanted HTTP/1.1 404, but eventloop: "HTTP/1.1 410 Gone {\"error\":\"no such path\"}"`},
	{"another reason phrase", on("/v1/nowhere", func(a *reply) { a.status = "HTTP/1.1 404 Gone Fishing" }),
		`unknown path: status line: threadpool: "HTTP/1.1 404 Not Found", but eventloop: "HTTP/1.1 404 Gone Fishing"`},
	{"another HTTP version", on("/healthz", func(a *reply) { a.status = "HTTP/1.0 200 OK" }),
		`health: status line: wanted HTTP/1.1 200`},
	{"another case of a name", on("/healthz", line("Content-Type", "content-type")),
		`health: header line 2: threadpool: "Content-Type: application/json", but eventloop: "content-type: application/json"`},
	{"another order of lines", on("/healthz", func(a *reply) { a.header[0], a.header[2] = a.header[2], a.header[0] }),
		`health: header line 1: threadpool: "Server: poolvsloop", but eventloop: "Content-Type: application/json"`},
	{"a line more", on("/healthz", func(a *reply) { a.header = append(a.header, "X-Powered-By: gnet") }),
		`health: header line 5: threadpool: "(no such line)", but eventloop: "X-Powered-By: gnet"`},
	{"a line less", on(orders, line("Allow: POST", "Vary: *")),
		`wrong method: header line 5: threadpool: "Allow: POST", but eventloop: "Vary: *"`},
	{"an id that is not returned", on("/healthz", line("X-Request-Id: equality", "X-Request-Id: equably")),
		`health: X-Request-Id: wanted equality-15, but eventloop: "equably-15"`},
	{"a made-up id of another length", on(orders, line("X-Request-Id: 0000", "X-Request-Id: 00000")),
		`order without a request id: header line 4`},
	{"another width of durations", on(orders, line("dur=0", "dur=")),
		`order with Server-Timing: header line 5: threadpool: "Server-Timing: queue;dur=#####.###, a;dur=#####.###"`},
	{"no Server-Timing", on(orders, line("Server-Timing", "Timing")), `order with Server-Timing: header line 5`},
	{"another body", on(orders, func(a *reply) { a.body = strings.Replace(a.body, "4711", "4712", 1) }),
		`order, cache hit: body, byte 69: threadpool: "…lity-02\",\"total\":4711}", but eventloop: "…lity-02\",\"total\":4712}"`},
	{"another quote", on(orders, func(a *reply) { a.body = strings.Replace(a.body, "equality-02", "equality-03", 1) }),
		`order, cache hit: body, byte 55: threadpool: "…uote_id\":\"equality-02\"`},
	{"another width of quotes", on(orders, func(a *reply) { a.body = strings.Replace(a.body, "made-by-", "made-by-a-", 1) }),
		`order without a request id: body`},
	{"another width of the server field", on("/v1/hold", func(a *reply) {
		a.body = strings.Replace(a.body, `"loop"`, `"eventloop"`, 1)
		line("Content-Length: 33", "Content-Length: 38")(a)
	}), `hold: header line 3: threadpool: "Content-Length: 33", but eventloop: "Content-Length: 38"`},
	{"another cache state", on(orders, func(a *reply) { a.body = strings.Replace(a.body, "hit ", "miss", 1) }),
		`order, cache hit: body: wanted "cache":"hit "`},
	{"a body cut short", on("/v1/nowhere", line("Content-Length: 24", "Content-Length: 23")),
		`unknown path: end: wanted a connection that is kept, or closed as announced, but eventloop: "out of step: the next`},
	{"no Content-Length", on("/v1/nowhere", line("Content-Length", "Content-Width")),
		`unknown path: end: wanted a connection that is kept, or closed as announced, but eventloop: "no answer: Content-Length`},
	{"a body after HEAD", func(r *http.Request, a *reply) {
		if r.Method == http.MethodHead {
			a.junk = a.body
		}
	}, `HEAD of hold: end`},
	{"no answer", on("/v1/hold", func(a *reply) { a.cut = true }),
		`hold: end: threadpool: "1 answers, connection kept", but eventloop: "0 answers, no answer: connection closed"`},
	{"a close that was not announced", on("/healthz", func(a *reply) { a.close = true }),
		`health: end: threadpool: "1 answers, connection kept", but eventloop: "1 answers, not announced to close`},
	{"a close that was announced", on("/v1/hold", func(a *reply) {
		a.header, a.close = append(a.header, "Connection: close"), true
	}), `hold: end: threadpool: "1 answers, connection kept", but eventloop: "1 answers, connection closed, as announced"`},
	{"bytes after the last answer", func(r *http.Request, a *reply) {
		if a.close {
			a.junk = "HTTP/1.1 200 OK\r\n"
		}
	}, `bytes after an answer with Connection: close`},
	{"keep-alive lost in HTTP/1.0", on(orders, func(a *reply) {
		line("Connection: keep-alive", "Connection: close")(a)
		a.close = a.close || slices.Contains(a.header, "Connection: close")
	}),
		`order over HTTP/1.0, keep-alive: header line 5`},
	{"a close that never comes", func(r *http.Request, a *reply) {
		if r.Header.Get(idLine) == "equality-11" {
			a.header = append(a.header, "Connection: close")
		}
	}, `unknown path: end: wanted a connection that is kept, or closed as announced, but eventloop: "Connection: close announced, but left open"`},
	{"the third of three", func(r *http.Request, a *reply) {
		if r.Header.Get(idLine) == "equality-08" {
			a.status = "HTTP/1.1 500 Internal Server Error"
		}
	}, `keep-alive, three orders: answer 3, status line: wanted HTTP/1.1 200`},
}

func TestDifferencesAreFound(t *testing.T) {
	for _, tt := range spoils {
		t.Run(tt.name, func(t *testing.T) {
			var found []string
			for _, d := range check(t, tt.spoil).Differences {
				found = append(found, d.String())
			}
			require.Contains(t, strings.Join(found, "\n"), tt.want)
		})
	}
}

// Two servers that are broken alike are not alike enough.
func TestBothBroken(t *testing.T) {
	broken := on("/healthz", func(a *reply) { a.status = "HTTP/1.1 503 Service Unavailable" })
	pool := startFake(t, "threadpool", "pool", "/v1/sync", broken)
	loop := startFake(t, "eventloop", "loop", "/v1/async", broken)
	pool.cached, loop.cached = true, true
	result, err := Check(context.Background(), []Side{pool.side, loop.side}, nil)
	require.NoError(t, err)
	require.Len(t, result.Differences, 2, result.Differences)
	require.Equal(t, []string{"order, cache miss: the cache cannot be emptied"}, result.Left)
	require.Len(t, result.Compared, len(Cases())-1)
}

func TestThreeSides(t *testing.T) {
	pool := startFake(t, "threadpool", "pool", "/v1/sync", nil)
	loop := startFake(t, "eventloop", "loop", "/v1/async", nil)
	third := startFake(t, "actors", "cast", "/v1/actors", on("/healthz", line("Server: poolvsloop", "Server: stage")))
	result, err := Check(context.Background(), []Side{pool.side, loop.side, third.side}, nil)
	require.NoError(t, err)
	require.Len(t, result.Differences, 1)
	require.Equal(t, `health: header line 1: threadpool: "Server: poolvsloop", but actors: "Server: stage"`,
		result.Differences[0].String())
}

func TestServersThatCannotBeAsked(t *testing.T) {
	pool := startFake(t, "threadpool", "pool", "/v1/sync", nil)
	t.Run("refused", func(t *testing.T) {
		dead := deadport.Addr(t).String()
		_, err := Check(context.Background(), []Side{pool.side, {Name: "eventloop", Addr: dead}}, nil)
		require.ErrorContains(t, err, "connect to eventloop: dial tcp "+dead+": connect: connection refused")
	})
	t.Run("flush fails", func(t *testing.T) {
		failed := errors.New("no redis")
		_, err := Check(context.Background(), []Side{pool.side}, func(context.Context) error { return failed })
		require.ErrorIs(t, err, failed)
	})
	t.Run("cancelled while it waits", func(t *testing.T) {
		ctx, cancel := context.WithCancel(context.Background())
		hanging := startFake(t, "eventloop", "loop", "/v1/async", func(*http.Request, *reply) {
			cancel()
			<-ctx.Done()
		})
		hanging.spoil = func(*http.Request, *reply) { cancel() }
		_, err := Check(ctx, []Side{hanging.side}, nil)
		require.ErrorIs(t, err, context.Canceled)
	})
}

func FuzzRead(f *testing.F) {
	f.Add("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok", false)
	f.Add("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n", true)
	f.Add("HTTP/1.1 200 OK\nContent-Length: -1\n\n", false)
	f.Fuzz(func(t *testing.T, text string, head bool) {
		from := bufio.NewReader(strings.NewReader(text))
		a, err := read(from, head)
		if err != nil {
			return
		}
		require.LessOrEqual(t, len(a.header), maxLines+1)
		require.LessOrEqual(t, len(a.body), maxBody)
		require.Contains(t, text, a.body)
		require.Empty(t, differences(Case{Requests: make([]Request, 1)}, Side{Path: "/p"}, Side{Path: "/p"},
			conversation{answers: []answer{a}}, conversation{answers: []answer{a}}))
	})
}
