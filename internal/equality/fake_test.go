package equality

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"net"
	"net/http"
	"strings"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"
	"go.uber.org/goleak"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// fake is a server that answers as the lab's do, or nearly.
type fake struct {
	side   Side
	server string // four letters
	// spoil, if set, changes an answer.
	spoil func(*http.Request, *reply)

	mu     sync.Mutex // protects cached
	cached bool
}

// reply is an answer before it is written.
type reply struct {
	status string
	header []string
	body   string
	// cut leaves out the answer, junk is sent behind it.
	cut  bool
	junk string
	// close closes the connection afterwards.
	close bool
}

// startFake serves for the length of the test.
func startFake(t *testing.T, name, server, path string, spoil func(*http.Request, *reply)) *fake {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	require.NoError(t, err)
	f := &fake{side: Side{Name: name, Addr: l.Addr().String(), Path: path}, server: server, spoil: spoil}
	var serving sync.WaitGroup
	serving.Go(func() {
		for {
			c, err := l.Accept()
			if err != nil {
				return
			}
			serving.Go(func() { f.serve(c) })
		}
	})
	t.Cleanup(func() {
		require.NoError(t, l.Close())
		serving.Wait()
	})
	return f
}

// flush empties the fake's cache.
func (f *fake) flush() {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.cached = false
}

func (f *fake) serve(c net.Conn) {
	defer c.Close()
	from := bufio.NewReader(c)
	for {
		r, err := http.ReadRequest(from)
		if err != nil {
			return
		}
		body, err := io.ReadAll(r.Body)
		if err != nil {
			return
		}
		a := f.answer(r, string(body))
		if f.spoil != nil {
			f.spoil(r, a)
		}
		if a.cut {
			return
		}
		text := a.status + "\r\n" + strings.Join(a.header, "\r\n") + "\r\n\r\n"
		if r.Method != http.MethodHead {
			text += a.body
		}
		if _, err := io.WriteString(c, text+a.junk); err != nil || a.close {
			return
		}
	}
}

func (f *fake) answer(r *http.Request, body string) *reply {
	a := &reply{}
	status, text, allow := f.route(r, body)
	a.status, a.body = fmt.Sprintf("HTTP/1.1 %d %s", status, http.StatusText(status)), text
	id := r.Header.Get(idLine)
	if id == "" {
		id = fmt.Sprintf("%016x", len(f.side.Addr))
	}
	a.header = []string{"Server: poolvsloop", "Date: " + f.side.Name, "Content-Type: application/json",
		fmt.Sprintf("Content-Length: %d", len(text)), idLine + ": " + id}
	if allow != "" {
		a.header = append(a.header, "Allow: "+allow)
	}
	if r.Header.Get("X-Lab-Timing") != "" {
		a.header = append(a.header, fmt.Sprintf("Server-Timing: queue;dur=%09.3f, a;dur=00020.131", float64(len(f.side.Name))))
	}
	switch {
	case r.Close:
		a.header, a.close = append(a.header, "Connection: close"), true
	case r.ProtoMinor == 0:
		a.header = append(a.header, "Connection: keep-alive")
	}
	return a
}

func (f *fake) route(r *http.Request, body string) (status int, text, allow string) {
	switch r.URL.Path {
	case f.side.Path:
		if r.Method != http.MethodPost {
			return 405, `{"error":"method not allowed"}`, "POST"
		}
		if !strings.Contains(body, `"sku"`) {
			return 400, `{"error":"body"}`, ""
		}
		f.mu.Lock()
		defer f.mu.Unlock()
		cache := map[bool]string{true: "hit ", false: "miss"}[f.cached]
		f.cached = true
		quote := r.Header.Get(idLine)
		if quote == "" { // then it depends on the id that the server made
			quote = "made-by-" + f.server
		}
		return 200, fmt.Sprintf(`{"server":"%s","cache":"%s","quote_id":"%s","total":4711}`, f.server, cache, quote), ""
	case "/v1/hold":
		return 200, fmt.Sprintf(`{"server":"%s","padding":"..."}`, f.server), ""
	case "/healthz":
		return 200, `{"status":"ok"}`, ""
	}
	return 404, `{"error":"no such path"}`, ""
}

// check compares a good fake with one that spoils its answers.
func check(t *testing.T, spoil func(*http.Request, *reply)) Result {
	t.Helper()
	pool := startFake(t, "threadpool", "pool", "/v1/sync", nil)
	loop := startFake(t, "eventloop", "loop", "/v1/async", spoil)
	result, err := Check(context.Background(), []Side{pool.side, loop.side}, func(context.Context) error {
		pool.flush()
		loop.flush()
		return nil
	})
	require.NoError(t, err)
	return result
}
