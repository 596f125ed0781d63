package main

import (
	"context"
	"io"
	"testing"

	"github.com/rs/zerolog"
	"github.com/stretchr/testify/require"

	"poolvsloop/internal/config"
	"poolvsloop/internal/contract"
)

// TestContract runs the suite that every server must pass, on settings that cover each pair of kinds of worker,
// dispatch and stack.
func TestContract(t *testing.T) {
	for _, kind := range []struct{ worker, dispatch, stack string }{
		{WorkerThread, DispatchRequest, StackWire},
		{WorkerGoroutine, DispatchConnection, StackWire},
		{WorkerThread, DispatchConnection, StackFiber},
		{WorkerGoroutine, DispatchRequest, StackFiber},
	} {
		t.Run(kind.worker+","+kind.dispatch+","+kind.stack, func(t *testing.T) {
			contract.Run(t, contract.Server{
				Path: orderPath, Label: serverName, Library: kind.stack == StackFiber,
				Start: func(t *testing.T, shared config.Server) contract.Instance {
					return startForContract(t, shared, func(c *Config) {
						c.Worker, c.Dispatch, c.Stack = kind.worker, kind.dispatch, kind.stack
					})
				},
			})
		})
	}
}

func startForContract(t *testing.T, shared config.Server, change ...func(*Config)) contract.Instance {
	c := testConfig(change...)
	c.Server = shared
	s, err := newServer(c, nil, zerolog.New(io.Discard))
	require.NoError(t, err)
	ctx, stop := context.WithCancel(context.Background())
	ended := make(chan error, 1)
	go func() { ended <- s.run(ctx) }()
	return contract.Instance{
		Addr:   s.listener.Addr().String(),
		Counts: s.meter.Counts,
		Stop: func(ctx context.Context) error {
			stop()
			select {
			case err := <-ended:
				return err
			case <-ctx.Done():
				return context.Cause(ctx)
			}
		},
	}
}

func TestStatsKeys(t *testing.T) { contract.SnakeCase(t, start(t, testConfig(), newGate(t)).stats()) }

func TestComposeHasTheDefaults(t *testing.T) { contract.Compose(t, "../..", newCommand().Flags()) }
