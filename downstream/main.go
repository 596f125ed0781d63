// Command downstream is a dependency of the servers under test: A (customers), B (quotes) and those of later scenarios.
// It answers after a delay that is a pure function of seed, name and X-Request-Id, goes wrong as told, counts every call
// in a ledger, and says when its own delays can't be trusted.
package main

import (
	"context"
	"errors"
	"fmt"

	"github.com/gofiber/fiber/v2"
	"github.com/rs/zerolog"
	"github.com/spf13/cobra"

	"poolvsloop/internal/admin"
	"poolvsloop/internal/latency"
	"poolvsloop/internal/procstat"
	"poolvsloop/internal/program"
)

func main() { program.Main(command()) }

func command() *cobra.Command {
	c := DefaultConfig()
	cmd := &cobra.Command{
		Use:   "downstream",
		Short: "Answer as a dependency of the servers under test: late, wrong or not at all, as told",
		Args:  cobra.NoArgs,
	}
	c.Bind(cmd.Flags())
	cmd.RunE = func(cmd *cobra.Command, _ []string) error {
		settings, err := NewSettings(c, cmd.Flags(), latency.OpenFile)
		if err != nil {
			return program.Usage(err)
		}
		log, err := program.Logger(c.Process, "downstream-"+c.Name, cmd.ErrOrStderr())
		if err != nil {
			return program.Usage(err)
		}
		return run(cmd.Context(), settings, log)
	}
	return cmd
}

// run serves until ctx ends, and then drains.
func run(ctx context.Context, settings *Settings, log zerolog.Logger) error {
	if err := program.RaiseDescriptors(); err != nil {
		log.Warn().Err(err).Msg("descriptor limit stays")
	}
	server, err := NewServer(settings, log)
	if err != nil {
		return err
	}
	host, err := procstat.ReadHost()
	if err != nil {
		log.Warn().Err(err).Msg("some limits of the host are not known")
	}
	limits := program.NewLimits(server.listener.Stats(), host)
	pages, err := admin.Listen(settings.Admin, adminPages(server, limits), log)
	if err != nil {
		return errors.Join(err, server.Close())
	}
	program.LogLimits(log, limits)
	program.Announce(log, server.Addr(), pages.Addr())
	return errors.Join(serve(ctx, server, log), pages.Close())
}

func serve(ctx context.Context, server *Server, log zerolog.Logger) error {
	ended := make(chan error, 1)
	go func() { ended <- server.Serve() }()
	select {
	case err := <-ended:
		return fmt.Errorf("stopped unasked: %w", err)
	case <-ctx.Done():
	}
	log.Info().Int("in_flight", server.ledger.InFlight()).Msg("draining")
	drain, cancel := context.WithTimeout(context.Background(), server.settings.Load().Drain)
	defer cancel()
	return server.Shutdown(drain)
}

func adminPages(s *Server, limits program.Limits) admin.Program {
	return admin.Program{
		Name:      s.ledger.name,
		Ready:     func() error { return nil },
		Gather:    newRegistry(s),
		Stats:     func() any { return s.Report() },
		Config:    func() any { return shownConfig(s, limits) },
		SetConfig: s.Change,
		Routes: func(r fiber.Router) {
			r.Get("/ledger", func(c *fiber.Ctx) error { return c.JSON(s.Report()) })
			r.Post("/reset", func(c *fiber.Ctx) error { return c.JSON(s.Reset()) })
		},
	}
}

// shownConfig is what /config shows: every flag by name as it is now, and the limits in force.
func shownConfig(s *Server, limits program.Limits) map[string]any {
	shown := map[string]any{"limits": limits}
	for flag, value := range s.Values() {
		shown[flag] = value
	}
	return shown
}
