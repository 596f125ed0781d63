package config

import (
	"errors"
	"time"

	"github.com/spf13/pflag"

	"poolvsloop/internal/flow"
)

// Server is what both servers are configured with besides their concurrency model. Names, units and defaults are the
// same for both.
type Server struct {
	Process
	// DownstreamA and DownstreamB are http:// base URLs, Redis is host:port.
	DownstreamA, DownstreamB, Redis string
	// DownstreamTimeout and CacheTimeout bound one call, dialling included.
	DownstreamTimeout, CacheTimeout time.Duration
	// CacheTTL is the life of an entry that a miss fills; the cache counts whole seconds.
	CacheTTL time.Duration
	// Burn is the number of iterations of CPU work that each order costs on top: a known handicap, for experiments.
	Burn int
	// Retries is how many further calls of A or B an order makes after failed ones.
	Retries int
	// MaxConns bounds accepted connections, idle ones included; 0 is no limit but the descriptors.
	MaxConns int
	// ConnsFull says what happens at MaxConns: [ConnsBacklog] or [ConnsEvictIdle].
	ConnsFull string
	// Backlog is the limit of the kernel accept queue that is asked for; somaxconn cuts it.
	Backlog int
	// HeaderTimeout is total, from the first byte (from accept for the first request). BodyTimeout is total, from when
	// the body is first wanted. WriteTimeout is from the first byte of the response. IdleTimeout is the keep-alive wait.
	HeaderTimeout, BodyTimeout, WriteTimeout, IdleTimeout time.Duration
	// MaxRequests bounds the requests of one connection; the last answer says Connection: close; 0 is no limit.
	MaxRequests int
	// MaxHeader and MaxBody are in bytes.
	MaxHeader, MaxBody int
	// Drain bounds how long a server serves on after SIGTERM.
	Drain time.Duration
	// GoMaxProcs is what GOMAXPROCS is set to; 0 leaves the choice to the server, which prints it.
	GoMaxProcs int
}

// Bounds of the settings of one model or the other, for whoever starts servers and wants to refuse a value before that.
const (
	// MostWorkers and MostQueue are of the thread pool. The first stays below what the kernel gives one process by default
	// (threads-max, pid_max).
	MostWorkers = 10_000
	MostQueue   = 1 << 20
	// MostLoops and MostInflight are of the event loop.
	MostLoops    = 255
	MostInflight = 1 << 30
)

// mostRetries bounds Server.Retries.
const mostRetries = 100

// Values of Server.ConnsFull.
const (
	// ConnsBacklog stops accepting: newcomers wait in the kernel accept queue.
	ConnsBacklog = "backlog"
	// ConnsEvictIdle closes the longest idle keep-alive connection for a newcomer.
	ConnsEvictIdle = "evict-idle"
)

// Bind declares the flags of s on fs with their defaults; see [Process.Bind] for Addr and Admin.
func (s *Server) Bind(fs *pflag.FlagSet) {
	s.Process.Bind(fs)
	Group(fs, "Downstreams and cache", func() { s.bindDownstream(fs) })
	Group(fs, "Connections and limits", func() {
		s.bindConnections(fs)
		s.bindLimits(fs)
	})
	Group(fs, "Process", func() { s.bindProcess(fs) })
}

func (s *Server) bindProcess(fs *pflag.FlagSet) {
	fs.DurationVar(&s.Drain, "drain", 10*time.Second,
		"longest time to serve on after SIGTERM, before what is left is cut")
	fs.IntVar(&s.Burn, "burn", 0,
		"`iterations` of CPU work that each order costs on top: a handicap on purpose, loud in every report; 0 = none")
	fs.IntVar(&s.GoMaxProcs, "gomaxprocs", 0,
		"OS threads that run Go code at once; 0 leaves the choice to the server, which logs it")
}

