// Package cache is the embedded cache: miniredis in a process of its own, for a lab on a machine without redis-server.
//
// It stands in for Redis where the lab looks: TTLs run with real time, and INFO tells the calls, hits and misses, which
// miniredis does not count. It serves the plain GET and SET of the servers, not transactions.
//
// The process is the runner's own program, started as its hidden command
//
//	loadrunner cache --addr 127.0.0.1:0 --log-format json
//
// whose body is [Run] with a listening function that calls program.Announce.
package cache

import (
	"context"
	"fmt"
	"net"
	"time"

	"github.com/alicebob/miniredis/v2"
)

// tick is how often TTLs are brought forward: no entry outlives its TTL by more. Each walks over all entries (2 ms for
// 10,000 of them), which a tick at every command would do too often.
const tick = 500 * time.Millisecond

// Run serves on addr (host:port; port 0 picks a free one), calls listening once it does, and returns nil when ctx ends.
// The error names the address.
func Run(ctx context.Context, addr string, listening func(net.Addr)) error {
	m := miniredis.NewMiniRedis()
	if err := m.StartAddr(addr); err != nil {
		return fmt.Errorf("listen on %s: %w: choose another --addr", addr, err)
	}
	defer m.Close()
	m.Server().SetPreHook((&counter{store: m}).hook)
	listening(m.Server().Addr())
	runClock(ctx, m)
	return nil
}

// runClock makes time pass in m until ctx ends.
func runClock(ctx context.Context, m *miniredis.Miniredis) {
	ticks := time.NewTicker(tick)
	defer ticks.Stop()
	last := time.Now()
	for {
		select {
		case <-ctx.Done():
			return
		case <-ticks.C:
			now := time.Now()
			m.FastForward(now.Sub(last))
			last = now
		}
	}
}
