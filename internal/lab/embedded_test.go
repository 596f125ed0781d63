package lab

import (
	"context"
	"errors"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"poolvsloop/internal/procstat"
)

func TestStart(t *testing.T) {
	e := embedded(t)
	e.Servers[0].Args = []string{"--workers", "20"}
	e.DownstreamB = []string{"--latency", "const:30ms"}
	var lines sync.Map
	e.Log = func(child, line string) { lines.Store(child, line) }
	ctx, l := context.Background(), start(t, e)

	require.Len(t, l.Targets, 2)
	require.Equal(t, "threadpool", l.Targets[0].Name)
	require.Equal(t, "eventloop", l.Targets[1].Name)
	require.Equal(t, "miniredis", l.Cache.Kind)
	require.NotEmpty(t, l.Cache.Version)

	args := configArgs(t, l.Targets[0].Config)
	for _, want := range []string{"--workers 20", "--downstream-a " + l.A.URL, "--downstream-b " + l.B.URL,
		"--redis " + l.Cache.Addr, "--addr 127.0.0.1:0", "--admin 127.0.0.1:0", "--log-format json"} {
		require.Contains(t, args, want)
	}
	require.Contains(t, configArgs(t, l.B.Config), "--latency const:30ms")
	require.Contains(t, configArgs(t, l.B.Config), "--name b")
	require.Contains(t, configArgs(t, l.A.Config), "--name a")

	usage, err := l.Targets[1].Usage(ctx)
	require.NoError(t, err)
	require.Positive(t, usage.RSSBytes)
	require.Positive(t, usage.CPUSeconds)

	ledger, err := l.A.Ledger(ctx)
	require.NoError(t, err)
	require.Equal(t, Ledger{Calls: 5, Late: true, OvershootMS: Delays{P99: 1.5}}, ledger)
	require.NoError(t, l.A.Reset(ctx))
	for _, child := range []string{"threadpool", "eventloop", "downstream-a", "downstream-b", Miniredis} {
		_, ok := lines.Load(child)
		require.True(t, ok, "no log line of %s", child)
	}
	require.NoError(t, l.Err())
}

func configArgs(t *testing.T, config func(context.Context) (map[string]any, error)) string {
	t.Helper()
	values, err := config(context.Background())
	require.NoError(t, err)
	var args []string
	for _, a := range values["args"].([]any) {
		args = append(args, a.(string))
	}
	return strings.Join(args, " ")
}

func TestRenew(t *testing.T) {
	l := start(t, embedded(t))
	before, servers := childPIDs(l), []int{l.Targets[0].pid, l.Targets[1].pid}
	a := l.A.URL
	require.NoError(t, l.Renew(t.Context()))
	require.NoError(t, l.Err())
	requireGone(t, servers)
	require.Len(t, childPIDs(l), len(before))
	require.Equal(t, a, l.A.URL)
	for i, name := range []string{"threadpool", "eventloop"} {
		require.Equal(t, name, l.Targets[i].Name)
		require.NotEqual(t, servers[i], l.Targets[i].pid)
		require.Contains(t, configArgs(t, l.Targets[i].Config), "--redis "+l.Cache.Addr)
	}
}

func TestStopLeavesNothing(t *testing.T) {
	e := embedded(t)
	l, err := Start(context.Background(), e)
	require.NoError(t, err)
	pids := childPIDs(l)
	require.Len(t, pids, 5)
	require.NoError(t, l.Stop(context.Background()))
	requireGone(t, pids)
	requireNoScratch(t)
	require.NoError(t, l.Err())
}

func TestStartFails(t *testing.T) {
	tests := []struct {
		name   string
		change func(*Embedded)
		want   []string
	}{
		{"a server ends at once", func(e *Embedded) { e.Servers[1].Args = []string{"--fake", "fail"} },
			[]string{"eventloop ended by itself (exit status 3)", "the port is haunted"}},
		{"a downstream ends at once", func(e *Embedded) { e.DownstreamA = []string{"--fake", "fail"} },
			[]string{"downstream-a ended by itself (exit status 3)", "the port is haunted"}},
		{"a program is not there", func(e *Embedded) { e.Servers[0].Name = "nosuch" },
			[]string{"start nosuch", "no such file"}},
		{"no such kind of redis", func(e *Embedded) { e.Redis = "memcached" },
			[]string{`--redis "memcached": want redis-server, miniredis, auto, or host:port`}},
		{"no redis-server", func(e *Embedded) { e.Redis = RedisServer; os.Setenv("PATH", "/nowhere") },
			[]string{"no redis-server on PATH"}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Setenv("PATH", os.Getenv("PATH"))
			e := embedded(t)
			tt.change(&e)
			_, err := Start(context.Background(), e)
			require.Error(t, err)
			for _, want := range tt.want {
				require.ErrorContains(t, err, want)
			}
			requireNoScratch(t)
		})
	}
}

