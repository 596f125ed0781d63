package compare

import (
	"fmt"
	"strconv"
	"strings"
	"time"

	"github.com/spf13/pflag"

	"poolvsloop/internal/config"
	"poolvsloop/internal/lab"
	"poolvsloop/internal/results"
	"poolvsloop/internal/single"
	"poolvsloop/internal/stats"
)

// Modes of --lab and formats of --format.
const (
	Embedded = "embedded"
	Attach   = "attach"

	Text     = "text"
	JSON     = "json"
	Markdown = "markdown"
)

// Bind declares the flags of the comparison on fs, with their defaults.
func Bind(fs *pflag.FlagSet, c *results.Config) {
	config.Group(fs, "Load", func() { bindLoad(fs, c) })
	bindSides(fs, c)
	config.Group(fs, "Rounds and verdicts", func() { bindRounds(fs, c) })
	config.Group(fs, "Faults and crowds", func() { bindFaults(fs, c) })
	config.Group(fs, "Cost", func() { bindCost(fs, c) })
	config.Group(fs, "Lab", func() { bindLab(fs, c) })
	config.Group(fs, "Report", func() { bindReport(fs, c) })
}

// bindSides declares what is compared, and in which world.
func bindSides(fs *pflag.FlagSet, c *results.Config) {
	config.Group(fs, "Servers", func() { bindServers(fs, c) })
	config.Group(fs, "Downstreams and cache", func() { bindWorld(fs, c) })
}

// bindFaults declares what disturbs the lab on purpose.
func bindFaults(fs *pflag.FlagSet, c *results.Config) {
	fs.StringArrayVar(&c.With, "with", nil, "`crowd` beside the measured clients, as 'slow-send=500,rate=10B/s', 'slow-read=200,rate=1KB/s', "+
		"'half-open=100', 'idle=10000', 'storm=5000,within=100ms,at=2s'; repeatable (see docs/crowds.md)")
	fs.StringArrayVar(&c.At, "at", nil, "`event` in every round, as '10s b.latency=500ms', put back at its end; repeatable, needs -t "+
		"(see docs/timeline.md)")
}

func bindReport(fs *pflag.FlagSet, c *results.Config) {
	fs.StringVar(&c.Results, "results", lab.ResultsDir(), "`directory` in which the folder of this run is made")
	fs.StringVar(&c.Name, "name", "compare", "last part of that folder's name: letters, digits, '.', '_', '-'")
	fs.StringVar(&c.Format, "format", Text,
		"what is printed: text, json (run.json), or markdown (the comparison as a table)")
	fs.BoolVar(&c.Quiet, "quiet", false, "no progress on stderr")
}

// BindSystem declares those of its flags that say what is loaded by how many clients, and nothing of the measurement.
func BindSystem(fs *pflag.FlagSet, c *results.Config) {
	config.Group(fs, "Load", func() { bindClients(fs, c) })
	bindSides(fs, c)
}

func bindClients(fs *pflag.FlagSet, c *results.Config) {
	fs.IntVarP(&c.Concurrency, "concurrency", "c", 50,
		"`clients`: each sends its next request when its last one was answered")
	fs.BoolVarP(&c.KeepAlive, "keep-alive", "k", false, "reuse connections, as ab -k does")
}

func bindLoad(fs *pflag.FlagSet, c *results.Config) {
	fs.IntVarP(&c.Requests, "requests", "n", 5000, "`requests` per round and server; with -t alone: no limit")
	bindClients(fs, c)
	fs.Float64Var(&c.Rate, "rate", 0, "open loop: `arrivals` a second on each server, whatever became of earlier ones; 0 = closed loop")
	fs.StringVar(&c.Arrivals, "arrivals", single.PoissonArrivals, "open loop: poisson or constant (evenly spaced)")
	fs.IntVar(&c.InFlight, "in-flight", 0,
		"open loop: most `requests` in flight at a time, an arrival above it is dropped and counted; 0 = "+
			strconv.Itoa(defaultInFlight)+", or fewer where the descriptors allow no more")
	config.SecondsVar(fs, (*time.Duration)(&c.Duration), "duration", "t", 0,
		"`time` of a round (10 = 10s), after which no request is started; with -n whichever comes first; 0 = no limit")
	config.SecondsVar(fs, (*time.Duration)(&c.Timeout), "timeout", "", 30*time.Second,
		"longest `time` for one request; then it counts as timed out")
	fs.IntVar(&c.BodySize, "body-size", 256,
		fmt.Sprintf("`bytes` of a request body, %d to %d", MinBodySize, maxBodySize))
}

