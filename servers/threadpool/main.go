// Command threadpool is the lab's server with a bounded pool of blocking workers behind a bounded queue.
//
// A connection passes, in this order: the kernel accept queue (--backlog), a permit (--max-conns), its reader, which
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
	"context"

	"github.com/rs/zerolog"
	"github.com/spf13/cobra"

	"poolvsloop/internal/program"
)

func main() { program.Main(newCommand()) }

func newCommand() *cobra.Command {
	var c Config
	return program.Server(name, "Serve the lab's requests on a bounded pool of blocking workers", &c,
		func(ctx context.Context, flags map[string]string, log zerolog.Logger) error {
			return run(ctx, c, flags, log)
		})
}
