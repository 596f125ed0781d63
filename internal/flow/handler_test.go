package flow

import (
	"encoding/json"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"poolvsloop/internal/wire"
)

func TestNewNamesWhatIsWrong(t *testing.T) {
	good := Config{
		Path: "/v1/sync", Server: "pool", DownstreamA: "http://a", DownstreamB: "http://[::1]:80/x", CacheTTL: time.Second,
	}
	_, err := New(good)
	require.NoError(t, err)
	for _, c := range []struct {
		name   string
		change func(c *Config)
		want   string
	}{
		{"path empty", func(c *Config) { c.Path = "" }, "path"},
		{"path with a query", func(c *Config) { c.Path = "/a?b" }, "path"},
		{"path of hold", func(c *Config) { c.Path = HoldPath }, "path"},
		{"server too long", func(c *Config) { c.Server = "threadpool" }, "server"},
		{"server with a quote", func(c *Config) { c.Server = `po"l` }, "server"},
		{"ttl 0", func(c *Config) { c.CacheTTL = 0 }, "cache ttl"},
		{"ttl not whole", func(c *Config) { c.CacheTTL = 1500 * time.Millisecond }, "cache ttl"},
		{"a empty", func(c *Config) { c.DownstreamA = "" }, "downstream A"},
		{"a https", func(c *Config) { c.DownstreamA = "https://a" }, "downstream A"},
		{"b without host", func(c *Config) { c.DownstreamB = "http:///x" }, "downstream B"},
		{"b with a query", func(c *Config) { c.DownstreamB = "http://b/?x=1" }, "downstream B"},
		{"b no url", func(c *Config) { c.DownstreamB = "http://b:x" }, "downstream B"},
	} {
		config := good
		c.change(&config)
		_, err := New(config)
		require.ErrorContains(t, err, c.want, c.name)
	}
	_, err = New(Config{})
	for _, part := range []string{"path", "server", "cache ttl", "downstream A", "downstream B"} {
		require.ErrorContains(t, err, part)
	}
}

func TestRoutes(t *testing.T) {
	for _, c := range []struct {
		name   string
		method wire.Method
		path   string
		status int
		allow  string
	}{
		{"order", wire.Post, "/v1/sync", 400, ""},
		{"order by get", wire.Get, "/v1/sync", 405, "POST"},
		{"order of the other server", wire.Post, "/v1/async", 404, ""},
		{"hold", wire.Get, "/v1/hold", 200, ""},
		{"hold by head", wire.Head, "/v1/hold", 200, ""},
		{"hold by post", wire.Post, "/v1/hold", 200, ""},
		{"hold by put", wire.Put, "/v1/hold", 405, "GET, HEAD, POST"},
		{"hold by options", wire.Options, "/v1/hold", 405, "GET, HEAD, POST"},
		{"health", wire.Get, "/healthz", 200, ""},
		{"health by post", wire.Post, "/healthz", 405, "GET, HEAD"},
		{"unknown", wire.Get, "/no/such/path", 404, ""},
		{"dots are not resolved", wire.Get, "/v1/../v1/hold", 404, ""},
		{"percent is not resolved", wire.Get, "/v1%2Fhold", 404, ""},
		{"slash at the end", wire.Get, "/v1/hold/", 404, ""},
		{"asterisk", wire.Options, "*", 404, ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			var f Flow
			require.Equal(t, Done, f.Start(newHandler(t, "pool", "/v1/sync"), newRequest(c.method, c.path, "", "")).To)
			require.Equal(t, c.status, f.Response.Status)
			require.Equal(t, c.allow, f.Response.Allow)
			require.True(t, json.Valid(f.Response.Body))
		})
	}
}

func TestHealth(t *testing.T) {
	ready := false
	h, err := New(Config{
		Path: "/v1/async", Server: "loop", DownstreamA: "http://a", DownstreamB: "http://b", CacheTTL: time.Second,
		Ready: func() bool { return ready },
	})
	require.NoError(t, err)
	var f Flow
	f.Start(h, newRequest(wire.Get, HealthPath, "", ""))
	require.Equal(t, 503, f.Response.Status)
	ready = true
	f.Start(h, newRequest(wire.Get, HealthPath, "", ""))
	require.Equal(t, 200, f.Response.Status)
	require.Equal(t, `{"status":"ok"}`, string(f.Response.Body))
}

