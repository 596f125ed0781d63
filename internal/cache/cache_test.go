package cache

import (
	"context"
	"net"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/redis/go-redis/v9"
	"github.com/redis/go-redis/v9/maintnotifications"
	"github.com/stretchr/testify/require"
	"go.uber.org/goleak"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// start runs a cache for the length of a test and returns a client of it.
func start(t *testing.T) *redis.Client {
	t.Helper()
	ctx, cancel := context.WithCancel(context.Background())
	bound, ended := make(chan net.Addr, 1), make(chan error, 1)
	go func() { ended <- Run(ctx, "127.0.0.1:0", func(a net.Addr) { bound <- a }) }()
	var addr net.Addr
	select {
	case addr = <-bound:
	case err := <-ended:
		require.NoError(t, err)
	}
	client := redis.NewClient(&redis.Options{
		Addr: addr.String(), Protocol: 2, DisableIdentity: true,
		MaintNotificationsConfig: &maintnotifications.Config{Mode: maintnotifications.ModeDisabled},
	})
	t.Cleanup(func() {
		require.NoError(t, client.Close())
		cancel()
		require.NoError(t, <-ended)
	})
	return client
}

func TestInfoCounts(t *testing.T) {
	ctx, client := context.Background(), start(t)
	require.Equal(t, "# Commandstats\r\n", client.Info(ctx, "commandstats").Val())

	require.NoError(t, client.Set(ctx, "k", "v", time.Minute).Err())
	require.Equal(t, "v", client.Get(ctx, "k").Val())
	require.Equal(t, "v", client.Get(ctx, "k").Val())
	require.ErrorIs(t, client.Get(ctx, "other").Err(), redis.Nil)

	commands := client.Info(ctx, "commandstats").Val()
	require.Contains(t, commands, "cmdstat_get:calls=3\r\n")
	require.Contains(t, commands, "cmdstat_set:calls=1\r\n")
	stats := client.Info(ctx, "STATS").Val()
	require.Contains(t, stats, "keyspace_hits:2\r\n")
	require.Contains(t, stats, "keyspace_misses:1\r\n")
	require.Contains(t, client.Info(ctx, "server").Val(), "server_name:miniredis\r\nminiredis_version:")
	require.Contains(t, client.Info(ctx, "clients").Val(), "connected_clients:1")
}

func TestGetOfAnotherType(t *testing.T) {
	ctx, client := context.Background(), start(t)
	require.NoError(t, client.LPush(ctx, "list", "a").Err())
	require.ErrorContains(t, client.Get(ctx, "list").Err(), "WRONGTYPE")
	require.ErrorContains(t, client.Do(ctx, "GET").Err(), "wrong number of arguments")
	require.Contains(t, client.Info(ctx, "stats").Val(), "keyspace_hits:0\r\nkeyspace_misses:0")
}

func TestCountsUnderConcurrency(t *testing.T) {
	ctx, client := context.Background(), start(t)
	require.NoError(t, client.Set(ctx, "k", "v", 0).Err())
	var wait sync.WaitGroup
	for range 8 {
		wait.Go(func() {
			for range 50 {
				client.Get(ctx, "k")
			}
		})
	}
	wait.Wait()
	require.Contains(t, client.Info(ctx, "commandstats").Val(), "cmdstat_get:calls=400\r\n")
	require.Contains(t, client.Info(ctx, "stats").Val(), "keyspace_hits:400\r\n")
}

func TestTimePasses(t *testing.T) {
	ctx, client := context.Background(), start(t)
	require.NoError(t, client.Set(ctx, "short", "v", time.Second).Err())
	require.NoError(t, client.Set(ctx, "long", "v", time.Hour).Err())
	require.Equal(t, int64(1), client.Exists(ctx, "short").Val())
	require.Eventually(t, func() bool { return client.Exists(ctx, "short").Val() == 0 }, 5*time.Second, 20*time.Millisecond)
	require.Equal(t, int64(1), client.Exists(ctx, "long").Val())
}

func TestAddressTaken(t *testing.T) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	require.NoError(t, err)
	defer l.Close()
	err = Run(context.Background(), l.Addr().String(), func(net.Addr) { t.Error("it does not listen") })
	require.ErrorContains(t, err, l.Addr().String())
	require.True(t, strings.Contains(err.Error(), "choose another --addr"), err)
}
