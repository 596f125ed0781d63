package contract

import (
	"fmt"
	"net/http"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"poolvsloop/internal/config"
	"poolvsloop/internal/meter"
)

var limitCases = []testCase{
	{"limits: refused with the right status, then closed", refusals},
	{"limits: what is just allowed", justAllowed},
	{"limits: a refusal with unread bytes behind it arrives", refusalArrives},
	{"limits: a request cut short", cutShort},
}

// Limits of the worlds here, in bytes.
const (
	maxHeader = 1024
	maxBody   = 4096
)

func limited(t *testing.T, s Server) *world {
	return newWorld(t, s, func(c *config.Server) { c.MaxHeader, c.MaxBody = maxHeader, maxBody })
}

func refusals(t *testing.T, s Server) {
	w := limited(t, s)
	post := func(lines string) string { return "POST " + s.Path + " HTTP/1.1\r\nHost: lab\r\n" + lines + "\r\n\r\n" }
	cases := []struct {
		name, raw string
		status    int
	}{
		{"header too large", request("GET", "/healthz", "", "X: "+strings.Repeat("x", maxHeader)), 431},
		{"too many header lines", request("GET", "/healthz", "", strings.Repeat("X: 1\r\n", 120)+"X: 1"), 431},
		{"target too long", request("GET", "/"+strings.Repeat("x", maxHeader), ""), 431},
		{"header without an end", "GET / HTTP/1.1\r\nX: " + strings.Repeat("x", maxHeader), 431},
		{"body too large, announced", post(fmt.Sprintf("Content-Length: %d", maxBody+1)), 413},
		{"body too large, huge", post("Content-Length: 99999999999999999999"), 413},
		{"body too large, in chunks", post("Transfer-Encoding: chunked") + fmt.Sprintf("%x\r\n", maxBody+1), 413},
		{"body too large, with expectation", post(fmt.Sprintf("Expect: 100-continue\r\nContent-Length: %d", maxBody+1)), 413},
		{"garbage", "garbage\r\n\r\n", 400},
		{"no host", "GET / HTTP/1.1\r\n\r\n", 400},
		{"two hosts", request("GET", "/", "", "Host: lab"), 400},
		{"bad length", post("Content-Length: ten"), 400},
		{"negative length", post("Content-Length: -1"), 400},
		{"two lengths", post("Content-Length: 1\r\nContent-Length: 2"), 400},
		{"length and coding", post("Content-Length: 1\r\nTransfer-Encoding: chunked"), 400},
		{"bad chunk", post("Transfer-Encoding: chunked") + "zz\r\n", 400},
		{"bare line feed", "GET / HTTP/1.1\nHost: lab\n\n", 400},
		{"space before the colon", request("GET", "/", "", "X : 1"), 400},
		{"other expectation", post("Expect: 200-ok\r\nContent-Length: 1"), 417},
		{"unknown coding", post("Transfer-Encoding: gzip"), 501},
		{"unknown method", request("BREW", "/", ""), 501},
		{"lower-case method", request("get", "/", ""), 501},
		{"version 2.0", "GET / HTTP/2.0\r\nHost: lab\r\n\r\n", 505},
		{"version 1.2", "GET / HTTP/1.2\r\nHost: lab\r\n\r\n", 505},
	}
	for _, k := range cases {
		c := w.dial(t)
		got := c.ask(k.raw)
		require.Equal(t, k.status, got.status, k.name)
		require.True(t, got.closes, k.name)
		require.Contains(t, got.body, `{"error":"`, k.name)
		c.ends()
	}
	w.counted(t, "refusals are answers", func(c meter.Counts) bool { return c.Answered == uint64(len(cases)) })
	require.Empty(t, w.a.calls())
}

func justAllowed(t *testing.T, s Server) {
	w := limited(t, s)
	c := w.dial(t)
	bare := len(request("GET", "/healthz", "", "X: "))
	got := c.ask(request("GET", "/healthz", "", "X: "+strings.Repeat("x", maxHeader-bare)))
	require.Equal(t, http.StatusOK, got.status)
	body := order("c-1", "s-1", 1, "")
	body = order("c-1", "s-1", 1, strings.Repeat("n", maxBody-len(body)))
	require.Len(t, body, maxBody)
	require.Equal(t, http.StatusOK, c.ask(request("POST", s.Path, body)).status)
	chunked := fmt.Sprintf("POST %s HTTP/1.1\r\nHost: lab\r\nTransfer-Encoding: chunked\r\n\r\n%x\r\n%s\r\n0\r\n\r\n",
		s.Path, maxBody, body)
	require.Equal(t, http.StatusOK, c.ask(chunked).status)
}

// refusalArrives sends a body that the server will not read: closing at once would reset the connection, and take the
// answer away from the client.
func refusalArrives(t *testing.T, s Server) {
	w := limited(t, s)
	for range 20 {
		c := w.dial(t)
		got := c.ask(request("POST", s.Path, strings.Repeat("x", 100_000)))
		require.Equal(t, http.StatusRequestEntityTooLarge, got.status)
		require.NoError(t, c.CloseWrite())
		c.ends()
	}
}

// cutShort ends the client's side within a request: a refusal or silence, then the end; never an answer as if whole.
func cutShort(t *testing.T, s Server) {
	w := limited(t, s)
	whole := w.orderRequest()
	for _, length := range []int{1, 10, strings.Index(whole, "\r\n\r\n") + 3, len(whole) - 1} {
		c := w.dial(t)
		c.send(whole[:length])
		require.NoError(t, c.CloseWrite())
		if _, err := c.reader.Peek(1); err == nil {
			require.Equal(t, http.StatusBadRequest, c.read().status, "%d bytes", length)
		}
		c.ends()
	}
	require.Empty(t, w.a.calls())
	w.mustServe(t)
}
