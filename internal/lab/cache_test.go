package lab

import (
	"context"
	"fmt"
	"os/exec"
	"testing"
	"time"

	"github.com/redis/go-redis/v9"
	"github.com/stretchr/testify/require"
)

// TestCache holds for every kind of Redis that a lab can have.
func TestCache(t *testing.T) {
	for _, kind := range []string{Miniredis, RedisServer} {
		t.Run(kind, func(t *testing.T) {
			if _, err := exec.LookPath(RedisServer); kind == RedisServer && err != nil {
				t.Skip("no redis-server on PATH")
			}
			e := embedded(t)
			e.Servers = nil
			e.Redis = kind
			l := start(t, e)
			client := newRedisClient(l.Cache.Addr)
			t.Cleanup(func() { require.NoError(t, client.Close()) })
			t.Run("kind", func(t *testing.T) {
				want := map[string]string{Miniredis: "miniredis", RedisServer: "redis"}[kind]
				require.Equal(t, want, l.Cache.Kind)
				require.NotEmpty(t, l.Cache.Version)
			})
			t.Run("flush", func(t *testing.T) { testFlush(t, l.Cache, client) })
			t.Run("prewarm", func(t *testing.T) { testPrewarm(t, l.Cache, client) })
			t.Run("counts", func(t *testing.T) { testCounts(t, l.Cache, client) })
		})
	}
}

func testFlush(t *testing.T, c *Cache, client *redis.Client) {
	ctx := context.Background()
	require.NoError(t, c.Flush(ctx), "of an empty cache")
	require.NoError(t, client.Set(ctx, "customer:precious", "not ours", 0).Err())
	var entries []Entry
	for i := range 2*batch + 7 {
		entries = append(entries, Entry{fmt.Sprintf("catalog:sku-%05d", i), "v"})
	}
	require.NoError(t, c.Prewarm(ctx, entries, 0))
	require.Equal(t, int64(len(entries)+1), client.DBSize(ctx).Val())

	require.NoError(t, c.Flush(ctx))
	require.Equal(t, []string{"customer:precious"}, client.Keys(ctx, "*").Val())
}

func testPrewarm(t *testing.T, c *Cache, client *redis.Client) {
	ctx := context.Background()
	require.NoError(t, c.Prewarm(ctx, nil, time.Hour))
	require.NoError(t, c.Prewarm(ctx, []Entry{{"catalog:a", "1"}, {"catalog:b", "2"}}, time.Hour))
	require.Equal(t, "2", client.Get(ctx, "catalog:b").Val())
	require.InDelta(t, time.Hour, client.TTL(ctx, "catalog:a").Val(), float64(10*time.Second))
}

func testCounts(t *testing.T, c *Cache, client *redis.Client) {
	ctx := context.Background()
	require.NoError(t, c.Flush(ctx))
	require.NoError(t, c.Prewarm(ctx, []Entry{{"catalog:a", "1"}}, time.Hour))
	require.NoError(t, c.ResetCounts(ctx))
	counts, err := c.Counts(ctx)
	require.NoError(t, err)
	require.Equal(t, Counts{}, counts)

	for range 3 {
		require.NoError(t, client.Get(ctx, "catalog:a").Err())
	}
	require.ErrorIs(t, client.Get(ctx, "catalog:b").Err(), redis.Nil)
	require.NoError(t, client.Set(ctx, "catalog:b", "2", time.Minute).Err())
	for range 2 { // to look changes nothing
		counts, err = c.Counts(ctx)
		require.NoError(t, err)
		require.Equal(t, Counts{Gets: 4, Hits: 3, Misses: 1, Sets: 1}, counts)
	}
	require.NoError(t, c.Flush(ctx))
	require.NoError(t, c.ResetCounts(ctx))
	counts, err = c.Counts(ctx)
	require.NoError(t, err)
	require.Equal(t, Counts{}, counts)
}

// Somebody else's CONFIG RESETSTAT must not pass for "the servers asked nothing".
func TestCountsOfResetStatistics(t *testing.T) {
	if _, err := exec.LookPath(RedisServer); err != nil {
		t.Skip("no redis-server on PATH")
	}
	e := embedded(t)
	e.Servers, e.Redis = nil, RedisServer
	l := start(t, e)
	ctx, client := context.Background(), newRedisClient(l.Cache.Addr)
	defer client.Close()
	require.NoError(t, l.Cache.Prewarm(ctx, []Entry{{"catalog:a", "1"}}, 0))
	require.NoError(t, l.Cache.ResetCounts(ctx))
	require.NoError(t, client.ConfigResetStat(ctx).Err())
	_, err := l.Cache.Counts(ctx)
	require.ErrorContains(t, err, "its statistics were reset")
}

