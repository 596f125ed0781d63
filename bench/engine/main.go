// Command engine runs the bare load engine against one URL, for bench/load.sh: no report, no samples, only what it
// cost.
package main

import (
	"context"
	"flag"
	"fmt"
	"io"
	"net/url"
	"os"
	"os/signal"
	"time"

	"poolvsloop/internal/load"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	os.Exit(run(ctx, os.Args[1:], os.Stdout, os.Stderr))
}

// run is the program; it returns the exit code.
func run(ctx context.Context, args []string, stdout, stderr io.Writer) int {
	flags := flag.NewFlagSet("engine", flag.ContinueOnError)
	flags.SetOutput(stderr)
	clients := flags.Int("c", 50, "clients")
	duration := flags.Duration("t", 3*time.Second, "duration")
	keepAlive := flags.Bool("k", false, "keep connections")
	threads := flags.Int("threads", 1, "loops")
	if err := flags.Parse(args); err != nil {
		return 2
	}
	target, err := url.Parse(flags.Arg(0))
	if err != nil || target.Host == "" || target.Port() == "" {
		fmt.Fprintf(stderr, "engine: %q is no URL with a port\n", flags.Arg(0))
		return 2
	}
	addr, err := load.Resolve(ctx, target.Host)
	if err != nil {
		fmt.Fprintln(stderr, "engine:", err)
		return 2
	}
	request := "GET " + target.RequestURI() + " HTTP/1.1\r\nHost: " + target.Host + "\r\n"
	if !*keepAlive {
		request += "Connection: close\r\n"
	}
	r, err := load.Run(ctx, load.Config{
		Addr: addr, Source: load.Fixed(request + "\r\n"), Duration: *duration, Clients: *clients,
		KeepAlive: *keepAlive, Threads: *threads, MaxSamples: -1,
	})
	if err != nil {
		fmt.Fprintln(stderr, "engine:", err)
		return 1
	}
	fmt.Fprintf(stdout, "%d requests in %.2f s, %d failed, p50 %d µs, p99 %d µs, mean lag %s\n",
		r.Answered, r.Duration.Seconds(), r.Failed(), r.Response.Histogram.ValueAtPercentile(50),
		r.Response.Histogram.ValueAtPercentile(99), r.Lag.Mean.Round(time.Microsecond))
	if err := r.Books(); err != nil || r.Answered == 0 {
		fmt.Fprintln(stderr, "engine: not a valid run:", err)
		return 1
	}
	return 0
}
