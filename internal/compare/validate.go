package compare

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/spf13/pflag"

	"poolvsloop/internal/config"
	"poolvsloop/internal/flow"
	"poolvsloop/internal/lab"
	"poolvsloop/internal/latency"
	"poolvsloop/internal/load"
	"poolvsloop/internal/results"
	"poolvsloop/internal/single"
)

// maxBodySize bounds --body-size, in bytes.
const maxBodySize = 1 << 20

// maxRounds bounds --rounds: an id has four digits for the round, and those above are of the repetitions of --cost.
const maxRounds = costRound - 1

// embeddedOnly are the flags that say how to start a lab: a lab that is up was started otherwise. attachOnly are those
// that say where one is.
var (
	embeddedOnly = []string{
		"workers", "queue", "queue-full", "worker", "dispatch", "stack", "loops", "max-inflight", "mistake",
		"latency-a", "latency-b", "concurrency-limit-a", "concurrency-limit-b", "rate-limit-a", "rate-limit-b", "fresh", "same", "handicap",
	}
	attachOnly = []string{
		"threadpool", "eventloop", "threadpool-admin", "eventloop-admin", "downstream-a-admin", "downstream-b-admin",
	}
)

// Resolve completes c from the flags that were set, and returns all that is wrong with it as one error that names each
// flag, or nil. Call it after fs was parsed.
func Resolve(fs *pflag.FlagSet, c *results.Config) error {
	if fs.Changed("duration") && c.Duration > 0 && !fs.Changed("requests") {
		c.Requests = 0
	}
	return errors.Join(resolveEvents(c), resolveCrowds(c), resolveInFlight(c), validateLoad(*c), validateRate(fs, *c), validateCost(fs, *c), validateWorld(*c), validateLab(fs, *c), validateOutput(*c))
}

func validateRate(fs *pflag.FlagSet, c results.Config) error {
	return errors.Join(
		unless(c.Rate >= 0 && c.Rate <= load.MaxRate, "--rate %g: want 0 to %g", c.Rate, float64(load.MaxRate)),
		config.OneOf("arrivals", c.Arrivals, single.PoissonArrivals, single.ConstantArrivals),
		unless(c.Open() || !fs.Changed("arrivals"), "--arrivals needs --rate"),
		unless(c.Open() || !fs.Changed("in-flight"), "--in-flight needs --rate: a closed loop has a request in flight for each client"),
		unless(!c.Open() || !fs.Changed("concurrency"),
			"--concurrency has no meaning with --rate: an open loop uses as many connections as it takes"),
	)
}

// ValidateSystem returns all that is wrong with the flags of [BindSystem] as one error that names each, or nil. A latency
// model is not read.
func ValidateSystem(c results.Config) error { return errors.Join(validateClients(c), validateWorld(c)) }

func validateClients(c results.Config) error {
	return config.Within("concurrency", c.Concurrency, 1, maxClients)
}

// maxClients bounds --concurrency.
const maxClients = 100_000

func validateLoad(c results.Config) error {
	return errors.Join(
		config.Within("requests", c.Requests, 0, MaxOrders-c.Keys),
		unless(c.Requests > 0 || c.Duration > 0, "--requests 0 needs a --duration that ends the round"),
		validateClients(c),
		unless(c.Open() || c.Requests == 0 || c.Concurrency <= c.Requests, "--concurrency %d: more clients than --requests %d",
			c.Concurrency, c.Requests),
		unless(c.Duration >= 0, "--duration: want 0 or more"),
		config.Within("rounds", c.Rounds, 1, maxRounds),
		config.OneOf("order", c.Order, ABBA, Random),
		config.OneOf("same", c.Same, "", string(ThreadPool), string(EventLoop)),
		config.Within("handicap", c.Handicap, 0, flow.MaxHoldCPU),
		config.Within("fresh", c.Fresh, 0, maxRounds),
		unless(c.Margin > 0 && c.Margin < 1, "--margin %g: want more than 0 and less than 1", c.Margin),
		unless(c.Warmup >= 0, "--warmup: want 0 or more"),
		unless(c.Timeout > 0 && time.Duration(c.Timeout) <= load.MaxTimeout, "--timeout %s: want more than 0, %s at most",
			time.Duration(c.Timeout), load.MaxTimeout),
		config.Within("body-size", c.BodySize, MinBodySize, maxBodySize),
	)
}

func validateWorld(c results.Config) error {
	return errors.Join(
		config.OneOf("queue-full", c.QueueFull, "503", "close", "wait"),
		config.OneOf("worker", c.Worker, "thread", "goroutine"),
		config.OneOf("dispatch", c.Dispatch, "request", "connection"),
		config.OneOf("stack", c.Stack, "wire", "fiber"),
		config.OneOf("mistake", c.Mistake, "none", "block", "unbounded"),
		config.Within("workers", c.Workers, 1, config.MostWorkers),
		config.Within("queue", c.Queue, -1, config.MostQueue),
		config.Within("loops", c.Loops, 0, config.MostLoops),
		config.Within("max-inflight", c.MaxInflight, 0, config.MostInflight),
		latencyModel("latency-a", c.LatencyA),
		latencyModel("latency-b", c.LatencyB),
		config.Within("concurrency-limit-a", c.ConcurrencyLimitA, 0, 1e9),
		config.Within("concurrency-limit-b", c.ConcurrencyLimitB, 0, 1e9),
		config.Within("rate-limit-a", c.RateLimitA, 0, 1e6),
		config.Within("rate-limit-b", c.RateLimitB, 0, 1e6),
		unless(c.HitRatio >= 0 && c.HitRatio <= 1, "--hit-ratio %g: want 0 to 1", c.HitRatio),
		config.Within("keys", c.Keys, 1, 1_000_000),
	)
}

// latencyModel says what is wrong with the latency of a downstream.
func latencyModel(flag, value string) error {
	if _, err := latency.Parse(value, latency.OpenFile); err != nil {
		return fmt.Errorf("--%s: %w", flag, err)
	}
	return nil
}

func validateLab(fs *pflag.FlagSet, c results.Config) error {
	var all []error
	if c.Lab == Attach {
		for _, name := range embeddedOnly {
			all = append(all, unless(!fs.Changed(name),
				"--%s has no effect with --lab=attach: set it on the program itself", name))
		}
		missing := slices.DeleteFunc(append([]string{"redis"}, attachOnly...), func(name string) bool {
			return fs.Lookup(name).Value.String() != ""
		})
		all = append(all, unless(len(missing) == 0, "--lab=attach needs --%s", strings.Join(missing, ", --")))
	} else {
		all = append(all, lab.CheckRedis(c.Redis))
		for _, name := range attachOnly {
			all = append(all, unless(!fs.Changed(name), "--%s needs --lab=attach", name))
		}
	}
	return errors.Join(config.OneOf("lab", c.Lab, Embedded, Attach), errors.Join(all...))
}

func validateOutput(c results.Config) error {
	return errors.Join(
		config.OneOf("format", c.Format, Text, JSON, Markdown),
		unless(c.Results != "", "--results: want a directory"),
		results.CheckName(c.Name),
	)
}

func unless(holds bool, format string, args ...any) error {
	if holds {
		return nil
	}
	return fmt.Errorf(format, args...)
}
