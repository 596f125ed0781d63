package main

import (
	"fmt"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

func serveWithCache(t *testing.T, change func(*Config)) (*started, *scripted) {
	cache := newScriptedCache(t)
	c := newWorld(t).newConfig(t)
	c.Redis = cache.addr()
	if change != nil {
		change(&c)
	}
	return serve(t, c), cache
}

const catalog = `{"sku":"sku-00042","name":"Item sku-00042","list_price":100}`

func hit() string { return fmt.Sprintf("$%d\r\n%s\r\n", len(catalog), catalog) }

// Replies belong to commands by their order; a command that was given up keeps its place.
func TestCacheStaysInStep(t *testing.T) {
	s, cache := serveWithCache(t, func(c *Config) { c.CacheTimeout = 150 * time.Millisecond })
	warm := s.dial()
	warm.send(order("c-warm"))
	cache.next().say(hit())
	require.Contains(t, warm.read().body, `"hit "`)

	gone, kept := s.dial(), s.dial()
	gone.send(order("c-gone"))
	first := cache.next()
	kept.send(order("c-kept"))
	second := cache.next()
	require.Equal(t, first.RemoteAddr(), second.RemoteAddr(), "one connection")
	gone.reset()
	eventually(t, func() bool { return s.inFlight.Load() == 1 }, "given up")
	first.say("$-1\r\n" + hit()) // a miss for the one that left
	require.Contains(t, kept.read().body, `"hit "`)
}

// A cache that says nothing costs its timeout, and then its connection: what waits behind would be late as well.
func TestSilentCache(t *testing.T) {
	s, cache := serveWithCache(t, func(c *Config) { c.CacheTimeout = 60 * time.Millisecond })
	c := s.dial()
	c.send(order("c-1"))
	silent := cache.next()
	a := c.read()
	require.Equal(t, 200, a.StatusCode)
	require.Contains(t, a.body, `"miss"`)
	counts := s.counts()
	require.EqualValues(t, 1, counts.CacheFailOpen)
	require.EqualValues(t, 1, counts.Calls["cache"]["late"])
	_, err := silent.Read(make([]byte, 1))
	require.Error(t, err, "closed")
}

// What waits behind a command that is late may have been carried out: it fails, and is not sent again.
func TestStalledCacheIsNotAskedTwice(t *testing.T) {
	s, cache := serveWithCache(t, func(c *Config) { c.CacheTimeout = 60 * time.Millisecond })
	first, second := s.dial(), s.dial()
	first.send(order("c-warm"))
	cache.next().say(hit())
	require.Contains(t, first.read().body, `"hit "`)

	first.send(order("c-1"))
	cache.next()
	second.send(order("c-2"))
	cache.next()
	require.Contains(t, first.read().body, `"miss"`)
	require.Contains(t, second.read().body, `"miss"`)
	require.EqualValues(t, 2, s.counts().CacheFailOpen)
	require.Zero(t, s.counts().Resent["cache"])
}

// Commands on a connection that had worked are sent once more when it dies.
func TestCacheConnectionIsReplacedOnce(t *testing.T) {
	s, cache := serveWithCache(t, nil)
	c := s.dial()
	c.send(order("c-1"))
	cache.next().say(hit())
	c.read()

	c.send(order("c-2"))
	cache.next().reset()
	cache.next().say(hit())
	require.Contains(t, c.read().body, `"hit "`)
	require.EqualValues(t, 1, s.counts().Resent["cache"])

	c.send(order("c-3"))
	cache.next().reset()
	cache.next().reset()
	require.Contains(t, c.read().body, `"miss"`)
	require.EqualValues(t, 1, s.counts().CacheFailOpen)
}

func TestCacheSpeaksSomethingElse(t *testing.T) {
	s, cache := serveWithCache(t, nil)
	c := s.dial()
	c.send(order("c-1"))
	cache.next().say("HTTP/1.1 400 Bad Request\r\n")
	require.Contains(t, c.read().body, `"miss"`)
	require.EqualValues(t, 1, s.counts().Calls["cache"]["malformed"])
}

func TestCacheDownAndBack(t *testing.T) {
	w := newWorld(t)
	config := w.newConfig(t)
	w.cache.Close()
	s := serve(t, config)
	c := s.dial()
	for range 20 {
		c.send(order("c-1"))
		require.Contains(t, c.read().body, `"miss"`)
	}
	require.EqualValues(t, 20, s.counts().CacheFailOpen)
	require.NoError(t, w.cache.StartAddr(config.Redis))
	eventually(t, func() bool {
		c.send(order("c-1"))
		require.Equal(t, 200, c.read().StatusCode)
		return s.counts().Calls["cache"]["ok"] > 0
	}, "used again")
}
