package main

import (
	"fmt"

	"github.com/spf13/cobra"

	"poolvsloop/internal/program"
)

// versionCommand says what this program was built from, as --version does.
func versionCommand() *cobra.Command {
	return &cobra.Command{
		Use:   "version",
		Short: "Print the version of this program",
		Args:  cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			_, err := fmt.Fprintln(cmd.OutOrStdout(), program.Version("loadrunner"))
			return err
		},
	}
}
