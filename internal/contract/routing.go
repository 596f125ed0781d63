package contract

import (
	"net/http"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

var routingCases = []testCase{
	{"routing", routes},
	{"head is answered without a body", head},
	{"waits and CPU steps are no calls", holdCallsNobody},
	{"bad orders are answered with 400", badOrders},
}

// routes asks for everything on one connection: none of these answers may end it.
func routes(t *testing.T, s Server) {
	w := newWorld(t, s, nil)
	cases := []struct {
		name, raw string
		status    int
		allow     string
		body      string // or the start of it
	}{
		{"order", w.orderRequest(), 200, "", `{"server":"` + s.Label + `",`},
		{"order by GET", request("GET", s.Path, ""), 405, "POST", `{"error":"`},
		{"order by PUT", request("PUT", s.Path, "{}"), 405, "POST", `{"error":"`},
		{"order by TRACE", request("TRACE", s.Path, ""), 405, "POST", `{"error":"`},
		{"unknown path", request("GET", "/nothing", ""), 404, "", `{"error":"`},
		{"unknown path with a body", request("POST", "/nothing", "xyz"), 404, "", `{"error":"`},
		{"path with more behind it", request("POST", s.Path+"/", "{}"), 404, "", `{"error":"`},
		{"health", request("GET", "/healthz", ""), 200, "", `{"status":"ok"}`},
		{"health by POST", request("POST", "/healthz", ""), 405, "GET, HEAD", `{"error":"`},
		{"hold", hold("ms=1&cpu=10&size=100"), 200, "", `{"server":"` + s.Label + `",`},
		{"hold by POST", request("POST", "/v1/hold?ms=1", "ignored"), 200, "", ``},
		{"hold without arguments", hold(""), 200, "", ``},
		{"hold with a bad number", hold("ms=soon"), 400, "", `{"error":"ms: `},
		{"hold with a negative number", hold("size=-1"), 400, "", `{"error":"size: `},
		{"absolute target", request("GET", "http://lab/healthz", ""), 200, "", `{"status":"ok"}`},
		{"query on a path without", request("GET", "/healthz?x=1", ""), 200, "", `{"status":"ok"}`},
	}
	c := w.dial(t)
	for _, k := range cases {
		got := c.ask(k.raw)
		require.Equal(t, k.status, got.status, k.name)
		require.Equal(t, k.allow, got.header.Get("Allow"), k.name)
		require.True(t, strings.HasPrefix(got.body, k.body), "%s: %s", k.name, got.body)
		require.NotEmpty(t, got.header.Get("X-Request-Id"), k.name)
		require.False(t, got.closes, k.name)
	}
	require.Len(t, c.ask(hold("size=100")).body, 100)
	require.Len(t, c.ask(hold("size=100000")).body, 100000)
}

func head(t *testing.T, s Server) {
	c := newWorld(t, s, nil).dial(t)
	for _, target := range []string{"/healthz", "/v1/hold?size=500", "/nothing"} {
		got := c.ask(request("HEAD", target, ""))
		require.Empty(t, got.body)
		require.NotEqual(t, "0", got.header.Get("Content-Length"))
		require.Equal(t, http.StatusOK, c.ask(hold("")).status, "the connection stays in step")
	}
}

// holdCallsNobody: the counters of calls are those of A, B and the cache, on every server alike.
func holdCallsNobody(t *testing.T, s Server) {
	w := newWorld(t, s, nil)
	c := w.dial(t)
	require.Equal(t, http.StatusOK, c.ask(w.orderRequest()).status)
	before := w.Counts().Calls
	require.Len(t, before, 3)
	require.Equal(t, http.StatusOK, c.ask(hold("ms=1&cpu=10")).status)
	require.Equal(t, before, w.Counts().Calls)
}

func badOrders(t *testing.T, s Server) {
	w := newWorld(t, s, nil)
	c := w.dial(t)
	for _, body := range []string{
		"", "{", "null", "[]", "nonsense", `{"customer_id":"c-1"}`, `{"customer_id":"","sku":"s","quantity":1}`,
		order("c/1", "s-1", 1, ""), order("c-1", "s 1", 1, ""), order("c-1", "s-1", 0, ""), order("c-1", "s-1", -1, ""),
		`{"customer_id":"c-1","sku":"s-1","quantity":1.5}`, `{"customer_id":"c-1","sku":"s-1","quantity":"1"}`,
		order("c-1", "s-1", 1, "") + "x", strings.Repeat("[", 10000), "\xff\xfe",
	} {
		got := c.ask(request("POST", s.Path, body))
		require.Equal(t, http.StatusBadRequest, got.status, "%.60q", body)
		require.False(t, got.closes)
	}
	require.Empty(t, w.a.calls(), "a bad order calls nobody")
}
