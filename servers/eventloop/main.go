// Command eventloop is the lab's server with event loops: every request is driven by callbacks on the loop that its
// connection came to, with its calls on connections of that same loop, and nothing ever waits for anything.
//
// A connection passes, in this order: the kernel's accept queue (--backlog), a permit (--max-conns), and the loop with
// the fewest connections (--loops), where it stays. The loop reads a request, runs the handler until it asks for
// something, sends that, and goes on with other connections until the answer comes.
package main

import (
	"github.com/spf13/cobra"

	"poolvsloop/internal/config"
	"poolvsloop/internal/program"
)

func main() { program.Main(newCommand()) }

func newCommand() *cobra.Command {
	var c Config
	command := &cobra.Command{
		Use:   name,
		Short: "Serve the lab's requests on event loops",
		Args:  cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			if err := c.Validate(); err != nil {
				return program.Usage(err)
			}
			log, err := program.Logger(c.Process, name, cmd.ErrOrStderr())
			if err != nil {
				return program.Usage(err)
			}
			return run(cmd.Context(), c, config.Values(cmd.Flags()), log)
		},
	}
	c.Bind(command.Flags())
	return command
}
