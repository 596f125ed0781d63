package load

import (
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"net"
	"net/netip"
	"strings"
	"time"

	"golang.org/x/sys/unix"
)

// Limits and defaults of a [Config].
const (
	// DefaultTimeout is the Timeout of a Config that names none.
	DefaultTimeout = 30 * time.Second
	// MaxTimeout is the longest time the histograms hold.
	MaxTimeout = time.Hour
	// MaxDuration bounds every other time of a Config, some 30 years: sums of a few of them can be reckoned with.
	MaxDuration = 1e9 * time.Second
	// DefaultMaxSamples is the number of requests whose single times are kept when a Config names none: 64 MB.
	DefaultMaxSamples = 2_000_000
	// MaxThreads bounds Config.Threads.
	MaxThreads = 256
	// MaxPipeline bounds Config.Pipeline.
	MaxPipeline = 64
	// MostLoopShare is the share of one core, used or waited for ([Result.NeediestLoop]), above which a loop of the engine,
	// which is one thread, may itself be what is measured.
	MostLoopShare = 0.85
	// LateAfter is the send lag above which a request counts as late. Waking up takes up to a slice of the scheduler, 2
	// to 4 ms, on a busy machine: that alone is not late.
	LateAfter = 10 * time.Millisecond
)

// Source makes the requests of a run.
type Source interface {
	// Append appends the bytes of request number i (0-based, in planned order) and returns the extended slice. It is
	// called once a request, on the thread of the loop that sends it: with more than one thread it must be safe for
	// concurrent use. It must not keep dst.
	Append(dst []byte, i int) []byte
}

// Fixed is a Source whose requests are all alike.
type Fixed []byte

// Append implements Source.
func (f Fixed) Append(dst []byte, _ int) []byte { return append(dst, f...) }

