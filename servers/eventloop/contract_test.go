package main

import (
	"context"
	"testing"

	"github.com/rs/zerolog"
	"github.com/spf13/pflag"
	"github.com/stretchr/testify/require"

	"poolvsloop/internal/config"
	"poolvsloop/internal/contract"
)

func TestContract(t *testing.T) {
	contract.Run(t, contract.Server{Path: "/v1/async", Label: "loop", Parallel: true, Start: startForContract})
}

func startForContract(t *testing.T, shared config.Server) contract.Instance {
	var c Config
	c.Bind(pflag.NewFlagSet(name, pflag.PanicOnError))
	c.Server = shared
	c.Loops = 2
	require.NoError(t, c.Validate())
	s, err := newServer(c, nil, zerolog.New(zerolog.NewTestWriter(t)).Level(zerolog.WarnLevel))
	require.NoError(t, err)
	ctx, cancel := context.WithCancel(context.Background())
	ended := make(chan error, 1)
	go func() { ended <- s.run(ctx) }()
	return contract.Instance{
		Addr:   s.listener.Addr().String(),
		Counts: s.meter.Counts,
		Stop: func(stopping context.Context) error {
			cancel()
			select {
			case err := <-ended:
				return err
			case <-stopping.Done():
				return stopping.Err()
			}
		},
	}
}
