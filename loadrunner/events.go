package main

import (
	"github.com/spf13/cobra"

	"poolvsloop/internal/timeline"
)

// joinEvents lets an event be the word behind the time of an --at ("--at 10s b.latency=500ms"), and has check look at the
// words that are left, which it puts into rest.
func joinEvents(at, rest *[]string, check cobra.PositionalArgs) cobra.PositionalArgs {
	return func(cmd *cobra.Command, args []string) error {
		*at, *rest = timeline.Join(*at, args)
		return check(cmd, *rest)
	}
}