// Config says what a run does. The zero value of a field that is not marked as required has a meaning.
type Config struct {
	// Addr is the server (required); see [Resolve].
	Addr netip.AddrPort
	// Source makes the requests (required). With KeepAlive off they must say "Connection: close" themselves, or be
	// HTTP/1.0: the engine sends the bytes as they are, and closes after the answer in any case.
	Source Source
	// Requests is the number of requests to send, 0 for as many as Duration allows. One of the two is required.
	Requests int
	// Duration stops the run from starting further requests after that time, 0 for no limit; arrivals of an open loop that
	// were due before are started late rather than never, within the grace.
	Duration time.Duration
	// Grace is how long the run waits after Duration for what is in flight; 0 means Timeout.
	Grace time.Duration
	// Clients is the number of clients of a closed loop (required there): each sends its next request when its last one
	// has ended. Above Requests it is cut to that.
	Clients int
	// Think is the pause of a client between the end of a request and its next one; 0 means none.
	Think time.Duration
	// Arrivals makes the run an open loop: requests start when they are due, whatever became of earlier ones, on as many
	// connections as that takes. Clients must be 0 then. A run without Duration ends with the plan.
	Arrivals *Arrivals
	// MaxInFlight bounds the requests (with PerConnection, the sessions) in flight of an open loop; an arrival above it
	// is dropped. 0 means no bound.
	MaxInFlight int
	// KeepAlive reuses a connection for as long as the server lets it; off, each request has its own connection.
	KeepAlive bool
	// PerConnection is the number of requests after which the client closes a kept connection; 0 means never. In an
	// open loop, an arrival then is a session of so many requests on a connection of its own: each is sent when the one
	// before has been answered, and the rest is dropped when one fails (partly open model).
	PerConnection int
	// Pipeline is the number of requests that are sent at once on a kept connection of a closed loop, up to MaxPipeline:
	// the next ones follow when all of them have been answered. 0 means 1.
	Pipeline int
	// Idle is the number of connections that are opened before the run and held without a request until its end.
	Idle int
	// Crowds are clients beside those of the run, of which no figure of theirs has a part; see [Crowd]. They are without TLS.
	Crowds []Crowd
	// TLS makes every connection one of TLS. Its handshake belongs to the connect time.
	TLS *tls.Config
	// HTTP10 says that the requests are of HTTP/1.0: a connection is then kept only when the answer says so
	// ("Connection: keep-alive"), whatever version the answer names.
	HTTP10 bool
	// Timeout bounds one request from its start to its last byte, up to MaxTimeout; 0 means DefaultTimeout. A request
	// that exceeds it is counted as timed out and its connection is replaced.
	Timeout time.Duration
	// Threads is the number of loops; 0 means 1. Above Clients it is cut to that.
	Threads int
	// MaxSamples is the number of requests up to which [Result.Samples] is kept; 0 means DefaultMaxSamples, below 0 none.
	MaxSamples int
	// Check, if set, judges every answer, that to request number i of Source; the error counts it as wrong (it stays
	// answered). The body is valid during the call only. It runs on the loops' threads, so it must be quick, and with
	// several threads safe for concurrent use.
	Check func(i, status int, body []byte) error
	// OnAnswer, if set, is told of every answer, after Check. It runs on the loops' threads, so it must be quick, and with
	// several threads safe for concurrent use; [Answer.Loop] tells them apart.
	OnAnswer func(Answer)
	// Header is the name, in lower case, of the header of which OnAnswer is given the value; "" gives none.
	Header string
	// Prepare, if set, is given every new socket before it connects, to set its options or to bind it; an error other
	// than 0 ends the request. Source addresses are then its business alone. It runs on the loops' threads, with TLS on
	// any goroutine.
	Prepare func(fd int) unix.Errno
	// OnRead, if set, is given all that a client reads; first says that it begins an answer. b is valid during the call
	// only. It runs on the loops' threads.
	OnRead func(client int, first bool, b []byte)
	// OnFailure, if set, is told of every request that ends without an answer; true ends the run, as ctx does. It runs
	// on the loops' threads, so it must be quick, and with several threads safe for concurrent use.
	OnFailure func(Failure) (stop bool)
	// MostRefused ends the run, as ctx does, when a loop had more requests than that refused and none answered; 0 means never.
	MostRefused int
	// OnStart, if set, is told the moment from which the times of the run count, once, just before the first request; it
	// must be quick.
	OnStart func(origin time.Time)
	// OnEnd, if set, is called once when the clients of the run have ended, before crowds and idle connections are hung up.
	OnEnd func()
	// Progress, if set, is told the number of ended requests, at most ten times a second, from a goroutine of its own;
	// the last call is made before Run returns.
	Progress func(done int)
}

// Validate says all that is wrong with the configuration, or nil.
func (c Config) Validate() error {
	var all []error
	complain := func(bad bool, format string, args ...any) {
		if bad {
			all = append(all, fmt.Errorf(format, args...))
		}
	}
	complain(!c.Addr.IsValid() || c.Addr.Port() == 0, "address %q is no IP address with a port", c.Addr)
	complain(c.Source == nil, "no source of requests")
	complain(c.Requests < 0, "number of requests %d is below 0", c.Requests)
	complain(c.Duration < 0, "duration %s is below 0", c.Duration)
	complain(c.Duration > MaxDuration, "duration %s is above %s", c.Duration, MaxDuration)
	complain(c.Requests == 0 && c.Duration == 0 && !c.ends(), "neither a number of requests nor a duration is given")
	complain(c.MostRefused < 0, "number of refused requests %d is below 0", c.MostRefused)
	complain(c.Grace < 0, "grace %s is below 0", c.Grace)
	complain(c.Grace > MaxDuration, "grace %s is above %s", c.Grace, MaxDuration)
	complain(c.Arrivals == nil && c.Clients < 1, "number of clients %d is below 1", c.Clients)
	complain(c.Timeout < 0 || c.Timeout > MaxTimeout, "timeout %s is not in 0 to %s", c.Timeout, MaxTimeout)
	complain(c.Threads < 0 || c.Threads > MaxThreads, "number of threads %d is not in 0 to %d", c.Threads, MaxThreads)
	complain(c.Header != strings.ToLower(c.Header), "header %q is not in lower case", c.Header)
	return errors.Join(append(all, c.validateShape()...)...)
}

