package lab

import (
	"context"
	"errors"
	"fmt"
	"net"
	"os"
	"os/exec"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/redis/go-redis/v9"

	"poolvsloop/internal/config"
)

// Values of Embedded.Redis besides a host:port.
const (
	RedisAuto   = "auto"
	RedisServer = "redis-server"
	Miniredis   = "miniredis"
)

// pollEvery is how often readiness is asked for.
const pollEvery = 20 * time.Millisecond

// portAttempts is how often redis-server is started on another port when somebody took the one that was free.
const portAttempts = 5

// startCache brings up what e.Redis asks for and returns its address.
func (b *bringUp) startCache(ctx context.Context) (addr string, err error) {
	switch b.settings.Redis {
	case RedisServer:
		return b.startRedisServer(ctx)
	case Miniredis:
		return b.startMiniredis(ctx)
	case RedisAuto, "":
		if _, err := exec.LookPath(RedisServer); err == nil {
			return b.startRedisServer(ctx)
		}
		return b.startMiniredis(ctx)
	}
	addr = b.settings.Redis
	if err := CheckRedis(addr); err != nil {
		return "", err
	}
	return addr, waitForRedis(ctx, addr, nil)
}

// CheckRedis returns nil when an embedded lab knows what value of --redis means, and otherwise an error that says what is
// wanted.
func CheckRedis(value string) error {
	if slices.Contains([]string{"", RedisAuto, RedisServer, Miniredis}, value) || config.HostPort("redis", value) == nil {
		return nil
	}
	return fmt.Errorf("--redis %q: want redis-server, miniredis, auto, or host:port such as 127.0.0.1:6379", value)
}

// startMiniredis starts the embedded cache in a process of its own.
func (b *bringUp) startMiniredis(ctx context.Context) (string, error) {
	command := b.settings.CacheCommand
	if len(command) == 0 {
		self, err := os.Executable()
		if err != nil {
			return "", fmt.Errorf("find this executable, to start miniredis: %w", err)
		}
		command = []string{self, "cache"}
	}
	args := slices.Concat(command[1:], []string{"--addr", "127.0.0.1:0", "--log-format", "json"})
	c, err := b.spawn(Miniredis, command[0], args)
	if err != nil {
		return "", err
	}
	a, err := c.announced(ctx)
	if err != nil {
		return "", err
	}
	return a.Addr, b.settled(c, waitForRedis(ctx, a.Addr, c))
}

// startRedisServer starts redis-server, which cannot be asked for any free port and say which: so a free one is looked up,
// and another if it was taken in between.
func (b *bringUp) startRedisServer(ctx context.Context) (string, error) {
	program, err := exec.LookPath(RedisServer)
	if err != nil {
		return "", errors.New("no redis-server on PATH: install it, or use miniredis or a host:port")
	}
	for range portAttempts {
		var addr string
		if addr, err = freeAddress(); err != nil {
			return "", err
		}
		if err = b.tryRedisServer(ctx, program, addr); err == nil {
			return addr, nil
		}
		if !portTaken(err) {
			break
		}
	}
	return "", err
}

// portTaken says whether redis-server ended because of its port; only its log tells.
func portTaken(err error) bool { return strings.Contains(err.Error(), "Address already in use") }

func (b *bringUp) tryRedisServer(ctx context.Context, program, addr string) error {
	host, port, err := net.SplitHostPort(addr)
	if err != nil {
		return err
	}
	c, err := b.spawn(RedisServer, program, []string{"--bind", host, "--port", port, "--save", "", "--appendonly", "no",
		"--daemonize", "no", "--dir", b.scratch.dir})
	if err != nil {
		return err
	}
	return b.settled(c, waitForRedis(ctx, addr, c))
}

// freeAddress is one that was free a moment ago.
func freeAddress() (string, error) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return "", fmt.Errorf("look for a free port: %w", err)
	}
	return l.Addr().String(), l.Close()
}

// waitForRedis waits until the Redis answers PING. Of a child it also makes sure that the one that answers is that child,
// and gives up when it ends.
func waitForRedis(ctx context.Context, addr string, c *child) error {
	return poll(ctx, "redis at "+addr, c, func(ctx context.Context) error {
		client := newRedisClient(addr)
		defer func() { _ = client.Close() }()
		if err := client.Ping(ctx).Err(); err != nil {
			return err
		}
		return isChild(ctx, client, c)
	})
}

// isChild compares the process that the Redis says it is with the child. Miniredis picked its port itself and says none.
func isChild(ctx context.Context, client *redis.Client, c *child) error {
	if c == nil || c.name != RedisServer {
		return nil
	}
	text, err := client.Info(ctx, "server").Result()
	if err != nil {
		return err
	}
	if pid := parseInfo(text)["process_id"]; pid != strconv.Itoa(c.cmd.Process.Pid) {
		return fmt.Errorf("process %s answers, not the one that was started", pid)
	}
	return nil
}
