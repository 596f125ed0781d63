// Package contract is the test suite that every server of the lab must pass, whatever its concurrency model: routing,
// error answers, connections, limits, timeouts, drain, failing downstreams, closed books. A server's own package calls
// [Run] from a test; the suite brings downstreams, cache and clients.
//
// Cases talk raw TCP, run side by side, and wait for conditions: a time is never asserted from above, but for bounds
// of many seconds that tell "never" from "late".
package contract

import (
	"context"
	"io"
	"testing"
	"time"

	"github.com/spf13/pflag"
	"github.com/stretchr/testify/require"

	"poolvsloop/internal/config"
	"poolvsloop/internal/meter"
)

// Server is a server under test.
type Server struct {
	// Path is the route of the order handler, Label the value of "server" in its answers.
	Path, Label string
	// Parallel says that pipelined requests run side by side. They are answered in order either way.
	Parallel bool
	// Library says that a client library makes the calls, which can't tell a malformed answer from a broken connection.
	Library bool
	// Start runs a server in this process with those settings; Addr is 127.0.0.1:0 and the admin port is off. Settings
	// of the model are up to Start; they must let 200 requests be in service or wait. It fails the test when it can't.
	Start func(t *testing.T, c config.Server) Instance
}

// Instance is a running server.
type Instance struct {
	// Addr is the bound address.
	Addr string
	// Stop drains as SIGTERM does, and returns when the server is gone: nil when it ended in order. ctx bounds it.
	Stop func(ctx context.Context) error
	// Counts is a snapshot of the server's counters.
	Counts func() meter.Counts
}

// patience bounds every wait for something that must happen.
const patience = 10 * time.Second

// Run tests s with the whole suite.
func Run(t *testing.T, s Server) {
	before := takeBaseline(t)
	t.Run("cases", func(t *testing.T) {
		for _, group := range [][]testCase{
			routingCases, orderCases, connectionCases, pipelineCases, limitCases, timeoutCases,
			capacityCases, drainCases, failureCases, unaskedCases, unsentCases, cacheCases, bookCases, garbageCases,
		} {
			for _, c := range group {
				t.Run(c.name, func(t *testing.T) {
					t.Parallel()
					c.run(t, s)
				})
			}
		}
	})
	t.Run("big answers: their memory is let go", func(t *testing.T) { letsGoOfMemory(t, s) })
	before.mustBeBack(t)
}

// RunUnasked tests only that nobody is served with what a dependency said unasked, for servers that are wrong on purpose
// in how they wait.
func RunUnasked(t *testing.T, s Server) {
	for _, c := range unaskedCases {
		t.Run(c.name, func(t *testing.T) { c.run(t, s) })
	}
}

// testCase is one case of the suite. It starts the world it needs.
type testCase struct {
	name string
	run  func(t *testing.T, s Server)
}

// world is a server with all that it depends on. A, B and the cache answer well until a case says otherwise.
type world struct {
	Instance
	server  Server
	config  config.Server
	a, b    *downstream
	cache   *cache
	stopped bool
}

// newWorld starts everything; change, if not nil, adapts the settings of the server. When the test ends the server must
// drain in order, with nothing in service.
func newWorld(t *testing.T, s Server, change func(*config.Server)) *world {
	t.Helper()
	w := &world{server: s, a: newDownstream(t, customer), b: newDownstream(t, quote), cache: newCache(t)}
	w.config = config.Server{Process: config.Process{Addr: "127.0.0.1:0"}}
	w.config.Bind(pflag.NewFlagSet("contract", pflag.PanicOnError))
	w.config.LogLevel = "error"
	w.config.DownstreamA, w.config.DownstreamB, w.config.Redis = w.a.url(), w.b.url(), w.cache.addr()
	// Cases about late calls set their own; elsewhere a busy machine must not make a call late.
	w.config.DownstreamTimeout, w.config.CacheTimeout = patience, patience
	w.config.Drain = patience
	// No wait that a case does not set ends within the patience of a client, so that one is not taken for another.
	for _, d := range []*time.Duration{
		&w.config.HeaderTimeout, &w.config.BodyTimeout, &w.config.WriteTimeout, &w.config.IdleTimeout,
	} {
		*d = 10 * patience
	}
	if change != nil {
		change(&w.config)
	}
	require.NoError(t, w.config.Validate())
	w.Instance = s.Start(t, w.config)
	t.Cleanup(func() { w.end(t) })
	return w
}

// end drains the server once, if the case did not.
func (w *world) end(t *testing.T) {
	if w.stopped {
		return
	}
	w.stopped = true
	w.a.release()
	w.b.release()
	ctx, cancel := context.WithTimeout(context.Background(), 2*patience)
	defer cancel()
	require.NoError(t, w.Stop(ctx), "drain")
	require.Zero(t, w.Counts().InFlight, "in service after the end")
	eventually(t, func() bool {
		return w.a.connections()+w.b.connections()+w.cache.server.CurrentConnectionCount() == 0
	}, "a server that ended has closed its connections to A, B and the cache")
}

// eventually waits until the condition holds. It asks on the test's goroutine, so that the condition may fail the test.
func eventually(t *testing.T, condition func() bool, what string, args ...any) {
	t.Helper()
	require.True(t, holdsInTime(condition), append([]any{what}, args...)...)
}

func holdsInTime(condition func() bool) bool {
	for deadline := time.Now().Add(patience); ; time.Sleep(2 * time.Millisecond) {
		if condition() {
			return true
		}
		if time.Now().After(deadline) {
			return false
		}
	}
}

// counted waits until the server's counters are as they must be: it counts an answer after it was sent.
func (w *world) counted(t *testing.T, what string, are func(meter.Counts) bool) {
	t.Helper()
	if !holdsInTime(func() bool { return are(w.Counts()) }) {
		require.Fail(t, "not counted as it must be", "%s: %+v", what, w.Counts())
	}
}

// isTimeout says that a read ended at its deadline.
func isTimeout(err error) bool {
	timeout, ok := err.(interface{ Timeout() bool })
	return ok && timeout.Timeout()
}

// drop closes what a test has no more use for; its error says nothing about the server.
func drop(c io.Closer) { _ = c.Close() }
