package main

import (
	"net"

	"github.com/spf13/cobra"

	"poolvsloop/internal/cache"
	"poolvsloop/internal/config"
	"poolvsloop/internal/program"
)

// cacheCommand is the embedded cache in a process of its own, which the embedded lab starts on machines without
// redis-server.
func cacheCommand() *cobra.Command {
	p := config.Process{Addr: "127.0.0.1:6379"}
	cmd := &cobra.Command{
		Use:    "cache",
		Short:  "Serve as the embedded lab's cache (miniredis)",
		Args:   cobra.NoArgs,
		Hidden: true,
	}
	p.Bind(cmd.Flags())
	cmd.RunE = func(cmd *cobra.Command, _ []string) error {
		if err := p.Validate(); err != nil {
			return program.Usage(err)
		}
		log, err := program.Logger(p, "cache", cmd.ErrOrStderr())
		if err != nil {
			return program.Usage(err)
		}
		return cache.Run(cmd.Context(), p.Addr, func(addr net.Addr) { program.Announce(log, addr, nil) })
	}
	return cmd
}
