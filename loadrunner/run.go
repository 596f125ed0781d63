package main

import (
	"github.com/spf13/cobra"

	"poolvsloop/internal/program"
	"poolvsloop/internal/single"
)

// runCommand measures one target.
func runCommand() *cobra.Command {
	var o single.Options
	var target []string
	cmd := &cobra.Command{
		Use:   "run [flags] URL",
		Short: "Measure one target, in a closed or an open loop",
		Long: "Sends requests to one URL and prints ab's report, and below it what ab does not say: confidence intervals,\n" +
			"requests without an answer, closes by the server, fairness, Little's law, and whether the generator was the\n" +
			"limit. The exit code is 1 when nothing succeeded, the result is not valid, or a --fail-if holds.\n\n" +
			"A condition of --fail-if is: metric, one of > >= < <= == !=, a number and its unit, as in 'p99 > 50ms'. It fails\n" +
			"the run when it holds, and when the run can't tell.\n" +
			"  times (us, ms, s, m):  p50, p99, p99.9 … (response time), service.p99 …, lag.p99 …, mean, max\n" +
			"  shares (%):            errors, littles_law\n" +
			"  rates (/s or nothing): rps, goodput\n" +
			"  numbers:               failed, non_2xx, timed_out, refused, reset, aborted, dropped, in_flight, late, starved,\n" +
			"                         jain, closed_by_server\n" +
			"docs/run.md tells what each means.",
	}
	cmd.Args = joinEvents(&o.Events.At, &target, cobra.ExactArgs(1))
	single.Bind(cmd.Flags(), &o)
	cmd.RunE = func(cmd *cobra.Command, _ []string) error {
		if err := program.RaiseDescriptors(); err != nil {
			return err
		}
		plan, err := single.NewPlan(cmd.Context(), o, target[0])
		if err != nil {
			return program.Usage(err)
		}
		return single.Run(cmd.Context(), plan, cmd.OutOrStdout(), cmd.ErrOrStderr())
	}
	return cmd
}
