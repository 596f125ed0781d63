package compare

import (
	"context"
	"errors"
	"fmt"
	"math"
	"time"

	"poolvsloop/internal/lab"
	"poolvsloop/internal/load"
	"poolvsloop/internal/procstat"
	"poolvsloop/internal/results"
)

// calibration is how long one client runs against each server before the rounds, to see what a request costs.
const calibration = time.Second

// calibrate measures what a request costs each server when it meets no other: the predictions need it. In an embedded
// lab A and B answer at once meanwhile, so that there are many requests and little else that costs CPU time. An attached
// lab keeps its delays: it is not ours, and would be left without them if this process was killed.
func (s *session) calibrate(ctx context.Context) (err error) {
	if s.config.Lab == Embedded {
		if err := s.setLatencies(ctx, "0s", "0s"); err != nil {
			return fmt.Errorf("calibrate: %w", err)
		}
		defer func() { err = errors.Join(err, s.setLatencies(ctx, s.config.LatencyA, s.config.LatencyB)) }()
	}
	for _, server := range sides(s.config) {
		s.progress.Step("calibrating " + string(server))
		c, err := s.calibrateServer(ctx, server)
		if err != nil {
			return fmt.Errorf("calibrate %s: %w", server, err)
		}
		if c.Requests > 0 {
			s.evidence.Calibration = append(s.evidence.Calibration, c)
		}
	}
	return nil
}

func (s *session) setLatencies(ctx context.Context, a, b string) error {
	if err := s.lab.A.SetLatency(ctx, a); err != nil {
		return err
	}
	return s.lab.B.SetLatency(ctx, b)
}

func (s *session) calibrateServer(ctx context.Context, server Server) (c results.Calibration, err error) {
	target, err := s.lab.Target(string(server))
	if err != nil {
		return c, err
	}
	if err := s.prepare(ctx, s.batch(0)); err != nil {
		return c, err
	}
	alone := s.load(server, s.batch(0))
	alone.Requests, alone.Duration, alone.Clients = 0, calibration, 1
	before, err := target.Usage(ctx)
	if err != nil {
		return c, err
	}
	beside, err := s.beside()
	if err != nil {
		return c, err
	}
	m := Measurement{Slot: Slot{Server: server}}
	if m.Load, err = load.Run(ctx, alone); err != nil {
		return c, err
	}
	if m.Load.Interrupted {
		return c, context.Cause(ctx)
	}
	after, err := target.Usage(ctx)
	if err != nil {
		return c, err
	}
	besideAfter, err := s.beside()
	if err != nil {
		return c, err
	}
	m.Usage = after.Since(before)
	if err := s.readLedgers(ctx, &m); err != nil {
		return c, err
	}
	return calibrated(m, besideAfter-beside), nil
}

// beside is the CPU time in seconds of the programs that share the servers' machine, NaN when that is not known.
func (s *session) beside() (float64, error) {
	others, err := s.lab.Beside()
	if errors.Is(err, lab.ErrNotKnown) {
		return math.NaN(), nil
	}
	if err != nil {
		return 0, err
	}
	own, err := procstat.Self()
	return others + own.CPUSeconds, err
}

// calibrated is what a measurement with one client says of a request, other being the CPU time of all programs beside
// the server. It is empty when a request failed: the mean is then not that of the handler.
func calibrated(m Measurement, other float64) results.Calibration {
	f := figures(m)
	if f.Completed == 0 || f.Failed > 0 {
		return results.Calibration{}
	}
	return results.Calibration{
		Server: string(m.Server), Requests: f.Completed, MeanMS: f.MeanMS, WaitMS: waited(m.A, m.B).intended,
		ServerCPUUS: f.ServerCPUUSPerRequest, OtherCPUUS: results.Number(1e6 * other / float64(f.Completed)),
	}
}
