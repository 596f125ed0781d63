// Command threadpool is the lab's server with a bounded pool of blocking workers behind a bounded queue.
//
// A connection passes, in this order: the kernel's accept queue (--backlog), a permit (--max-conns), its reader, which
// waits for the head of a request without holding a worker, the queue (--queue), and a worker (--workers), which reads
// the body, runs the handler with blocking calls and writes the answer. Between two requests only the reader waits.
//
// A worker is an OS thread that blocks in the kernel (--worker=thread), or a goroutine that waits in Go's scheduler
// (--worker=goroutine). Readers are goroutines in either case, as the pollers of Tomcat and others are not workers.
//
// With --dispatch=connection a worker has a connection from the first request to the last, as in servers of the prefork
// kind, and the queue holds connections. Keep-alive is not fair then: with more clients than workers, those in the
// queue wait until a client in service leaves, is idle for --idle-timeout or has made --max-requests requests.
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
		Short: "Serve the lab's requests on a bounded pool of blocking workers",
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
