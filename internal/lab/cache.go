package lab

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"time"

	"github.com/redis/go-redis/v9"
	"github.com/redis/go-redis/v9/logging"
	"github.com/redis/go-redis/v9/maintnotifications"
)

// entriesOfTheLab is the pattern of the keys that the servers use. Only these are ever deleted: an attached Redis may hold
// more.
const entriesOfTheLab = "catalog:*"

// batch is how many commands are sent in one go.
const batch = 1000

// Entry is one key of the cache, such as catalog:sku-00042, and its value.
type Entry struct {
	Key, Value string
}

// Counts is what the servers have asked of the cache since [Cache.ResetCounts].
type Counts struct {
	Gets   int64 `json:"cache_gets"`
	Hits   int64 `json:"cache_hits"`
	Misses int64 `json:"cache_misses"`
	Sets   int64 `json:"cache_sets"`
}

// Cache is the control of the Redis that the servers use.
type Cache struct {
	// Kind is redis, valkey, miniredis … and Version its version, both as the server itself says (INFO server); empty when
	// the address is not known.
	Kind, Version string
	// Addr is host:port, as the servers are told.
	Addr string

	client *redis.Client // nil when the address is not known

	mu       sync.Mutex // protects baseline
	baseline Counts
}

// openCache connects to a Redis that is up and reads what it is. An empty addr gives a cache of which nothing is known.
func openCache(ctx context.Context, addr string) (*Cache, error) {
	if addr == "" {
		return &Cache{}, nil
	}
	c := &Cache{Addr: addr, client: newRedisClient(addr)}
	info, err := c.info(ctx, "server")
	if err != nil {
		return nil, errors.Join(err, c.close())
	}
	c.Kind, c.Version = info.kind()
	return c, nil
}

// newRedisClient sends nothing that was not asked for, so that the counts stay plain, and logs nothing: what goes wrong
// comes back as an error.
func newRedisClient(addr string) *redis.Client {
	logging.Disable()
	return redis.NewClient(&redis.Options{
		Addr: addr, Protocol: 2, DisableIdentity: true, ContextTimeoutEnabled: true,
		MaintNotificationsConfig: &maintnotifications.Config{Mode: maintnotifications.ModeDisabled},
		DialTimeout:              time.Second, DialerRetries: 1, ReadTimeout: 10 * time.Second,
	})
}

// Flush deletes the lab's entries (catalog:*) and nothing else.
func (c *Cache) Flush(ctx context.Context) error {
	if c.client == nil {
		return fmt.Errorf("redis: %w", ErrNotKnown)
	}
	keys := make([]string, 0, batch)
	drop := func() error {
		if len(keys) == 0 {
			return nil
		}
		defer func() { keys = keys[:0] }()
		return c.client.Del(ctx, keys...).Err()
	}
	entries := c.client.Scan(ctx, 0, entriesOfTheLab, batch).Iterator()
	for entries.Next(ctx) {
		if keys = append(keys, entries.Val()); len(keys) == batch {
			if err := drop(); err != nil {
				return c.wrap("delete entries of", err)
			}
		}
	}
	return c.wrap("delete entries of", errors.Join(entries.Err(), drop()))
}

// Prewarm sets the entries, to live for ttl (0: for ever).
func (c *Cache) Prewarm(ctx context.Context, entries []Entry, ttl time.Duration) error {
	if c.client == nil {
		return fmt.Errorf("redis: %w", ErrNotKnown)
	}
	for len(entries) > 0 {
		n := min(len(entries), batch)
		_, err := c.client.Pipelined(ctx, func(p redis.Pipeliner) error {
			for _, e := range entries[:n] {
				p.Set(ctx, e.Key, e.Value, ttl)
			}
			return nil
		})
		if err != nil {
			return c.wrap("fill", err)
		}
		entries = entries[n:]
	}
	return nil
}

// ResetCounts makes Counts begin at zero. Call it after Flush and Prewarm and before the servers get requests: between
// ResetCounts and Counts the lab sends no command that counts, so what is counted is what the servers sent (and any other
// client of a shared Redis). The Redis's own statistics are read, never reset.
func (c *Cache) ResetCounts(ctx context.Context) error {
	now, err := c.read(ctx)
	if err != nil {
		return err
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	c.baseline = now
	return nil
}

// Counts returns what was asked since ResetCounts. A Redis whose statistics someone else reset is an error.
func (c *Cache) Counts(ctx context.Context) (Counts, error) {
	now, err := c.read(ctx)
	if err != nil {
		return Counts{}, err
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	d := Counts{now.Gets - c.baseline.Gets, now.Hits - c.baseline.Hits, now.Misses - c.baseline.Misses,
		now.Sets - c.baseline.Sets}
	if min(d.Gets, d.Hits, d.Misses, d.Sets) < 0 {
		return Counts{}, c.wrap("count commands of", errors.New("its statistics were reset or it was restarted"))
	}
	return d, nil
}

// read takes the totals since the Redis started, from INFO commandstats and stats.
func (c *Cache) read(ctx context.Context) (Counts, error) {
	commands, err := c.info(ctx, "commandstats")
	if err != nil {
		return Counts{}, err
	}
	stats, err := c.info(ctx, "stats")
	if err != nil {
		return Counts{}, err
	}
	var n Counts
	for _, field := range []struct {
		into *int64
		from func() (int64, error)
	}{
		{&n.Gets, func() (int64, error) { return commands.calls("get") }},
		{&n.Sets, func() (int64, error) { return commands.calls("set") }},
		{&n.Hits, func() (int64, error) { return stats.number("keyspace_hits") }},
		{&n.Misses, func() (int64, error) { return stats.number("keyspace_misses") }},
	} {
		if *field.into, err = field.from(); err != nil {
			return Counts{}, c.wrap("read the statistics of", err)
		}
	}
	return n, nil
}

func (c *Cache) info(ctx context.Context, section string) (info, error) {
	if c.client == nil {
		return nil, fmt.Errorf("redis: %w", ErrNotKnown)
	}
	text, err := c.client.Info(ctx, section).Result()
	if err != nil {
		return nil, c.wrap("read INFO "+section+" of", err)
	}
	return parseInfo(text), nil
}

func (c *Cache) wrap(doing string, err error) error {
	if err == nil {
		return nil
	}
	return fmt.Errorf("%s redis at %s: %w", doing, c.Addr, err)
}

// close lets go of connections; it works on nil, a cache that did not come up.
func (c *Cache) close() error {
	if c == nil || c.client == nil {
		return nil
	}
	return c.client.Close()
}
