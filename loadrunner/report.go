package main

import (
	"strings"

	"github.com/spf13/cobra"

	"poolvsloop/internal/compare"
	"poolvsloop/internal/program"
	"poolvsloop/internal/replica"
	"poolvsloop/internal/results"
	"poolvsloop/internal/sweep"
)

// reportCommand prints a run again from its results folder.
func reportCommand() *cobra.Command {
	var format, as string
	cmd := &cobra.Command{
		Use:   "report DIR",
		Short: "Print a run or a sweep again from its results folder",
		Long: "Reads DIR and prints what the run, or the sweep, printed. Nothing is measured. Nothing is written but with --format\n" +
			"html: that makes report.html and the pictures in DIR anew. The exit code is 1 when there is nothing to read, and 0\n" +
			"for a run that is not valid, too: the report says so.",
		Args: cobra.ExactArgs(1),
	}
	cmd.Flags().StringVar(&format, "format", compare.Text, "what is printed: text, markdown or json (run.json, sweep.json); or html, "+
		"which is written to DIR")
	cmd.Flags().StringVar(&as, "as", "", "of a sweep: in the columns of a published `report`, "+strings.Join(replica.Names(), ", ")+
		" (formats text, markdown, csv)")
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		if err := checkAs(as, format); err != nil {
			return program.Usage(err)
		}
		text, err := readReport(args[0], as, format)
		if err != nil {
			return err
		}
		return show(cmd.OutOrStdout(), text)
	}
	return cmd
}

// readReport is the report about a folder of a run or of a sweep, with as in the columns of a published one.
func readReport(dir, as, format string) (string, error) {
	if as != "" {
		return printAs(dir, as, format)
	}
	if sweep.Is(dir) {
		s, err := sweep.Load(dir)
		if err != nil {
			return "", err
		}
		if format == html {
			return writeSweepPage(s, dir)
		}
		return printSweep(s, format)
	}
	run, err := results.Load(dir)
	if err != nil {
		return "", err
	}
	if format == html {
		return writePage(run, dir)
	}
	return compare.Print(run, format)
}
