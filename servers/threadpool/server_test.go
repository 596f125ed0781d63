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

func TestContract(t *testing.T) {
	for _, stack := range stackKinds {
		everyKind(t, func(t *testing.T, mode func(*Config)) {
			t.Run(stack, func(t *testing.T) {
				contract.Run(t, contract.Server{
					Path: orderPath, Label: serverName,
					Start: func(t *testing.T, shared config.Server) contract.Instance {
						return startForContract(t, shared, mode, func(c *Config) { c.Stack = stack })
					},
				})
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
