package wire

import (
	"bufio"
	"bytes"
	"io"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

func TestAppendResponse(t *testing.T) {
	const start = "Server: poolvsloop\r\nDate: D\r\nContent-Type: application/json\r\n"
	get := &Request{Method: Get}
	for _, c := range []struct {
		name     string
		response Response
		request  *Request
		then     Connection
		want     string
	}{
		{"reuse", Response{Status: 200, Body: []byte("{}")}, get, Reuse,
			"HTTP/1.1 200 OK\r\n" + start + "Content-Length: 2\r\n\r\n{}"},
		{"close", Response{Status: 200, Body: []byte("{}")}, get, Close,
			"HTTP/1.1 200 OK\r\n" + start + "Content-Length: 2\r\nConnection: close\r\n\r\n{}"},
		{"http 1.0, reuse", Response{Status: 200, Body: []byte("{}")}, &Request{Method: Get, HTTP10: true}, Reuse,
			"HTTP/1.1 200 OK\r\n" + start + "Content-Length: 2\r\nConnection: keep-alive\r\n\r\n{}"},
		{"http 1.0, close", Response{Status: 200, Body: []byte("{}")}, &Request{Method: Get, HTTP10: true}, Close,
			"HTTP/1.1 200 OK\r\n" + start + "Content-Length: 2\r\nConnection: close\r\n\r\n{}"},
		{"head", Response{Status: 200, Body: []byte("{}")}, &Request{Method: Head}, Reuse,
			"HTTP/1.1 200 OK\r\n" + start + "Content-Length: 2\r\n\r\n"},
		{"everything", Response{Status: 503, Body: []byte("{}"), ID: []byte("i"), RetryAfter: 1, ServerTiming: []byte("t")},
			get, Reuse, "HTTP/1.1 503 Service Unavailable\r\n" + start +
				"Content-Length: 2\r\nX-Request-Id: i\r\nRetry-After: 1\r\nServer-Timing: t\r\n\r\n{}"},
		{"method not allowed", Response{Status: 405, Body: []byte("{}"), Allow: "GET, HEAD"}, get, Reuse,
			"HTTP/1.1 405 Method Not Allowed\r\n" + start + "Content-Length: 2\r\nAllow: GET, HEAD\r\n\r\n{}"},
	} {
		t.Run(c.name, func(t *testing.T) {
			got := AppendResponse([]byte("before"), &c.response, c.request, c.then, []byte("D"))
			require.Equal(t, "before"+c.want, string(got))
		})
	}
}

// What we write, net/http and our own decoders must read.
func TestWrittenIsRead(t *testing.T) {
	var response Response
	response.Problem(503, "queue full")
	var date DateLine
	written := AppendResponse(nil, &response, &Request{Method: Post}, Reuse, date.At(time.Now()))
	theirs, err := http.ReadResponse(bufio.NewReader(bytes.NewReader(written)), nil)
	require.NoError(t, err)
	body, err := io.ReadAll(theirs.Body)
	require.NoError(t, err)
	require.JSONEq(t, `{"error":"queue full"}`, string(body))
	require.Equal(t, `503 true "{\"error\":\"queue full\"}"`, strings.TrimSpace(
		decodeReplies(t, NewReplyDecoder(replyLimits), string(written), len(written))))

	call := AppendCall(nil, Post, "h:1", []byte("/quotes"), []byte("id-1"), []byte("{}"))
	request, err := http.ReadRequest(bufio.NewReader(bytes.NewReader(call)))
	require.NoError(t, err)
	require.Equal(t, "application/json", request.Header.Get("Content-Type"))
	require.Equal(t,
		[]string{`POST "/quotes" "" 1.0=false keep=true expect=false length=2 id="id-1" timing=false body="{}"`},
		decode(t, testLimits, string(call), len(call)).requests)
}

func TestAppendCall(t *testing.T) {
	require.Equal(t, "GET /c/1 HTTP/1.1\r\nHost: h\r\nX-Request-Id: i\r\n\r\n",
		string(AppendCall(nil, Get, "h", []byte("/c/1"), []byte("i"), nil)))
	require.Equal(t, "POST / HTTP/1.1\r\nHost: h\r\nX-Request-Id: i\r\n"+
		"Content-Type: application/json\r\nContent-Length: 0\r\n\r\n",
		string(AppendCall(nil, Post, "h", []byte("/"), []byte("i"), nil)))
}

func TestDateLine(t *testing.T) {
	var d DateLine
	require.Equal(t, "Thu, 01 Jan 1970 00:00:00 GMT", string(d.At(time.Unix(0, 0))))
	moment := time.Date(2026, 1, 2, 3, 4, 5, 999, time.FixedZone("x", 3600))
	require.Equal(t, "Fri, 02 Jan 2026 02:04:05 GMT", string(d.At(moment)))
	require.Equal(t, "Fri, 02 Jan 2026 02:04:06 GMT", string(d.At(moment.Add(time.Second))))
}

func TestAppendContinue(t *testing.T) {
	require.Equal(t, "HTTP/1.1 100 Continue\r\n\r\n", string(AppendContinue(nil)))
}

func TestAppendPadded(t *testing.T) {
	for _, c := range []struct {
		n     int64
		width int
		want  string
	}{{0, 0, "x0"}, {0, 3, "x000"}, {7, 3, "x007"}, {123, 3, "x123"}, {1234, 3, "x1234"}} {
		require.Equal(t, c.want, string(AppendPadded([]byte("x"), c.n, c.width)))
	}
}
