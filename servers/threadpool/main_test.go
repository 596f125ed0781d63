package main

import (
	"context"
	"flag"
	"io"
	"net"
	"os"
	"testing"
	"time"

	"github.com/rs/zerolog"
	"github.com/spf13/pflag"
	"github.com/stretchr/testify/require"
	"go.uber.org/goleak"

	"poolvsloop/internal/config"
	"poolvsloop/internal/program"
)

// asProgram in the environment makes the test binary the program itself, for tests that need it as a process of its own.
const asProgram = "TEST_AS_PROGRAM"

func TestMain(m *testing.M) {
	if os.Getenv(asProgram) != "" {
		program.Main(newCommand())
	}
	// The cases of the contract wait most of the time: more of them than CPUs run side by side.
	if err := flag.Set("test.parallel", "8"); err != nil {
		panic(err)
	}
	goleak.VerifyTestMain(m,
		// fasthttp's clock of Date lines never ends.
		goleak.IgnoreAnyFunction("github.com/valyala/fasthttp.updateServerDate.func1"),
		// Its server, behind the admin port, looks once more for workers to end after it was shut down.
		goleak.IgnoreAnyFunction("github.com/valyala/fasthttp.(*workerPool).Start.func2"),
		// Its client looks after its connections until it has none, and then sleeps once more.
		goleak.IgnoreAnyFunction("github.com/valyala/fasthttp.(*HostClient).connsCleaner"),
	)
}

// testConfig is the default configuration on a free port, changed by each of the functions.
func testConfig(change ...func(*Config)) Config {
	var c Config
	c.Bind(pflag.NewFlagSet("test", pflag.ContinueOnError))
	c.Addr, c.Admin, c.Drain = "127.0.0.1:0", "", 5*time.Second
	for _, do := range change {
		do(&c)
	}
	return c
}

// running is a server under test.
type running struct {
	*server
	t    testing.TB
	stop context.CancelFunc
	done chan error
}

// start runs a server until the end of the test. A nil stacks leaves its own in place.
func start(t testing.TB, c Config, made stacks) *running {
	t.Helper()
	require.NoError(t, c.Validate())
	s, err := newServer(c, nil, zerolog.New(io.Discard))
	require.NoError(t, err)
	if made != nil {
		s.stacks = made
	}
	ctx, stop := context.WithCancel(context.Background())
	r := &running{server: s, t: t, stop: stop, done: make(chan error, 1)}
	go func() { r.done <- s.run(ctx) }()
	t.Cleanup(func() {
		if g, ok := made.(*gate); ok {
			g.open()
		}
		require.NoError(t, r.end())
	})
	return r
}

// end stops the server, if it still runs, and returns what it returned.
func (r *running) end() error {
	r.stop()
	err := <-r.done
	r.done <- err
	return err
}

func (r *running) address() string { return r.listener.Addr().String() }

// eventually waits until a condition holds.
func eventually(t testing.TB, holds func() bool, what string) {
	t.Helper()
	require.Eventually(t, holds, 10*time.Second, time.Millisecond, what)
}

// dial connects to a server under test.
func (r *running) dial() *client {
	r.t.Helper()
	socket, err := net.Dial("tcp", r.address())
	require.NoError(r.t, err)
	r.t.Cleanup(func() { socket.Close() })
	return newClient(r.t, socket.(*net.TCPConn))
}

// modes runs a test with both kinds of workers.
func modes(t *testing.T, run func(t *testing.T, mode func(*Config))) {
	for _, worker := range workerKinds {
		t.Run(worker, func(t *testing.T) { run(t, func(c *Config) { c.Worker = worker }) })
	}
}

// everyKind runs a test with both kinds of workers and both kinds of dispatch.
func everyKind(t *testing.T, run func(t *testing.T, mode func(*Config))) {
	for _, worker := range workerKinds {
		for _, dispatch := range dispatches {
			t.Run(worker+"/"+dispatch, func(t *testing.T) {
				run(t, func(c *Config) { c.Worker, c.Dispatch = worker, dispatch })
			})
		}
	}
}

func TestFlagsAreKnown(t *testing.T) {
	newCommand().Flags().VisitAll(func(f *pflag.Flag) {
		require.Contains(t, config.Variables(), config.Variable(f.Name), "add it to the known flags")
	})
}
