package main

import (
	"fmt"
	"runtime/debug"

	"github.com/spf13/cobra"
)

// versionCommand says what this program was built from.
func versionCommand() *cobra.Command {
	return &cobra.Command{
		Use:   "version",
		Short: "Print the version of this program",
		Args:  cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			_, err := fmt.Fprintln(cmd.OutOrStdout(), version(debug.ReadBuildInfo()))
			return err
		},
	}
}

// version is one line: module version, revision when known, Go.
func version(info *debug.BuildInfo, ok bool) string {
	if !ok {
		return "loadrunner, built without module information"
	}
	revision := ""
	for _, s := range info.Settings {
		if s.Key == "vcs.revision" {
			revision = ", revision " + s.Value
		}
	}
	return fmt.Sprintf("loadrunner %s%s, %s", info.Main.Version, revision, info.GoVersion)
}
