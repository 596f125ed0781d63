package lab

import (
	"context"
	"encoding/json"
	"fmt"
	"net"
	"net/http"
	"os"
	"os/signal"
	"path/filepath"
	"slices"
	"syscall"
	"testing"
	"time"

	"github.com/rs/zerolog"
	"github.com/stretchr/testify/require"
	"go.uber.org/goleak"

	"poolvsloop/internal/cache"
	"poolvsloop/internal/procstat"
	"poolvsloop/internal/program"
)

// TestMain makes this executable all programs of a lab: which one, its name says, or its first argument.
func TestMain(m *testing.M) {
	switch {
	case slices.Contains(fakes, filepath.Base(os.Args[0])):
		os.Exit(fakeProgram(os.Args[1:]))
	case len(os.Args) > 1 && os.Args[1] == "cache":
		os.Exit(fakeRunnerCache())
	}
	goleak.VerifyTestMain(m)
}

var fakes = []string{"threadpool", "eventloop", downstreamProgram}

// fakePrograms is a directory with the programs of a lab and a runner, all of them this executable.
func fakePrograms(t *testing.T) string {
	t.Helper()
	dir := t.TempDir()
	self, err := os.Executable()
	require.NoError(t, err)
	for _, name := range append([]string{"runner"}, fakes...) {
		require.NoError(t, os.Symlink(self, filepath.Join(dir, name)))
	}
	return dir
}

// embedded is a lab of fakes.
func embedded(t *testing.T) Embedded {
	t.Helper()
	t.Setenv("TMPDIR", t.TempDir())
	t.Setenv("GORACE", "atexit_sleep_ms=0") // the race detector's programs take a second to exit
	return Embedded{
		Servers:  []Program{{Name: "threadpool"}, {Name: "eventloop"}},
		Redis:    Miniredis,
		Programs: fakePrograms(t),
		Drain:    5 * time.Second,
	}
}

// start starts a lab that the test ends with.
func start(t *testing.T, e Embedded) *Lab {
	t.Helper()
	l, err := Start(context.Background(), e)
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, l.Stop(context.Background())) })
	return l
}

// startBreakable starts a lab that the test breaks: when it ends, Stop must know the child that did.
func startBreakable(t *testing.T, e Embedded, how string) *Lab {
	t.Helper()
	l, err := Start(context.Background(), e)
	require.NoError(t, err)
	t.Cleanup(func() { require.ErrorContains(t, l.Stop(context.Background()), how) })
	return l
}

func fakeRunnerCache() int {
	ctx, stop := signal.NotifyContext(context.Background(), syscall.SIGTERM)
	defer stop()
	log := zerolog.New(os.Stderr)
	if err := cache.Run(ctx, "127.0.0.1:0", func(a net.Addr) { program.Announce(log, a, nil) }); err != nil {
		log.Error().Err(err).Msg("failed")
		return 1
	}
	return 0
}

// fakeProgram stands for any program of a lab. The flag --fake makes it misbehave.
func fakeProgram(args []string) int {
	log := zerolog.New(os.Stderr)
	log.Info().Strs("args", args).Msg("started")
	switch argument(args, "--fake") {
	case "fail":
		log.Error().Msg("the port is haunted")
		return 3
	case "silent":
		select {}
	}
	ctx, stop := signal.NotifyContext(context.Background(), syscall.SIGTERM)
	defer stop()
	if argument(args, "--fake") == "deaf" {
		stop()
		signal.Ignore(syscall.SIGTERM)
	}
	addr, admin := serveFake(fakePages(args)), serveFake(fakePages(args))
	program.Announce(log, addr, admin)
	if argument(args, "--fake") == "deaf" {
		select {}
	}
	<-ctx.Done()
	if argument(args, "--fake") == "bad-end" {
		log.Error().Msg("lost my keys")
		return 4
	}
	return 0
}

func argument(args []string, name string) string {
	if i := slices.Index(args, name); i >= 0 && i+1 < len(args) {
		return args[i+1]
	}
	return ""
}

func serveFake(pages http.Handler) net.Addr {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		panic(err)
	}
	go func() { panic(http.Serve(l, pages)) }()
	return l.Addr()
}

func fakePages(args []string) http.Handler {
	answer := func(w http.ResponseWriter, value any) {
		if err := json.NewEncoder(w).Encode(value); err != nil {
			panic(err)
		}
	}
	mux := http.NewServeMux()
	mux.HandleFunc("GET /healthz", func(w http.ResponseWriter, _ *http.Request) {
		if argument(args, "--fake") == "sick" {
			fmt.Fprintln(os.Stderr, "unwell")
			http.Error(w, "no stomach for it", http.StatusServiceUnavailable)
		}
	})
	mux.HandleFunc("GET /config", func(w http.ResponseWriter, _ *http.Request) { answer(w, map[string]any{"args": args}) })
	mux.HandleFunc("GET /stats", func(w http.ResponseWriter, _ *http.Request) {
		usage, err := procstat.Self()
		if err != nil {
			panic(err)
		}
		answer(w, map[string]any{"process": usage})
	})
	mux.HandleFunc("GET /ledger", func(w http.ResponseWriter, _ *http.Request) {
		answer(w, map[string]any{"calls": 5, "late": true, "overshoot_ms": map[string]any{"p99": 1.5}})
	})
	mux.HandleFunc("POST /reset", func(w http.ResponseWriter, _ *http.Request) { fmt.Fprintln(w, "{}") })
	mux.HandleFunc("GET /die", func(http.ResponseWriter, *http.Request) {
		fmt.Fprintln(os.Stderr, "fell over the cable")
		os.Exit(7)
	})
	return mux
}
