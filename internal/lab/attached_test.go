package lab

import (
	"context"
	"net"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"poolvsloop/internal/deadport"
)

// hostport is a base URL without its scheme, as people may give it too.
func hostport(base string) string { return strings.TrimPrefix(base, "http://") }

func TestAttach(t *testing.T) {
	up := start(t, embedded(t))
	ctx := context.Background()
	l, err := Attach(ctx, Attached{
		Servers: []Endpoint{
			{Name: "threadpool", URL: up.Targets[0].URL + "/", Admin: up.Targets[0].admin.base},
			{Name: "eventloop", URL: hostport(up.Targets[1].URL), Admin: hostport(up.Targets[1].admin.base)},
		},
		DownstreamA: hostport(up.A.admin.base), DownstreamB: up.B.admin.base, Redis: up.Cache.Addr,
	})
	require.NoError(t, err)

	require.Equal(t, up.Targets[0].URL, l.Targets[0].URL)
	require.Equal(t, up.Targets[1].URL, l.Targets[1].URL)
	usage, err := l.Targets[0].Usage(ctx)
	require.NoError(t, err)
	require.Positive(t, usage.CPUSeconds)
	require.Positive(t, usage.OpenFDs)
	_, err = l.A.Ledger(ctx)
	require.NoError(t, err)
	require.Equal(t, "miniredis", l.Cache.Kind)
	require.NoError(t, l.Cache.Flush(ctx))
	require.NoError(t, l.Err())
	require.ErrorContains(t, l.Renew(ctx), "not started by this lab")

	require.NoError(t, l.Stop(ctx))
	require.NoError(t, up.Err(), "an attached lab is left as it is")
	_, err = up.Targets[0].Config(ctx)
	require.NoError(t, err)
}

func TestAttachWithoutOptionalParts(t *testing.T) {
	up := start(t, embedded(t))
	ctx := context.Background()
	l, err := Attach(ctx, Attached{Servers: []Endpoint{{Name: "threadpool", URL: up.Targets[0].URL}}})
	require.NoError(t, err)
	defer func() { require.NoError(t, l.Stop(ctx)) }()
	target, err := l.Target("threadpool")
	require.NoError(t, err)
	_, err = l.Target("eventloop")
	require.ErrorContains(t, err, `the lab has no server "eventloop"`)

	asked := map[string]func() error{
		"config":        func() error { _, err := target.Config(ctx); return err },
		"usage":         func() error { _, err := target.Usage(ctx); return err },
		"ledger":        func() error { _, err := l.A.Ledger(ctx); return err },
		"reset":         func() error { return l.B.Reset(ctx) },
		"flush":         func() error { return l.Cache.Flush(ctx) },
		"prewarm":       func() error { return l.Cache.Prewarm(ctx, []Entry{{"catalog:a", "1"}}, 0) },
		"reset counts":  func() error { return l.Cache.ResetCounts(ctx) },
		"counts":        func() error { _, err := l.Cache.Counts(ctx); return err },
		"flush nothing": func() error { return l.Cache.Prewarm(ctx, nil, 0) },
	}
	for name, ask := range asked {
		require.ErrorIs(t, ask(), ErrNotKnown, name)
	}
}

func TestAttachFails(t *testing.T) {
	silent, err := net.Listen("tcp", "127.0.0.1:0")
	require.NoError(t, err)
	defer silent.Close()
	e := embedded(t)
	up := start(t, e)
	dead := deadport.Addr(t).String()
	good := Endpoint{Name: "threadpool", URL: up.Targets[0].URL}
	tests := []struct {
		name string
		lab  Attached
		want string
	}{
		{"no server", Attached{}, "no server to attach to"},
		{"a URL with a path", Attached{Servers: []Endpoint{{Name: "threadpool", URL: "http://127.0.0.1:1/v1/sync"}}},
			`URL of threadpool: "http://127.0.0.1:1/v1/sync": want host:port or http://host:port`},
		{"https", Attached{Servers: []Endpoint{{Name: "threadpool", URL: "https://127.0.0.1:1"}}}, "want host:port or http"},
		{"no URL", Attached{Servers: []Endpoint{{Name: "threadpool"}}}, "URL of threadpool"},
		{"a bad admin port", Attached{Servers: []Endpoint{{Name: "threadpool", URL: "127.0.0.1:1", Admin: "http://"}}},
			"admin port of threadpool"},
		{"a bad downstream", Attached{Servers: []Endpoint{good}, DownstreamB: "ftp://b"}, "admin port of downstream-b"},
		{"a bad redis", Attached{Servers: []Endpoint{good}, Redis: "localhost"}, `redis "localhost": want host:port`},
		{"a server that is not up", Attached{Servers: []Endpoint{good, {Name: "eventloop", URL: dead}}},
			"wait for eventloop at http://" + dead + ": not ready after 100ms"},
		{"a downstream that is not up", Attached{Servers: []Endpoint{good}, DownstreamA: dead},
			"wait for admin port of downstream-a (http://" + dead + ")"},
		{"a redis that is not up", Attached{Servers: []Endpoint{good}, Redis: dead}, "wait for redis at " + dead},
		{"something that is no redis", Attached{Servers: []Endpoint{good}, Redis: hostport(up.Targets[0].URL)}, "wait for redis at"},
		{"something that never answers", Attached{Servers: []Endpoint{{Name: "threadpool", URL: silent.Addr().String()}}},
			"wait for threadpool at"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			tt.lab.Ready = 100 * time.Millisecond
			_, err := Attach(context.Background(), tt.lab)
			require.ErrorContains(t, err, tt.want)
		})
	}
}

func TestUsageWithoutProcess(t *testing.T) {
	up := start(t, embedded(t))
	port, err := newAdmin("threadpool", up.A.URL)
	require.NoError(t, err)
	defer port.close()
	port.base += "/nothing"
	_, err = (&Target{Name: "threadpool", admin: port}).Usage(context.Background())
	require.ErrorContains(t, err, "404 Not Found")
}