func (s *Server) bindDownstream(fs *pflag.FlagSet) {
	fs.StringVar(&s.DownstreamA, "downstream-a", "http://127.0.0.1:9101", "base `URL` of downstream A (customers)")
	fs.StringVar(&s.DownstreamB, "downstream-b", "http://127.0.0.1:9102", "base `URL` of downstream B (quotes)")
	fs.StringVar(&s.Redis, "redis", "127.0.0.1:6379", "`host:port` of the cache")
	fs.DurationVar(&s.DownstreamTimeout, "downstream-timeout", 2*time.Second,
		"longest call of A or B, dialling included; after it the client gets 504")
	fs.IntVar(&s.Retries, "retries", 0, "further `calls` of A or B that an order makes, at once, after such that failed; 0 = none. "+
		"With some, a comparison finds more calls than requests where calls fail")
	fs.DurationVar(&s.CacheTimeout, "cache-timeout", 500*time.Millisecond,
		"longest cache call, dialling included; after it the request goes on as a miss")
	fs.DurationVar(&s.CacheTTL, "cache-ttl", 5*time.Minute,
		"life of a cache entry that a miss fills; whole seconds, at least 1s")
}

func (s *Server) bindConnections(fs *pflag.FlagSet) {
	fs.IntVar(&s.MaxConns, "max-conns", 10000,
		"most `connections` accepted at once, idle ones included; cut to the descriptors (logged); 0 = only that limit")
	fs.StringVar(&s.ConnsFull, "conns-full", ConnsBacklog,
		"at --max-conns: backlog (stop accepting, newcomers wait in the kernel) or "+
			"evict-idle (close the longest idle connection for a newcomer)")
	fs.IntVar(&s.Backlog, "backlog", 1024,
		"most `connections` that wait to be accepted; net.core.somaxconn cuts it (logged)")
	fs.DurationVar(&s.HeaderTimeout, "header-timeout", 20*time.Second,
		"longest wait for a whole request header, from its first byte (from accept for the first); then 408 or a close")
	fs.DurationVar(&s.BodyTimeout, "body-timeout", 20*time.Second,
		"longest wait for a whole body, from when it is first wanted; then 408 and a close")
	fs.DurationVar(&s.WriteTimeout, "write-timeout", 20*time.Second,
		"longest time to send an answer, from its first byte; then the connection is cut")
	fs.DurationVar(&s.IdleTimeout, "idle-timeout", 20*time.Second,
		"longest keep-alive wait for the next request; then a close")
}

func (s *Server) bindLimits(fs *pflag.FlagSet) {
	fs.IntVar(&s.MaxRequests, "max-requests", 0,
		"most `requests` on one connection; the last answer says Connection: close; 0 = no limit")
	fs.IntVar(&s.MaxHeader, "max-header", 8192, "most `bytes` of request line and header together; above it 431")
	fs.IntVar(&s.MaxBody, "max-body", 2<<20, "most `bytes` of a request body, decoded; above it 413")
}

// Validate returns all that is wrong with s as one error that names each flag, or nil.
func (s *Server) Validate() error {
	return errors.Join(
		s.Process.Validate(),
		baseURL("downstream-a", s.DownstreamA),
		baseURL("downstream-b", s.DownstreamB),
		HostPort("redis", s.Redis),
		atLeast("downstream-timeout", s.DownstreamTimeout, time.Millisecond),
		atLeast("cache-timeout", s.CacheTimeout, time.Millisecond),
		atLeast("cache-ttl", s.CacheTTL, time.Second),
		Within("retries", s.Retries, 0, mostRetries),
		Within("burn", s.Burn, 0, flow.MaxHoldCPU),
		atLeast("max-conns", s.MaxConns, 0),
		OneOf("conns-full", s.ConnsFull, ConnsBacklog, ConnsEvictIdle),
		atLeast("backlog", s.Backlog, 1),
		atLeast("header-timeout", s.HeaderTimeout, time.Millisecond),
		atLeast("body-timeout", s.BodyTimeout, time.Millisecond),
		atLeast("write-timeout", s.WriteTimeout, time.Millisecond),
		atLeast("idle-timeout", s.IdleTimeout, time.Millisecond),
		atLeast("max-requests", s.MaxRequests, 0),
		atLeast("max-header", s.MaxHeader, 256),
		atLeast("max-body", s.MaxBody, 1),
		atLeast("drain", s.Drain, 0),
		atLeast("gomaxprocs", s.GoMaxProcs, 0),
	)
}
