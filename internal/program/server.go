package program

import (
	"context"

	"github.com/rs/zerolog"
	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"poolvsloop/internal/config"
)

// Settings is the configuration of a program that listens.
type Settings interface {
	// Bind declares the flags.
	Bind(flags *pflag.FlagSet)
	// Validate returns all that is wrong with them.
	Validate() error
	// Common is what every program that listens has.
	Common() *config.Process
}

// Server is the command of a server: it takes flags only, checks them, and runs until the context of run ends. flags are
// the resolved ones by name.
func Server(
	name, short string, c Settings, run func(ctx context.Context, flags map[string]string, log zerolog.Logger) error,
) *cobra.Command {
	command := &cobra.Command{
		Use: name, Short: short, Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			if err := c.Validate(); err != nil {
				return Usage(err)
			}
			log, err := Logger(*c.Common(), name, cmd.ErrOrStderr())
			if err != nil {
				return Usage(err)
			}
			return run(cmd.Context(), config.Values(cmd.Flags()), log)
		},
	}
	c.Bind(command.Flags())
	return command
}
