// Command eventloop is the lab's server with event loops: every request is driven by callbacks on the loop that its
// connection came to, with its calls on connections of that same loop, and nothing ever waits for anything.
//
// A connection passes, in this order: the kernel accept queue (--backlog), a permit (--max-conns), and the loop with
// the fewest connections (--loops), where it stays. The loop reads a request, runs the handler until it asks for
// something, sends that, and goes on with other connections until the answer comes.
package main

import (
	"context"

	"github.com/rs/zerolog"
	"github.com/spf13/cobra"

	"poolvsloop/internal/program"
)

func main() { program.Main(newCommand()) }

func newCommand() *cobra.Command {
	var c Config
	return program.Server(name, "Serve the lab's requests on event loops", &c,
		func(ctx context.Context, flags map[string]string, log zerolog.Logger) error {
			return run(ctx, c, flags, log)
		})
}
