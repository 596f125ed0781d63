package main

import (
	"io"
	"os"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"poolvsloop/internal/compare"
	"poolvsloop/internal/program"
	"poolvsloop/internal/results"
)

// compareCommand measures both servers side by side.
func compareCommand() *cobra.Command {
	var c results.Config
	cmd := &cobra.Command{
		Use:   "compare",
		Short: "Measure the thread pool and the event loop side by side and compare them",
		Long: "Starts both servers, the downstreams and a cache (or attaches to a lab that is up), checks that both\n" +
			"servers answer alike, measures them in interleaved rounds, prints an ab-style report for each and the\n" +
			"comparison, and writes all of it to a folder under --results. The exit code is 1 when the result is not valid.",
	}
	cmd.Args = joinEvents(&c.At, new([]string), cobra.NoArgs)
	compare.Bind(cmd.Flags(), &c)
	cmd.RunE = func(cmd *cobra.Command, _ []string) error {
		if err := compare.Resolve(cmd.Flags(), &c); err != nil {
			return program.Usage(err)
		}
		if err := program.RaiseDescriptors(); err != nil {
			return err
		}
		return compare.Run(cmd.Context(), c, commandLine(), cmd.OutOrStdout(), progressOn(cmd.ErrOrStderr(), c))
	}
	return cmd
}

// commandLine is what was called, as it can be called again.
func commandLine() []string { return append(called(os.Args[0]), os.Args[1:]...) }

// called is how the program at that path was called: go run builds it in its cache, or in a folder go-build….
func called(path string) []string {
	if strings.Contains(filepath.ToSlash(path), "/go-build") {
		return []string{"go", "run", "./loadrunner"}
	}
	return []string{path}
}

// progressOn returns the display of progress: a bar on a terminal, lines elsewhere, nothing when it has to be quiet.
func progressOn(w io.Writer, c results.Config) compare.Progress {
	if c.Quiet {
		return compare.Lines{Out: io.Discard, Rounds: c.Rounds}
	}
	if program.IsTerminal(w) {
		return compare.NewBar(w, c.Rounds, c.Requests)
	}
	return compare.Lines{Out: w, Rounds: c.Rounds}
}