// A start that takes too long is cut when the child's log shows that it has come to where it hangs.
func TestStartIsCut(t *testing.T) {
	tests := []struct{ name, fake, logged, want string }{
		{"a server never says that it listens", "silent", "started", "wait for threadpool to say that it listens: enough"},
		{"a server never gets ready", "sick", "unwell", "wait for threadpool at http://127.0.0.1:"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			e := embedded(t)
			e.Servers = []Program{{Name: "threadpool", Args: []string{"--fake", tt.fake}}}
			ctx, cancel := context.WithCancelCause(context.Background())
			enough := errors.New("enough")
			e.Log = func(child, line string) {
				if child == "threadpool" && strings.Contains(line, tt.logged) {
					cancel(enough)
				}
			}
			_, err := Start(ctx, e)
			require.ErrorIs(t, err, enough)
			require.ErrorContains(t, err, "interrupted, nothing was measured: "+tt.want)
			requireNoScratch(t)
		})
	}
}

func TestStartTakesTooLong(t *testing.T) {
	e := embedded(t)
	e.Ready = time.Nanosecond
	_, err := Start(context.Background(), e)
	require.ErrorContains(t, err, "not ready after 1ns")
	requireNoScratch(t)
}

func TestWatchEndsWhenAChildDies(t *testing.T) {
	l := startBreakable(t, embedded(t), "threadpool ended by itself (exit status 7)")
	ctx, cancel := l.Watch(context.Background())
	defer cancel()
	require.NoError(t, ctx.Err())

	_, err := http.Get(l.Targets[0].URL + "/die")
	require.Error(t, err)
	select {
	case <-ctx.Done():
	case <-time.After(5 * time.Second):
		t.Fatal("nobody noticed")
	}
	for _, err := range []error{context.Cause(ctx), l.Err()} {
		require.ErrorContains(t, err, "threadpool ended by itself (exit status 7)")
		require.ErrorContains(t, err, "fell over the cable")
	}
	late, release := l.Watch(context.Background())
	defer release()
	<-late.Done()
	http.DefaultClient.CloseIdleConnections()
}

func TestWatchEndsWithItsParent(t *testing.T) {
	l := start(t, embedded(t))
	parent, end := context.WithCancel(context.Background())
	ctx, cancel := l.Watch(parent)
	defer cancel()
	end()
	<-ctx.Done()
	require.ErrorIs(t, context.Cause(ctx), context.Canceled)
	require.NoError(t, l.Err())
}

func TestStopComplains(t *testing.T) {
	tests := []struct {
		name, fake string
		want       []string
	}{
		{"a child that is deaf to SIGTERM", "deaf", []string{"eventloop had not ended", "and was killed"}},
		{"a child that ends badly", "bad-end", []string{"eventloop ended badly after SIGTERM (exit status 4)", "lost my keys"}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			e := embedded(t)
			e.Drain = 200 * time.Millisecond
			e.Servers[1].Args = []string{"--fake", tt.fake}
			l, err := Start(context.Background(), e)
			require.NoError(t, err)
			pids := childPIDs(l)
			err = l.Stop(context.Background())
			for _, want := range tt.want {
				require.ErrorContains(t, err, want)
			}
			requireGone(t, pids)
			requireNoScratch(t)
		})
	}
}

// childPIDs are the processes of an embedded lab.
func childPIDs(l *Lab) []int {
	var pids []int
	for _, c := range l.owned.children {
		pids = append(pids, c.cmd.Process.Pid)
	}
	return pids
}

func requireGone(t *testing.T, pids []int) {
	t.Helper()
	for _, pid := range pids {
		_, err := procstat.Process(pid)
		require.ErrorIs(t, err, procstat.ErrEnded)
	}
}

func requireNoScratch(t *testing.T) {
	t.Helper()
	left, err := filepath.Glob(filepath.Join(os.TempDir(), scratchPrefix+"*"))
	require.NoError(t, err)
	require.Empty(t, left)
}
