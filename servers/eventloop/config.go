package main

import (
	"errors"
	"time"

	"github.com/spf13/pflag"

	"poolvsloop/internal/config"
)

// Config is every setting of the event loop server: the ones that both servers share, and those of its model.
type Config struct {
	config.Server
	// Loops is the number of event loops; 0 stands for GOMAXPROCS.
	Loops int
	// MaxInflight bounds the requests in progress over all loops; above it 503. 0 is no limit.
	MaxInflight int
	// MaxLag sheds requests with 503 while the loop's mean lag is above it; 0 never does.
	MaxLag time.Duration
	// DownstreamConns bounds the connections of one loop to one downstream; 0 leaves it to the descriptors kept for them.
	DownstreamConns int
	// MaxPipeline bounds the requests of one connection that are read but not answered.
	MaxPipeline int
	// OutHigh and OutLow are bytes that wait to be sent to one client: above the first its requests are not taken, below
	// the second they are again.
	OutHigh, OutLow int
	// Budget bounds the requests that one connection may start in one round of its loop.
	Budget int
	// CPUOn is where CPU steps run: [CPUOnLoop] or [CPUOnPool]. CPUWorkers and CPUQueue size that pool.
	CPUOn                string
	CPUWorkers, CPUQueue int
	// Mistake is [MistakeNone], or one that the lab makes on purpose: [MistakeBlock], [MistakeUnbounded].
	Mistake string
	// LagInterval is the schedule on which every loop's lag is measured. BlockedAfter is when the watchdog speaks up.
	LagInterval, BlockedAfter time.Duration
}

// Values of Config.CPUOn.
const (
	CPUOnLoop = "loop"
	CPUOnPool = "pool"
)

// Values of Config.Mistake.
const (
	MistakeNone = "none"
	// MistakeBlock makes every call, and every wait, block its loop.
	MistakeBlock = "block"
	// MistakeUnbounded starts a goroutine for every request, with blocking calls and no bound.
	MistakeUnbounded = "unbounded"
)

// Bind declares the flags of c on fs with their defaults.
func (c *Config) Bind(fs *pflag.FlagSet) {
	c.Addr, c.Admin = "127.0.0.1:8082", "127.0.0.1:8182"
	config.Group(fs, "Event loop", func() { c.bindLoop(fs) })
	c.Server.Bind(fs)
}

func (c *Config) bindLoop(fs *pflag.FlagSet) {
	fs.IntVar(&c.Loops, "loops", 0,
		"event `loops`; a connection stays on the loop it came to; 0 = GOMAXPROCS, 1 = the classic single thread")
	fs.IntVar(&c.MaxInflight, "max-inflight", 0,
		"most `requests` in progress over all loops; above it 503 and the connection is kept; 0 = no limit")
	fs.DurationVar(&c.MaxLag, "max-lag", 0,
		"mean loop lag above which requests are answered with 503; 0 = never")
	fs.IntVar(&c.DownstreamConns, "downstream-conns", 0,
		"most `connections` of one loop to one downstream; 0 = as many as the descriptors kept for them allow")
	fs.IntVar(&c.MaxPipeline, "max-pipeline", 16,
		"most `requests` of one connection read but not answered; they run side by side and are answered in order")
	fs.IntVar(&c.OutHigh, "out-high", 256<<10, "unsent `bytes` of one client above which its requests are not taken")
	fs.IntVar(&c.OutLow, "out-low", 64<<10, "unsent `bytes` of one client below which its requests are taken again")
	fs.IntVar(&c.Budget, "budget", 64, "most `requests` that one connection may start in one round of its loop")
	c.bindCPU(fs)
	fs.StringVar(&c.Mistake, "mistake", MistakeNone,
		"do it wrong on purpose: block (every call blocks the loop), unbounded (a goroutine per request), or none")
	fs.DurationVar(&c.LagInterval, "lag-interval", 10*time.Millisecond,
		"how often the lag of every loop is measured, by schedule; 1ms to 1s")
	fs.DurationVar(&c.BlockedAfter, "blocked-after", 100*time.Millisecond,
		"a loop that handles nothing for so long is logged with its stack, and counted")
}

func (c *Config) bindCPU(fs *pflag.FlagSet) {
	fs.StringVar(&c.CPUOn, "cpu-on", CPUOnLoop,
		"where CPU steps run: loop (every connection of the loop waits) or pool (a bounded side pool)")
	fs.IntVar(&c.CPUWorkers, "cpu-workers", 2, "`workers` of the side pool of --cpu-on=pool")
	fs.IntVar(&c.CPUQueue, "cpu-queue", 1024, "most `steps` that wait for the side pool; above it 503")
}

// Validate returns all that is wrong with c as one error that names each flag, or nil.
func (c *Config) Validate() error {
	return errors.Join(
		c.Server.Validate(),
		config.Within("loops", c.Loops, 0, config.MostLoops),
		config.Within("max-inflight", c.MaxInflight, 0, config.MostInflight),
		config.Within("max-lag", c.MaxLag, 0, time.Hour),
		config.Within("downstream-conns", c.DownstreamConns, 0, 1<<20),
		config.Within("max-pipeline", c.MaxPipeline, 1, 1<<16),
		config.Within("out-high", c.OutHigh, 1, 1<<30),
		config.Within("out-low", c.OutLow, 0, c.OutHigh),
		config.Within("budget", c.Budget, 1, 1<<16),
		config.OneOf("cpu-on", c.CPUOn, CPUOnLoop, CPUOnPool),
		config.Within("cpu-workers", c.CPUWorkers, 1, 1<<10),
		config.Within("cpu-queue", c.CPUQueue, 1, 1<<20),
		config.OneOf("mistake", c.Mistake, MistakeNone, MistakeBlock, MistakeUnbounded),
		config.Within("lag-interval", c.LagInterval, time.Millisecond, time.Second),
		config.Within("blocked-after", c.BlockedAfter, 2*c.LagInterval, time.Hour),
	)
}
