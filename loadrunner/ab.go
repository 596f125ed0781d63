package main

import (
	"github.com/spf13/cobra"

	"poolvsloop/internal/ab"
	"poolvsloop/internal/program"
)

// abCommand is ApacheBench, called by that name: its own command line, messages and exit codes.
func abCommand(name string) *cobra.Command {
	return &cobra.Command{
		Use:   "ab [options] [http[s]://]hostname[:port]/path",
		Short: "Measure one target with ab's command line and report (-h for its options)",
		Long: "Takes the options of ApacheBench 2.3 and prints its report; docs/ab.md lists where they differ.\n" +
			"A link to loadrunner that is called ab is this command.",
		DisableFlagParsing: true,
		RunE: func(cmd *cobra.Command, words []string) error {
			if err := program.RaiseDescriptors(); err != nil {
				return err
			}
			return program.Code(ab.Run(cmd.Context(), name, words, cmd.OutOrStdout(), cmd.ErrOrStderr()))
		},
	}
}
