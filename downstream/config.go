package main

import (
	"errors"
	"fmt"
	"net/url"
	"time"

	"github.com/spf13/pflag"

	"poolvsloop/internal/config"
	"poolvsloop/internal/latency"
)

// Config is what a downstream is configured with. What its flags after --drain say can be changed while it runs, by PUT
// /config on the admin port under the flags' names.
type Config struct {
	config.Process
	// Name tells downstreams apart: delays and faults of two names are independent of each other.
	Name string
	// MaxConns bounds open connections, 0 stands for as many as the descriptors allow. Backlog is the limit of the
	// kernel accept queue that is asked for; somaxconn cuts it.
	MaxConns, Backlog int
	// Drain bounds how long it serves on after SIGTERM.
	Drain time.Duration
	// Latency is the spec of the delay; see [latency.Parse].
	Latency string
	// Seed chooses which request id meets which delay and fault.
	Seed uint64
	Faults
	// StallAt is when the stall window begins, from the start or from the change that names it; StallFor is its length,
	// 0 for none.
	StallAt, StallFor time.Duration
	// RateLimit is in calls a second, ConcurrencyLimit in calls at once; 0 is no limit.
	RateLimit        float64
	ConcurrencyLimit int
	// Ask is a URL that is asked before each answer, "" for none.
	Ask string
}

// DefaultConfig holds the defaults of what [Config.Bind] takes from its receiver.
func DefaultConfig() Config {
	return Config{Process: config.Process{Addr: "127.0.0.1:9101", Admin: "127.0.0.1:9201"}}
}

// Bind declares the flags of c on fs with their defaults.
func (c *Config) Bind(fs *pflag.FlagSet) {
	c.Process.Bind(fs)
	fs.StringVar(&c.Name, "name", "a", "`name` in logs, ledger and metrics; it also parts the delays of two downstreams")
	fs.IntVar(&c.MaxConns, "max-conns", 0, "most `connections` accepted at once; 0 = only the descriptors limit them")
	fs.IntVar(&c.Backlog, "backlog", 4096, "most `connections` that wait to be accepted; net.core.somaxconn cuts it (logged)")
	fs.DurationVar(&c.Drain, "drain", 10*time.Second, "longest time to serve on after SIGTERM, before what is left is cut")
	fs.StringVar(&c.Latency, "latency", "20ms", "`model` of the delay, at most "+latency.Max.String()+": "+latency.Forms)
	fs.Uint64Var(&c.Seed, "seed", 1, "`number` that chooses which X-Request-Id meets which delay and fault")
	c.bindFaults(fs)
	fs.DurationVar(&c.StallAt, "stall-at", 0, "when the stall window begins, from the start (or from the PUT that sets it)")
	fs.DurationVar(&c.StallFor, "stall-for", 0, "length of the stall window: what is due in it is answered at its end; 0 = none")
	fs.Float64Var(&c.RateLimit, "rate-limit", 0,
		"most `calls/s`, in bursts of a tenth of a second's; above it 503 at once; 0 = no limit")
	fs.IntVar(&c.ConcurrencyLimit, "concurrency-limit", 0,
		"most `calls` in service at once; the others wait, first come first served; 0 = no limit")
	fs.StringVar(&c.Ask, "ask", "", "`URL` that is asked (GET) before each answer: a dependency of the downstream, which may be the "+
		"server itself; another answer than 200 fails the call with 502; empty = none")
}

func (c *Config) bindFaults(fs *pflag.FlagSet) {
	fs.Float64Var(&c.ErrorShare, "error-share", 0, "`share` (0..1) of calls answered with --error-status, after the delay")
	fs.IntVar(&c.ErrorStatus, "error-status", 500, "`status` (400..599) of --error-share")
	fs.Float64Var(&c.HangShare, "hang-share", 0, "`share` (0..1) of calls never answered; they end when the client leaves")
	fs.Float64Var(&c.ResetShare, "reset-share", 0, "`share` (0..1) of calls whose connection is reset (RST), after the delay")
	fs.Float64Var(&c.SlowBodyShare, "slow-body-share", 0, "`share` (0..1) of calls whose body is sent over --slow-body-time")
	fs.DurationVar(&c.SlowBodyTime, "slow-body-time", time.Second, "time from the head to the last byte of a slow body")
}

// Validate returns all that is wrong with c, the latency aside, as one error that names each flag, or nil.
func (c *Config) Validate() error {
	return errors.Join(
		c.Process.Validate(),
		config.Within("name", len(c.Name), 1, 64),
		config.Within("max-conns", c.MaxConns, 0, concurrency),
		config.Within("backlog", c.Backlog, 1, 1<<20),
		config.Within("drain", c.Drain, 0, latency.Max),
		config.Within("error-share", c.ErrorShare, 0, 1),
		config.Within("error-status", c.ErrorStatus, 400, 599),
		config.Within("hang-share", c.HangShare, 0, 1),
		config.Within("reset-share", c.ResetShare, 0, 1),
		config.Within("slow-body-share", c.SlowBodyShare, 0, 1),
		config.Within("slow-body-time", c.SlowBodyTime, 0, latency.Max),
		c.validateSum(),
		config.Within("stall-at", c.StallAt, 0, 24*time.Hour),
		config.Within("stall-for", c.StallFor, 0, latency.Max),
		config.Within("rate-limit", c.RateLimit, 0, 1e6),
		config.Within("concurrency-limit", c.ConcurrencyLimit, 0, 1e9),
		c.validateAsk(),
	)
}

func (c *Config) validateAsk() error {
	if c.Ask == "" {
		return nil
	}
	if u, err := url.Parse(c.Ask); err != nil || u.Scheme != "http" || u.Host == "" {
		return fmt.Errorf("--ask %q: want http://host:port/path", c.Ask)
	}
	return nil
}

// roundingError is what the sum of four decimal shares may be above 1.
const roundingError = 1e-9

func (c *Config) validateSum() error {
	if sum := c.ErrorShare + c.HangShare + c.ResetShare + c.SlowBodyShare; sum > 1+roundingError {
		return fmt.Errorf("--error-share, --hang-share, --reset-share and --slow-body-share add up to %v: want 1 at most", sum)
	}
	return nil
}
