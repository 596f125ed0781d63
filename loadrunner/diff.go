package main

import (
	"github.com/spf13/cobra"

	"poolvsloop/internal/compare"
	"poolvsloop/internal/config"
	"poolvsloop/internal/diff"
	"poolvsloop/internal/program"
	"poolvsloop/internal/report"
	"poolvsloop/internal/results"
)

// diffCommand compares two runs from their results folders.
func diffCommand() *cobra.Command {
	var format string
	cmd := &cobra.Command{
		Use:   "diff FIRST SECOND",
		Short: "Compare two runs, server by server, from their results folders",
		Long: "Reads both run.json and compares, for each server, the rounds of the first run with those of the second one.\n" +
			"It lists what differs in configuration, environment and versions. The exit code is 1 when a run is not valid,\n" +
			"or when a round is not the same work in both: then no figure says anything.",
		Args: cobra.ExactArgs(2),
	}
	cmd.Flags().StringVar(&format, "format", compare.Text, "what is printed: text, markdown or json")
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		if err := config.OneOf("format", format, compare.Text, compare.JSON, compare.Markdown); err != nil {
			return program.Usage(err)
		}
		d, err := readDiff(args[0], args[1])
		if err != nil {
			return err
		}
		text, err := printDiff(d, format)
		if err != nil {
			return err
		}
		return show(cmd.OutOrStdout(), text)
	}
	return cmd
}

func readDiff(firstDir, secondDir string) (*diff.Diff, error) {
	first, err := results.Load(firstDir)
	if err != nil {
		return nil, err
	}
	second, err := results.Load(secondDir)
	if err != nil {
		return nil, err
	}
	return diff.Of(first, second)
}

func printDiff(d *diff.Diff, format string) (string, error) {
	switch format {
	case compare.JSON:
		return indented(d)
	case compare.Markdown:
		return report.DiffMarkdown(d), nil
	}
	return report.Diff(d), nil
}
