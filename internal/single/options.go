package single

import (
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"strings"
	"time"

	"github.com/spf13/pflag"

	"poolvsloop/internal/config"
	"poolvsloop/internal/load"
)

// Options are the flags of loadrunner run.
type Options struct {
	Requests    int
	Concurrency int
	Duration    time.Duration
	KeepAlive   bool
	Timeout     time.Duration
	Threads     int

	Rate          float64
	Arrivals      string
	Stages        string
	MaxInFlight   int
	Think         time.Duration
	PerConnection int
	Pipeline      int
	Idle          int

	Events Events
	With   []string

	Method   string
	Headers  []string
	Body     string
	BodyFile string
	Targets  string
	Variants int
	Seed     uint64
	Insecure bool

	Format  string
	FailIf  []string
	Results string
	Name    string
	Quiet   bool
}

// Values of --format and --arrivals.
const (
	Text     = "text"
	JSON     = "json"
	CSV      = "csv"
	Markdown = "markdown"

	ConstantArrivals = "constant"
	PoissonArrivals  = "poisson"
)

// defaultDuration is that of a run for which neither -n nor -t nor --stages says when it ends.
const defaultDuration = 10 * time.Second

// Bind declares the flags on fs, with their defaults.
func Bind(fs *pflag.FlagSet, o *Options) {
	config.Group(fs, "Load", func() { bindLoad(fs, o) })
	config.Group(fs, "Open loop, connections", func() { bindModel(fs, o) })
	config.Group(fs, "Requests", func() { bindRequest(fs, o) })
	config.Group(fs, "Faults and crowds", func() { bindFaults(fs, o) })
	config.Group(fs, "Report", func() { bindReport(fs, o) })
}

func bindLoad(fs *pflag.FlagSet, o *Options) {
	fs.IntVarP(&o.Requests, "requests", "n", 0, "`requests` to send; 0 = as many as -t allows")
	fs.IntVarP(&o.Concurrency, "concurrency", "c", 1, "`clients` of a closed loop: each sends its next request when its last one has ended")
	config.SecondsVar(fs, &o.Duration, "duration", "t", 0,
		"`time` after which no request is started (10 = 10s); 0 = no limit with -n or --stages, else "+defaultDuration.String())
	fs.BoolVarP(&o.KeepAlive, "keep-alive", "k", false, "reuse connections")
	config.SecondsVar(fs, &o.Timeout, "timeout", "", load.DefaultTimeout, "longest `time` for one request; then it counts as timed out")
	fs.IntVar(&o.Threads, "threads", 1, "`loops` of the load engine, each on a thread")
}

func bindFaults(fs *pflag.FlagSet, o *Options) {
	fs.StringArrayVar(&o.With, "with", nil, "`crowd` beside the clients, as 'slow-send=500,rate=10B/s', 'slow-read=200,rate=1KB/s', "+
		"'half-open=100', 'idle=10000', 'storm=5000,within=100ms,at=2s'; repeatable (see docs/crowds.md)")
	o.Events.bind(fs)
}

func bindReport(fs *pflag.FlagSet, o *Options) {
	fs.StringVar(&o.Format, "format", Text, "what is printed: text, json, csv (a line per second) or markdown")
	fs.StringArrayVar(&o.FailIf, "fail-if", nil,
		"exit with 1 when this `condition` holds or can't be judged, as 'p99>50ms', 'errors>0.1%', 'starved>0'; repeatable")
	fs.StringVar(&o.Results, "results", "", "`directory` in which a folder with report, figures and histograms is made; empty = none")
	fs.StringVar(&o.Name, "name", "run", "last part of that folder's name: letters, digits, '.', '_', '-'")
	fs.BoolVar(&o.Quiet, "quiet", false, "no progress on stderr")
}

func bindModel(fs *pflag.FlagSet, o *Options) {
	fs.Float64Var(&o.Rate, "rate", 0, "open loop: `arrivals` a second, whatever became of earlier ones; 0 = closed loop")
	fs.StringVar(&o.Arrivals, "arrivals", ConstantArrivals, "open loop: constant (evenly spaced) or poisson")
	fs.StringVar(&o.Stages, "stages", "", "open loop: rates over time in `stages`, as 0..500:10s,500:1m,500..0:10s; in place of --rate")
	fs.IntVar(&o.MaxInFlight, "max-in-flight", 0,
		"open loop: most `requests` (with --per-connection, sessions) in flight; arrivals above it are dropped; 0 = no limit")
	config.SecondsVar(fs, &o.Think, "think", "", 0, "`pause` of a client (or of a session) before its next request")
	fs.IntVar(&o.PerConnection, "per-connection", 0,
		"`requests` after which a client closes its connection; open loop: each arrival is a session of so many; 0 = no limit, needs -k")
	fs.IntVar(&o.Pipeline, "pipeline", 1, "`requests` sent at once on a connection; needs -k")
	fs.IntVar(&o.Idle, "idle", 0, "`connections` held open beside the load without a request")
}

func bindRequest(fs *pflag.FlagSet, o *Options) {
	fs.StringVarP(&o.Method, "method", "m", "", "method; empty = GET, or POST with a body")
	fs.StringArrayVarP(&o.Headers, "header", "H", nil, "`line` \"Name: value\" for every request; repeatable")
	fs.StringVar(&o.Body, "body", "", "`text` of the body")
	fs.StringVarP(&o.BodyFile, "body-file", "p", "", "`file` with the body")
	fs.StringVar(&o.Targets, "targets", "", "`file` of weighted targets in place of the URL's path: lines [weight] METHOD path [@body-file]")
	fs.IntVar(&o.Variants, "variants", 1000, "`requests` made before the run when something has a template ({{n}}, {{rand 1 9}}, "+
		"{{pick a b}}, {{hex 8}})")
	fs.Uint64Var(&o.Seed, "seed", 1, "seed of templates and Poisson arrivals")
	fs.BoolVar(&o.Insecure, "insecure", false, "don't verify the server's certificate")
}

// choices are the flags that take one of a few words.
func (o *Options) choices() error {
	return errors.Join(config.OneOf("format", o.Format, Text, JSON, CSV, Markdown),
		config.OneOf("arrivals", o.Arrivals, ConstantArrivals, PoissonArrivals))
}

// open says whether the run is an open loop.
func (o *Options) open() bool { return o.Rate != 0 || o.Stages != "" }

// parseURL reads the one argument of the command.
func parseURL(text string) (*url.URL, error) {
	u, err := url.Parse(text)
	switch {
	case err != nil && strings.Contains(text, "://"):
		return nil, fmt.Errorf("read the URL: %w", err)
	case err != nil, u.Scheme != "http" && u.Scheme != "https", u.Hostname() == "":
		return nil, fmt.Errorf("URL %q: want http://host[:port]/path or https://…", text)
	case u.User != nil:
		return nil, fmt.Errorf("URL %q: give credentials with -H \"Authorization: …\"", text)
	}
	return u, nil
}

// method is the method of the requests.
func (o *Options) method() string {
	switch {
	case o.Method != "":
		return o.Method
	case o.Body != "" || o.BodyFile != "":
		return http.MethodPost
	}
	return http.MethodGet
}
