package contract

import (
	"io"
	"net"
	"net/http"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"poolvsloop/internal/config"
	"poolvsloop/internal/meter"
)

var cacheCases = []testCase{
	{"cache: down means misses, and it recovers", cacheDown},
	{"cache: silent means misses", cacheSilent},
	{"cache: a bad entry is a miss and is replaced", badEntry},
}

func cacheDown(t *testing.T, s Server) {
	w := newWorld(t, s, nil)
	c := w.dial(t)
	w.cache.fill("s-1")
	require.Contains(t, c.ask(w.orderRequest()).body, `"cache":"hit "`)

	w.cache.stop()
	for range 5 {
		got := c.ask(w.orderRequest())
		require.Equal(t, http.StatusOK, got.status)
		require.Contains(t, got.body, `"cache":"miss"`)
	}
	w.counted(t, "five went on without", func(c meter.Counts) bool { return c.CacheFailOpen == 5 })

	w.cache.start()
	eventually(t, func() bool {
		got := c.ask(w.orderRequest())
		require.Equal(t, http.StatusOK, got.status)
		return strings.Contains(got.body, `"cache":"hit "`)
	}, "hits again")
}

// cacheSilent has a cache that takes connections and says nothing.
func cacheSilent(t *testing.T, s Server) {
	silent, err := net.Listen("tcp", "127.0.0.1:0")
	require.NoError(t, err)
	serving := make(chan struct{})
	go func() {
		defer close(serving)
		for {
			conn, err := silent.Accept()
			if err != nil {
				return
			}
			go func() {
				_, _ = io.Copy(io.Discard, conn)
				drop(conn)
			}()
		}
	}()
	t.Cleanup(func() { drop(silent); <-serving })
	w := newWorld(t, s, func(c *config.Server) {
		c.Redis, c.CacheTimeout = silent.Addr().String(), short/5
	})
	c := w.dial(t)
	for range 3 {
		got := c.ask(w.orderRequest())
		require.Equal(t, http.StatusOK, got.status)
		require.Contains(t, got.body, `"cache":"miss"`)
	}
	w.counted(t, "three went on without, late", func(c meter.Counts) bool {
		return c.CacheFailOpen == 3 && c.Calls["cache"]["late"] > 0
	})
}

func badEntry(t *testing.T, s Server) {
	w := newWorld(t, s, nil)
	require.NoError(t, w.cache.server.Set("catalog:s-1", "rubbish"))
	c := w.dial(t)
	require.Contains(t, c.ask(w.orderRequest()).body, `"cache":"miss"`)
	require.Contains(t, c.ask(w.orderRequest()).body, `"cache":"hit "`)
	w.counted(t, "one went on without", func(c meter.Counts) bool { return c.CacheFailOpen == 1 })
}
