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
	contract.Run(t, contract.Server{Path: "/v1/async", Label: "loop", Parallel: true, Start: starting(MistakeNone)})
}

func TestMistakesTakeNoUnaskedAnswer(t *testing.T) {
	for _, mistake := range []string{MistakeBlock, MistakeUnbounded} {
		t.Run(mistake, func(t *testing.T) {
			contract.RunUnasked(t, contract.Server{Path: "/v1/async", Label: "loop", Start: starting(mistake)})
		})
	}
}

func starting(mistake string) func(*testing.T, config.Server) contract.Instance {
	return func(t *testing.T, shared config.Server) contract.Instance {
		return startForContract(t, shared, mistake)
	}
}

func startForContract(t *testing.T, shared config.Server, mistake string) contract.Instance {
	var c Config
	c.Bind(pflag.NewFlagSet(name, pflag.PanicOnError))
	c.Server = shared
	c.Loops, c.Mistake = 2, mistake
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

func TestStatsKeys(t *testing.T) {
	s := serve(t, newWorld(t).newConfig(t)).server
	contract.SnakeCase(t, s.stats())
}

func TestComposeHasTheDefaults(t *testing.T) { contract.Compose(t, "../..", newCommand().Flags()) }
