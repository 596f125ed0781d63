// Command engine runs the bare load engine against one URL, for bench/load.sh: no report, no single times, only what
// it cost.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"net/url"
	"os"
	"time"

	"poolvsloop/internal/load"
)

func main() {
	line, err := run(context.Background(), os.Args[1:])
	if errors.Is(err, flag.ErrHelp) {
		os.Exit(2)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "engine:", err)
		os.Exit(1)
	}
	fmt.Println(line)
}

// run makes one run and describes it in a line.
func run(ctx context.Context, args []string) (string, error) {
	flags := flag.NewFlagSet("engine", flag.ContinueOnError)
	clients := flags.Int("c", 50, "clients")
	duration := flags.Duration("t", 3*time.Second, "duration")
	keepAlive := flags.Bool("k", false, "keep connections")
	threads := flags.Int("threads", 1, "loops")
	if err := flags.Parse(args); err != nil {
		return "", err
	}
	target, err := url.Parse(flags.Arg(0))
	if err != nil || target.Port() == "" {
		return "", fmt.Errorf("%q is no URL with a port", flags.Arg(0))
	}
	addr, err := load.Resolve(ctx, target.Host)
	if err != nil {
		return "", err
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
		return "", err
	}
	if r.Answered == 0 {
		return "", fmt.Errorf("no answer: %v", r.Failures)
	}
	times := r.Response.Histogram
	return fmt.Sprintf("%d requests in %.2f s, %d failed, p50 %d µs, p99 %d µs, mean lag %s", r.Answered,
		r.Duration.Seconds(), r.Failed(), times.ValueAtPercentile(50), times.ValueAtPercentile(99),
		r.Lag.Mean.Round(time.Microsecond)), r.Books()
}
