package cache

import (
	"errors"
	"fmt"
	"runtime/debug"
	"strings"
	"sync/atomic"

	"github.com/alicebob/miniredis/v2"
	"github.com/alicebob/miniredis/v2/server"
)

// counter stands before the commands of a miniredis, counts those that INFO tells of, and answers INFO. Its hook is called
// by many connections at once.
type counter struct {
	store                    *miniredis.Miniredis
	gets, hits, misses, sets atomic.Int64
}

// hook implements [server.Hook]: true says that the command was answered here.
func (c *counter) hook(p *server.Peer, command string, args ...string) bool {
	switch command {
	case "GET":
		return len(args) == 1 && c.get(p, args[0])
	case "SET":
		c.sets.Add(1)
	case "INFO":
		return c.info(p, args)
	}
	return false
}

// get answers GET itself, so that the answer and what is counted come from one look at the key.
func (c *counter) get(p *server.Peer, key string) bool {
	c.gets.Add(1)
	value, err := c.store.Get(key)
	switch {
	case err == nil:
		c.hits.Add(1)
		p.WriteBulk(value)
	case errors.Is(err, miniredis.ErrKeyNotFound):
		c.misses.Add(1)
		p.WriteNull()
	default:
		return false
	}
	return true
}

// info answers the sections that the lab reads, in redis-server's words; others are miniredis's own.
func (c *counter) info(p *server.Peer, args []string) bool {
	if len(args) != 1 {
		return false
	}
	switch strings.ToLower(args[0]) {
	case "server":
		p.WriteBulk(fmt.Sprintf("# Server\r\nserver_name:miniredis\r\nminiredis_version:%s\r\n", version()))
	case "commandstats":
		p.WriteBulk("# Commandstats\r\n" + commandLine("get", c.gets.Load()) + commandLine("set", c.sets.Load()))
	case "stats":
		p.WriteBulk(fmt.Sprintf("# Stats\r\nkeyspace_hits:%d\r\nkeyspace_misses:%d\r\n", c.hits.Load(), c.misses.Load()))
	default:
		return false
	}
	return true
}

// commandLine is one line of commandstats; as in Redis, a command that was never called has none.
func commandLine(name string, calls int64) string {
	if calls == 0 {
		return ""
	}
	return fmt.Sprintf("cmdstat_%s:calls=%d\r\n", name, calls)
}

// version is that of the miniredis that this program was built with.
func version() string {
	const unknown = "unknown"
	build, ok := debug.ReadBuildInfo()
	if !ok {
		return unknown
	}
	for _, m := range build.Deps {
		if m.Path == "github.com/alicebob/miniredis/v2" {
			return strings.TrimPrefix(m.Version, "v")
		}
	}
	return unknown
}
