package contract

import (
	"fmt"
	"io"
	"net"
	"net/http"
	"strings"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"

	"poolvsloop/internal/config"
)

var unaskedCases = []testCase{
	{"unasked: A speaks on an idle connection", func(t *testing.T, s Server) {
		speaksUnasked(t, s, func(c *config.Server) *string { return &c.DownstreamA },
			httpText(`{"customer_id":"c-2","tier":"stale","discount_bp":0}`))
	}},
	{"unasked: B speaks on an idle connection", func(t *testing.T, s Server) {
		speaksUnasked(t, s, func(c *config.Server) *string { return &c.DownstreamB },
			httpText(`{"quote_id":"stale","unit_price":1,"total":1,"catalog":`+entry("s-1")+`}`))
	}},
	{"unasked: the cache speaks on an idle connection", func(t *testing.T, s Server) {
		stale := strings.Replace(entry("s-1"), "Item", "stale", 1)
		speaksUnasked(t, s, func(c *config.Server) *string { return &c.Redis },
			fmt.Sprintf("$%d\r\n%s\r\n", len(stale), stale))
	}},
}

func httpText(body string) string {
	return fmt.Sprintf("HTTP/1.1 200 OK\r\nContent-Length: %d\r\n\r\n%s", len(body), body)
}

// speaksUnasked has one dependency send the next call's answer before that call is made. Nobody may be served with it.
func speaksUnasked(t *testing.T, s Server, pick func(*config.Server) *string, text string) {
	var between *relay
	w := newWorld(t, s, func(c *config.Server) {
		address := pick(c)
		host := strings.TrimPrefix(*address, "http://")
		between = newRelay(t, host)
		*address = strings.Replace(*address, host, between.addr, 1)
	})
	c := w.dial(t)
	for range 10 {
		require.Equal(t, http.StatusOK, c.ask(w.orderRequest()).status)
		between.speak(t, text)
		require.Equal(t, http.StatusOK, c.ask(request("GET", "/healthz", "")).status)
		got := c.ask(request("POST", s.Path, order("c-2", "s-1", 1, "")))
		require.Equal(t, http.StatusOK, got.status)
		require.NotContains(t, got.body, "stale")
	}
}

// relay passes bytes between whoever connects to it and a target, and can put in words of its own.
type relay struct {
	addr, target string
	listener     net.Listener

	mu      sync.Mutex // guards what follows
	conns   []net.Conn // of both sides
	callers map[net.Conn]bool
	passing sync.WaitGroup
}

func newRelay(t *testing.T, target string) *relay {
	t.Helper()
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	require.NoError(t, err)
	r := &relay{addr: listener.Addr().String(), target: target, listener: listener, callers: map[net.Conn]bool{}}
	r.passing.Go(r.accept)
	t.Cleanup(func() {
		drop(listener)
		r.mu.Lock()
		for _, conn := range r.conns {
			drop(conn)
		}
		r.mu.Unlock()
		r.passing.Wait()
	})
	return r
}

func (r *relay) accept() {
	for {
		caller, err := r.listener.Accept()
		if err != nil {
			return
		}
		target, err := net.Dial("tcp", r.target)
		if err != nil {
			drop(caller)
			continue
		}
		r.mu.Lock()
		r.conns = append(r.conns, caller, target)
		r.callers[caller] = true
		r.mu.Unlock()
		r.passing.Go(func() { r.pass(target, caller) })
		r.passing.Go(func() { r.pass(caller, target) })
	}
}

// pass copies until one side ends, and ends the other.
func (r *relay) pass(to, from net.Conn) {
	_, _ = io.Copy(to, from)
	r.mu.Lock()
	delete(r.callers, from)
	r.mu.Unlock()
	drop(from)
	drop(to)
}

// speak sends the text to everybody who is connected.
func (r *relay) speak(t *testing.T, text string) {
	t.Helper()
	r.mu.Lock()
	defer r.mu.Unlock()
	for caller := range r.callers {
		_, _ = io.WriteString(caller, text) // it may have just left
	}
}