func TestRedisServerDies(t *testing.T) {
	if _, err := exec.LookPath(RedisServer); err != nil {
		t.Skip("no redis-server on PATH")
	}
	e := embedded(t)
	e.Servers, e.Redis = nil, RedisAuto
	l := startBreakable(t, e, "redis-server ended by itself (signal: killed)")
	ctx, cancel := l.Watch(context.Background())
	defer cancel()
	for _, c := range l.owned.children {
		if c.name == RedisServer {
			require.NoError(t, c.cmd.Process.Kill())
		}
	}
	<-ctx.Done()
	require.ErrorContains(t, l.Err(), "redis-server ended by itself (signal: killed)")
	require.ErrorContains(t, l.Cache.Flush(context.Background()), "delete entries of redis at "+l.Cache.Addr)
}

// What redis-server logs when its port is taken is recognised, so that another port is tried.
func TestRedisServerPortTaken(t *testing.T) {
	program, err := exec.LookPath(RedisServer)
	if err != nil {
		t.Skip("no redis-server on PATH")
	}
	e := embedded(t)
	e.Servers = nil
	l := start(t, e)
	for _, taken := range []string{l.Cache.Addr, hostport(l.A.URL)} {
		err = l.owned.tryRedisServer(context.Background(), program, taken)
		require.ErrorContains(t, err, "redis-server ended by itself (exit status 1)")
		require.True(t, portTaken(err), err)
	}
	require.NoError(t, l.Err(), "the lab is as it was")
}

func TestRedisOfOthers(t *testing.T) {
	e := embedded(t)
	e.Servers = nil
	first := start(t, e)
	e.Redis = first.Cache.Addr
	second := start(t, e)
	require.Equal(t, first.Cache.Addr, second.Cache.Addr)
	require.Len(t, second.owned.children, 2)
}

func TestInfo(t *testing.T) {
	text := "# Commandstats\r\ncmdstat_get:calls=12,usec=40,usec_per_call=3.3\r\ncmdstat_set:usec=1\r\n" +
		"# Stats\r\nkeyspace_hits:7\r\nkeyspace_misses:many\r\nnonsense\r\n"
	i := parseInfo(text)
	require.Len(t, i, 4)
	n, err := i.calls("get")
	require.NoError(t, err)
	require.Equal(t, int64(12), n)
	n, err = i.calls("del")
	require.NoError(t, err)
	require.Zero(t, n)
	_, err = i.calls("set")
	require.ErrorContains(t, err, "no calls in")
	n, err = i.number("keyspace_hits")
	require.NoError(t, err)
	require.Equal(t, int64(7), n)
	_, err = i.number("keyspace_misses")
	require.ErrorContains(t, err, `"many" is not a number`)
	_, err = i.number("absent")
	require.ErrorContains(t, err, "INFO has no absent")
}

func TestInfoKind(t *testing.T) {
	tests := []struct{ name, text, kind, version string }{
		{"redis", "redis_version:7.0.15\r\n", "redis", "7.0.15"},
		{"valkey", "redis_version:7.2.4\r\nserver_name:valkey\r\nvalkey_version:8.0.1\r\n", "valkey", "8.0.1"},
		{"a name without a version", "redis_version:7.2.4\r\nserver_name:other\r\n", "other", "7.2.4"},
		{"nothing", "", "redis", ""},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			kind, version := parseInfo(tt.text).kind()
			require.Equal(t, tt.kind, kind)
			require.Equal(t, tt.version, version)
		})
	}
}

func FuzzInfo(f *testing.F) {
	f.Add("cmdstat_get:calls=12,usec=40\r\nkeyspace_hits:7\r\n")
	f.Add("#:\n:\ncmdstat_get:calls=\n")
	f.Fuzz(func(t *testing.T, text string) {
		i := parseInfo(text)
		for field, value := range i {
			require.NotContains(t, field, "\n")
			require.NotContains(t, value, "\n")
		}
		if n, err := i.calls("get"); err != nil {
			require.Zero(t, n)
		}
		i.kind()
	})
}

func TestCheckRedis(t *testing.T) {
	for _, good := range []string{"", "auto", "redis-server", "miniredis", "127.0.0.1:6379", "redis:1"} {
		require.NoError(t, CheckRedis(good), good)
	}
	for _, bad := range []string{"nonsense", "redis", "127.0.0.1", "127.0.0.1:port", "127.0.0.1:99999", "redis://127.0.0.1:6379"} {
		require.ErrorContains(t, CheckRedis(bad), fmt.Sprintf("--redis %q: want redis-server, miniredis", bad))
	}
}
