package main

import (
	"errors"

	"github.com/spf13/cobra"

	"poolvsloop/internal/program"
	"poolvsloop/internal/selftest"
)

// selftestCommand holds the load engine against servers with known answers.
func selftestCommand() *cobra.Command {
	return &cobra.Command{
		Use:   "selftest",
		Short: "Check the load engine against built-in servers with known answers",
		Long: "Runs the load engine against built-in servers whose behaviour is known: a starving pool, a stall, two speeds,\n" +
			"silent closes, hanging and failing ones, and prints what it found beside the truth, and its own floor and\n" +
			"ceiling on this machine. Takes less than a minute; the exit code is 1 when a check failed.",
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			if err := program.RaiseDescriptors(); err != nil {
				return err
			}
			ok, err := selftest.Run(cmd.Context(), cmd.OutOrStdout())
			if err == nil && !ok {
				err = errors.New("a check failed: figures of this generator on this machine can't be trusted")
			}
			return err
		},
	}
}
