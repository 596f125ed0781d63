package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"

	"github.com/spf13/cobra"

	"poolvsloop/internal/audit"
	"poolvsloop/internal/compare"
	"poolvsloop/internal/config"
	"poolvsloop/internal/program"
)

// longestText is how many bytes of a file are audited: longer ones are no reports.
const longestText = 8 << 20

// auditCommand holds published results against their own arithmetic.
func auditCommand() *cobra.Command {
	var format string
	cmd := &cobra.Command{
		Use:   "audit FILE...",
		Short: "Say what the arithmetic of published results refutes",
		Long: "Reads reports of ab and of wrk and summary tables of JMeter (Markdown, CSV or plain), also inside longer texts, and\n" +
			"says which figures contradict each other, by which law and by how much; - is the standard input. docs/audit.md lists\n" +
			"the laws. The exit code is 0 when nothing was found, 1 when something was, and 2 when a file has nothing to audit.",
		Args: cobra.MinimumNArgs(1),
	}
	cmd.Flags().StringVar(&format, "format", compare.Text, "what is printed: text, markdown or json")
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		if err := config.OneOf("format", format, compare.Text, compare.JSON, compare.Markdown); err != nil {
			return program.Usage(err)
		}
		all, err := readTexts(cmd.Context(), cmd.InOrStdin(), args)
		if errors.Is(err, context.Canceled) {
			return err
		}
		if err != nil {
			return program.Usage(err)
		}
		text, err := printAudit(all, format)
		if err != nil {
			return err
		}
		if err := show(cmd.OutOrStdout(), text); err != nil {
			return err
		}
		return judgement(all)
	}
	return cmd
}

// readTexts audits each file.
func readTexts(ctx context.Context, stdin io.Reader, files []string) ([]*audit.Document, error) {
	all := make([]*audit.Document, 0, len(files))
	for _, file := range files {
		text, err := readUnlessInterrupted(ctx, stdin, file)
		if err != nil {
			return nil, err
		}
		all = append(all, audit.Read(file, text))
	}
	return all, nil
}

// readUnlessInterrupted is readText, given up when ctx ends: a terminal or a pipe may have nothing to read for ever. What
// reads then goes on until there is something, or the program ends.
func readUnlessInterrupted(ctx context.Context, stdin io.Reader, file string) (string, error) {
	type read struct {
		text string
		err  error
	}
	done := make(chan read, 1)
	go func() {
		text, err := readText(stdin, file)
		done <- read{text, err}
	}()
	select {
	case r := <-done:
		return r.text, r.err
	case <-ctx.Done():
		return "", fmt.Errorf("read what to audit: %s: interrupted: %w", file, ctx.Err())
	}
}

func readText(stdin io.Reader, file string) (string, error) {
	in := stdin
	if file != "-" {
		f, err := os.Open(file)
		if err != nil {
			return "", fmt.Errorf("read what to audit: %w", err)
		}
		defer f.Close()
		in = f
	}
	text, err := io.ReadAll(io.LimitReader(in, longestText+1))
	if err != nil {
		return "", fmt.Errorf("read what to audit: %w", err)
	}
	if len(text) > longestText {
		return "", fmt.Errorf("audit %s: longer than %d MiB: give only the part with the results", file, longestText>>20)
	}
	return string(text), nil
}

func printAudit(all []*audit.Document, format string) (string, error) {
	switch format {
	case compare.JSON:
		return audit.JSON(all)
	case compare.Markdown:
		return audit.Markdown(all), nil
	}
	return audit.Text(all), nil
}

// judgement is the error of the exit code.
func judgement(all []*audit.Document) error {
	var nothing []error
	code := program.ExitDone
	for _, d := range all {
		if !d.Recognised() {
			nothing = append(nothing, fmt.Errorf("audit %s: no report of ab or wrk, no table of JMeter, and no caption of a load test in it; figures in pictures and in sentences are not read", d.File))
		}
		if len(d.Findings) > 0 {
			code = program.ExitFailed
		}
	}
	if len(nothing) > 0 {
		return program.Usage(errors.Join(nothing...))
	}
	return program.Code(code)
}
