// Command parent starts a lab from the programs in the directory given, prints the URL of each part, and waits to be
// killed. It ends the lab on SIGTERM.
package main

import (
	"context"
	"fmt"
	"os"
	"os/signal"
	"path/filepath"
	"syscall"

	"poolvsloop/internal/lab"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), syscall.SIGTERM)
	defer stop()
	if err := run(ctx, os.Args[1]); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func run(ctx context.Context, programs string) error {
	l, err := lab.Start(ctx, lab.Embedded{
		Servers:  []lab.Program{{Name: "threadpool"}, {Name: "eventloop"}},
		Redis:    lab.Miniredis,
		Programs: programs, CacheCommand: []string{filepath.Join(programs, "runner"), "cache"},
	})
	if err != nil {
		return err
	}
	fmt.Println("runner", os.Getpid())
	<-ctx.Done()
	return l.Stop(context.Background())
}