// ends says whether the plan of an open loop has an end.
func (c Config) ends() bool { return c.Arrivals != nil && c.Arrivals.Plan.Length() > 0 }

// validateShape says what is wrong with the arrivals and the use of connections.
func (c Config) validateShape() (all []error) {
	complain := func(bad bool, format string, args ...any) {
		if bad {
			all = append(all, fmt.Errorf(format, args...))
		}
	}
	complain(c.Think < 0, "think time %s is below 0", c.Think)
	complain(c.Think > MaxDuration, "think time %s is above %s", c.Think, MaxDuration)
	complain(c.MaxInFlight < 0, "bound of the requests in flight %d is below 0", c.MaxInFlight)
	complain(c.PerConnection < 0, "requests per connection %d is below 0", c.PerConnection)
	complain(c.PerConnection > 0 && !c.KeepAlive, "a number of requests per connection needs kept connections")
	complain(c.Pipeline < 0 || c.Pipeline > MaxPipeline, "pipeline of %d is not in 0 to %d", c.Pipeline, MaxPipeline)
	complain(c.Pipeline > 1 && !c.KeepAlive, "a pipeline needs kept connections")
	complain(c.Idle < 0, "number of idle connections %d is below 0", c.Idle)
	complain(c.TLS != nil && len(c.Crowds) > 0, "crowds speak no TLS")
	for _, g := range c.Crowds {
		if err := g.validate(); err != nil {
			all = append(all, err)
		}
	}
	if c.Arrivals == nil {
		complain(c.MaxInFlight > 0, "a closed loop has a request in flight per client: a bound has no meaning")
		return all
	}
	complain(c.Clients > 0, "an open loop has no clients")
	complain(c.Pipeline > 1, "a pipeline needs the clients of a closed loop")
	complain(c.Think > 0 && c.PerConnection == 0, "think time in an open loop needs sessions")
	complain(c.MaxInFlight > 0 && c.MaxInFlight < c.Threads, "bound of the requests in flight %d is below the %d threads",
		c.MaxInFlight, c.Threads)
	if err := c.Arrivals.Plan.Validate(); err != nil {
		all = append(all, err)
	}
	return all
}

// withDefaults returns the configuration with every zero replaced by what it means.
func (c Config) withDefaults() Config {
	if c.Requests > 0 {
		c.Clients = min(c.Clients, c.Requests)
	}
	if c.Arrivals != nil && c.PerConnection == 1 {
		c.KeepAlive, c.PerConnection = false, 0
	}
	if c.Timeout == 0 {
		c.Timeout = DefaultTimeout
	}
	if c.Grace == 0 {
		c.Grace = c.Timeout
	}
	c.Threads, c.Pipeline = max(c.Threads, 1), max(c.Pipeline, 1)
	if c.Arrivals == nil {
		c.Threads = min(c.Threads, c.Clients)
	} else if end := c.Arrivals.Plan.Length(); end > 0 && (c.Duration == 0 || end < c.Duration) {
		c.Duration = end
	}
	if c.MaxSamples == 0 {
		c.MaxSamples = DefaultMaxSamples
	}
	if c.Requests > c.MaxSamples && c.Duration == 0 {
		c.MaxSamples = 0
	}
	return c
}

// Resolve turns "host:port" into an address, asking the resolver when the host is a name; of several addresses it
// returns the first.
func Resolve(ctx context.Context, hostport string) (netip.AddrPort, error) {
	if a, err := netip.ParseAddrPort(hostport); err == nil {
		return a, nil
	}
	host, service, err := net.SplitHostPort(hostport)
	if err != nil {
		return netip.AddrPort{}, fmt.Errorf("read address %q: %w", hostport, err)
	}
	port, err := net.DefaultResolver.LookupPort(ctx, "tcp", service)
	if err != nil {
		return netip.AddrPort{}, fmt.Errorf("read port of %q: %w", hostport, err)
	}
	ips, err := net.DefaultResolver.LookupNetIP(ctx, "ip", host)
	if err != nil {
		return netip.AddrPort{}, fmt.Errorf("resolve %q: %w", hostport, err)
	}
	return netip.AddrPortFrom(ips[0].Unmap(), uint16(port)), nil
}