func bindRounds(fs *pflag.FlagSet, c *results.Config) {
	fs.IntVar(&c.Rounds, "rounds", 4, "rounds per server, fixed before the first one; 10 or more for a claim")
	fs.StringVar(&c.Order, "order", ABBA, "order of the rounds: abba (A B B A A B B A) or random (drawn by --seed for each two rounds)")
	fs.IntVar(&c.Fresh, "fresh", 2, "embedded lab: `rounds` after which the servers are started anew; 0 = never")
	fs.StringVar(&c.Same, "same", "", "embedded lab: compare a `server` (threadpool or eventloop) with itself: shows what noise does")
	fs.IntVar(&c.Handicap, "handicap", 0,
		"embedded lab: `iterations` of CPU that the second server burns in each request: a known difference")
	fs.Float64Var(&c.Margin, "margin", stats.Margin, "relative difference, above 0, that is taken for none: 0.03 is 3 %")
	config.SecondsVar(fs, (*time.Duration)(&c.Warmup), "warmup", "", time.Second,
		"`time` of unmeasured load on each server before the first round; 0 = none")
}

func bindServers(fs *pflag.FlagSet, c *results.Config) {
	fs.IntVar(&c.Workers, "workers", 200, "thread pool: workers, each serving one request at a time")
	fs.IntVar(&c.Queue, "queue", 100, "thread pool: places for requests that wait for a worker; -1 = no limit")
	fs.StringVar(&c.QueueFull, "queue-full", "503", "thread pool: what a full queue does: 503, close or wait")
	fs.StringVar(&c.Worker, "worker", "thread", "thread pool: what a worker is: thread (of the OS) or goroutine")
	fs.StringVar(&c.Dispatch, "dispatch", "request",
		"thread pool: what a worker takes: a request, or a connection until it closes")
	fs.StringVar(&c.Stack, "stack", "wire",
		"thread pool: wire (the code both servers share) or fiber (libraries from the shelf)")
	fs.IntVar(&c.Loops, "loops", 0, "event loop: loops; 0 = one per processor")
	fs.IntVar(&c.MaxInflight, "max-inflight", 0, "event loop: most requests in progress, above it 503; 0 = no limit")
	fs.StringVar(&c.Mistake, "mistake", "none", "event loop: what it does wrong on purpose: none, block or unbounded")
}

func bindWorld(fs *pflag.FlagSet, c *results.Config) {
	fs.StringVar(&c.LatencyA, "latency-a", "20ms", "latency of downstream A: a time or a `model` (see downstream --help)")
	fs.StringVar(&c.LatencyB, "latency-b", "30ms", "latency of downstream B: a time or a `model`")
	for _, d := range []struct {
		name        string
		concurrency *int
		rate        *float64
	}{{"a", &c.ConcurrencyLimitA, &c.RateLimitA}, {"b", &c.ConcurrencyLimitB, &c.RateLimitB}} {
		fs.IntVar(d.concurrency, "concurrency-limit-"+d.name, 0,
			"most `calls` that downstream "+strings.ToUpper(d.name)+" serves at once, the others wait; 0 = no limit")
		fs.Float64Var(d.rate, "rate-limit-"+d.name, 0,
			"most `calls/s` that downstream "+strings.ToUpper(d.name)+" answers, the others get 503; 0 = no limit")
	}
	fs.Float64Var(&c.HitRatio, "hit-ratio", 0.9, "`share` of requests that find their entry in the cache, 0 to 1")
	fs.IntVar(&c.Keys, "keys", 1000, "catalog `entries` cached before each round")
	fs.Uint64Var(&c.Seed, "seed", 1, "seed of requests and delays: the same seed, the same requests")
}

func bindLab(fs *pflag.FlagSet, c *results.Config) {
	fs.StringVar(&c.Lab, "lab", Embedded, "embedded (start servers, downstreams and cache) or attach (they are up)")
	fs.StringVar(&c.Redis, "redis", "",
		"cache: `host:port`; embedded also redis-server or miniredis, and empty for whichever of these is there")
	fs.StringVar(&c.ThreadPool, "threadpool", "", "attach: `URL` of the thread pool")
	fs.StringVar(&c.EventLoop, "eventloop", "", "attach: `URL` of the event loop")
	fs.StringVar(&c.ThreadPoolAdmin, "threadpool-admin", "", "attach: `URL` of its admin port")
	fs.StringVar(&c.EventLoopAdmin, "eventloop-admin", "", "attach: `URL` of its admin port")
	fs.StringVar(&c.DownstreamAAdmin, "downstream-a-admin", "", "attach: `URL` of downstream A's admin port")
	fs.StringVar(&c.DownstreamBAdmin, "downstream-b-admin", "", "attach: `URL` of downstream B's admin port")
}
