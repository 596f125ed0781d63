package contract

import (
	"testing"

	"github.com/alicebob/miniredis/v2"
	"github.com/stretchr/testify/require"
)

// cache is the cache's server, which keeps its port when it is stopped and started again.
type cache struct {
	t      *testing.T
	server *miniredis.Miniredis
}

func newCache(t *testing.T) *cache {
	t.Helper()
	c := &cache{t: t, server: miniredis.NewMiniRedis()}
	require.NoError(t, c.server.StartAddr("127.0.0.1:0"))
	t.Cleanup(c.server.Close)
	return c
}

func (c *cache) addr() string { return c.server.Addr() }

func (c *cache) stop() { c.server.Close() }

func (c *cache) start() {
	c.t.Helper()
	require.NoError(c.t, c.server.Restart())
}

// fill stores the entry of a SKU.
func (c *cache) fill(sku string) {
	c.t.Helper()
	require.NoError(c.t, c.server.Set("catalog:"+sku, entry(sku)))
}