func TestRequestIDs(t *testing.T) {
	var f Flow
	h := newHandler(t, "pool", "/v1/sync")
	request := newRequest(wire.Get, HoldPath, "", "")
	request.ID = nil
	seen := map[string]bool{}
	for range 300 {
		f.Start(h, request)
		require.Regexp(t, "^[0-9a-f]{16}$", string(f.Response.ID))
		seen[string(f.Response.ID)] = true
	}
	require.Len(t, seen, 300)
	require.True(t, seen[h.prefix+"000000ff"])
}

func TestHold(t *testing.T) {
	for _, c := range []struct {
		query, steps string
		status, size int
	}{
		{"", "", 200, DefaultHoldSize},
		{"ms=0", "", 200, DefaultHoldSize},
		{"ms=20", "20ms", 200, DefaultHoldSize},
		{"cpu=7", "7", 200, DefaultHoldSize},
		{"ms=600000&cpu=10000000000&size=100", "10m0s 10000000000", 200, 100},
		{"ms=1&ms=abc", "1ms", 200, DefaultHoldSize},
		{"size=1", "", 200, 1},
		{"size=29", "", 200, 29},
		{"size=39", "", 200, 39},
		{"size=40", "", 200, 40},
		{"size=1048577", "", 200, 1048577},
		{"size=33554432", "", 200, 33554432},
		{"noread=1&x={y}", "", 200, DefaultHoldSize},
		{"ms=abc", "", 400, 0},
		{"ms=-5", "", 400, 0},
		{"ms=", "", 400, 0},
		{"ms=1.5", "", 400, 0},
		{"ms=600001", "", 400, 0},
		{"ms=99999999999999999999999", "", 400, 0},
		{"cpu=10000000001", "", 400, 0},
		{"size=33554433", "", 400, 0},
		{"size=%00", "", 400, 0},
	} {
		t.Run(c.query, func(t *testing.T) {
			var f Flow
			h := newHandler(t, "pool", "/v1/sync")
			steps, _ := drive(t, &f, h, newRequest(wire.Get, HoldPath, c.query, ""), world{})
			require.Equal(t, c.steps, steps)
			require.Equal(t, c.status, f.Response.Status)
			require.True(t, json.Valid(f.Response.Body))
			if c.status != 200 {
				name, _, _ := strings.Cut(c.query, "=")
				require.Contains(t, string(f.Response.Body), `{"error":"`+name+`: want`)
				return
			}
			require.Len(t, f.Response.Body, c.size)
			f.Start(h, newRequest(wire.Get, HealthPath, "", ""))
			f.Release()
			require.LessOrEqual(t, cap(f.Response.Body), wire.MaxKept, "memory kept")
		})
	}
}

func TestBurn(t *testing.T) {
	seen := map[uint64]bool{}
	for n := range 100 {
		seen[Burn(n)] = true
		require.Equal(t, Burn(n), Burn(n))
	}
	require.Len(t, seen, 100, "depends on every iteration")
}

func TestServerTiming(t *testing.T) {
	timing := Timing{
		StageQueue: 12 * time.Microsecond, StageA: 20131 * time.Microsecond, StageCache: 499, StageB: 1500,
		StageFill: -5, StageTotal: 123456789 * time.Microsecond,
	}
	require.Equal(t, "x queue;dur=00000.012, a;dur=00020.131, cache;dur=00000.000, b;dur=00000.002, "+
		"fill;dur=00000.000, total;dur=123456.789", string(timing.AppendServerTiming([]byte("x "))))
}

func TestAppendFill(t *testing.T) {
	for n := range 20 {
		dirty := append(make([]byte, 0, 32), "0123456789012345678901234567890"...)
		require.Equal(t, "01"+strings.Repeat(".", n), string(appendFill(dirty[:2], '.', n)))
	}
}
