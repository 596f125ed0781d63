package main

import (
	"fmt"
	"io"

	"github.com/spf13/cobra"

	"poolvsloop/internal/compare"
	"poolvsloop/internal/config"
	"poolvsloop/internal/program"
	"poolvsloop/internal/results"
)

// reportCommand prints a run again from its results folder.
func reportCommand() *cobra.Command {
	var format string
	cmd := &cobra.Command{
		Use:   "report DIR",
		Short: "Print a run again from its results folder",
		Long: "Reads DIR/run.json and prints what the run printed. Nothing is measured and nothing is written. The exit code\n" +
			"is 1 when there is nothing to read, and 0 for a run that is not valid, too: the report says so.",
		Args: cobra.ExactArgs(1),
	}
	cmd.Flags().StringVar(&format, "format", compare.Text, "what is printed: text, markdown or json (run.json)")
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		if err := config.OneOf("format", format, compare.Text, compare.JSON, compare.Markdown); err != nil {
			return program.Usage(err)
		}
		run, err := results.Load(args[0])
		if err != nil {
			return err
		}
		text, err := compare.Print(run, format)
		if err != nil {
			return err
		}
		if _, err := io.WriteString(cmd.OutOrStdout(), text); err != nil {
			return fmt.Errorf("print the report: %w", err)
		}
		return nil
	}
	return cmd
}
