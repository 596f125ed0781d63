// Package program is what the main functions of the lab have in common: signals, environment variables, errors as one
// line, exit codes, logs, and the lines at start that say the effective limits.
package program

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/signal"
	"strings"
	"syscall"

	"github.com/spf13/cobra"

	"poolvsloop/internal/config"
)

// Exit codes of every program of the lab.
const (
	// ExitDone: it did what was asked, and the result is valid.
	ExitDone = 0
	// ExitFailed: it failed, or the result is not valid.
	ExitFailed = 1
	// ExitUsage: it was asked wrongly; nothing was done.
	ExitUsage = 2
)

// Main runs cmd with the process's arguments and streams, and exits with its code. SIGINT and SIGTERM cancel the
// command's context; a second one kills.
func Main(cmd *cobra.Command) {
	ctx, stop := signal.NotifyContext(context.Background(), syscall.SIGINT, syscall.SIGTERM)
	context.AfterFunc(ctx, stop)
	os.Exit(Run(ctx, cmd, os.Args[1:], os.Stdout, os.Stderr))
}

// Run runs cmd and returns the exit code. Flags that args leave out are taken from their environment variables
// ([config.Env]); a variable that looks like one of the lab's and is none gets a warning. An error is one line on stderr;
// it is of usage when it comes before the command's RunE (unknown flag, bad value, surplus argument), or when RunE returns
// one made by [Usage].
func Run(ctx context.Context, cmd *cobra.Command, args []string, stdout, stderr io.Writer) int {
	started := false
	prepare(cmd, &started)
	cmd.SilenceErrors, cmd.SilenceUsage = true, true
	cmd.SetUsageFunc(usage)
	cmd.Version = Version(cmd.Name())
	cmd.SetVersionTemplate("{{.Version}}\n")
	cmd.SetFlagErrorFunc(flagProblem)
	cmd.SetArgs(args)
	cmd.SetOut(stdout)
	cmd.SetErr(stderr)
	err := cmd.ExecuteContext(ctx)
	if err == nil {
		return ExitDone
	}
	if code := exitCode(0); errors.As(err, &code) {
		return int(code)
	}
	_, _ = fmt.Fprintf(stderr, "%s: %s\n", cmd.Name(), oneLine(err)) // there is nowhere else to say it
	var usage *usageError
	if !started || errors.As(err, &usage) {
		return ExitUsage
	}
	return ExitFailed
}

// prepare makes cmd and all its sub-commands read the environment variables before they run, and speak plainly of surplus
// arguments. started is set once a command's own code runs.
func prepare(cmd *cobra.Command, started *bool) {
	if cmd.Args != nil {
		cmd.Args = checkArguments(cmd.Args)
	}
	if run := cmd.RunE; run != nil {
		cmd.RunE = func(c *cobra.Command, args []string) error {
			warnOfVariables(c)
			if err := config.Env(c.Flags()); err != nil {
				return err
			}
			if err := config.Finite(c.Flags()); err != nil {
				return err
			}
			*started = true
			return run(c, args)
		}
	}
	for _, sub := range cmd.Commands() {
		prepare(sub, started)
	}
}

// usageError is an error of how the program was called.
type usageError struct{ error }

// Unwrap returns the error behind it.
func (e *usageError) Unwrap() error { return e.error }

// Usage marks err as one of usage, such as what Validate returns: exit code 2. It returns nil for nil.
func Usage(err error) error {
	if err == nil {
		return nil
	}
	return &usageError{err}
}

// exitCode is an error about which all is said.
type exitCode int

// Error implements error.
func (c exitCode) Error() string { return fmt.Sprintf("exit code %d", int(c)) }

// Code makes the error with which a command that has printed its own messages ends with a code of its own, 0 to 255. It
// returns nil for 0.
func Code(code int) error {
	if code == ExitDone {
		return nil
	}
	return exitCode(code)
}

func oneLine(err error) string { return strings.ReplaceAll(strings.TrimSpace(err.Error()), "\n", "; ") }
