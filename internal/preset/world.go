package preset

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"
	"time"

	"poolvsloop/internal/lab"
	"poolvsloop/internal/procstat"
	"poolvsloop/internal/results"
	"poolvsloop/internal/single"
	"poolvsloop/internal/timeline"
	"poolvsloop/internal/why"
)

const (
	// settlePatience bounds the wait for calls of an earlier run to end in a downstream, settlePause is between two looks.
	settlePatience = 30 * time.Second
	settlePause    = 20 * time.Millisecond
)

// settle waits until nothing of an earlier run is left in A and B, then brings cache and ledgers to zero.
func (s *loadSession) settle(ctx context.Context) error {
	until := time.Now().Add(settlePatience)
	for _, d := range []*lab.Downstream{s.lab.A, s.lab.B} {
		for {
			ledger, err := d.Ledger(ctx)
			if err != nil {
				return err
			}
			if ledger.InFlight+ledger.InFlightBefore == 0 {
				break
			}
			if time.Now().After(until) {
				return fmt.Errorf("downstream %s still has %d calls of an earlier run after %s", d.Name,
					ledger.InFlight+ledger.InFlightBefore, settlePatience)
			}
			select {
			case <-ctx.Done():
				return context.Cause(ctx)
			case <-time.After(settlePause):
			}
		}
	}
	for _, step := range []func(context.Context) error{s.lab.Cache.Flush, s.lab.A.Reset, s.lab.B.Reset, s.lab.Cache.ResetCounts} {
		if err := step(ctx); err != nil {
			return err
		}
	}
	return nil
}

// disturb gives the downstreams the settings of the step, and returns what takes them back.
func (s *loadSession) disturb(ctx context.Context, server string) (back func() error, err error) {
	knobs := s.lab.Knobs()
	var undo []func() error
	back = func() error {
		var all []error
		for _, step := range slices.Backward(undo) {
			all = append(all, step())
		}
		return errors.Join(all...)
	}
	for _, d := range []struct {
		program string
		flags   Flags
	}{{timeline.DownstreamA, s.DownstreamA}, {timeline.DownstreamB, s.DownstreamB}} {
		for _, flag := range d.flags {
			before, err := knobs.Setting(ctx, d.program, flag.Name)
			if err != nil {
				return back, err
			}
			if err := knobs.Set(ctx, d.program, flag.Name, strings.ReplaceAll(flag.Values[0], serverPlace, server)); err != nil {
				return back, fmt.Errorf("set %s of downstream %s: %w", flag.Name, d.program, err)
			}
			undo = append(undo, func() error { return knobs.Set(context.WithoutCancel(ctx), d.program, flag.Name, before) })
		}
	}
	return back, nil
}

// serverPlace stands for the URL of the server under load.
const serverPlace = "{server}"

// readLedgers enters what the dependencies counted, and refuses a run of which the downstreams were late.
func (s *loadSession) readLedgers(ctx context.Context, name string, round int, m *seen) error {
	a, errA := s.lab.A.Ledger(ctx)
	b, errB := s.lab.B.Ledger(ctx)
	counts, err := s.lab.Cache.Counts(ctx)
	if err := errors.Join(errA, errB, err); err != nil {
		return err
	}
	m.QueueAMS, m.QueueBMS = a.QueueMS.Mean, b.QueueMS.Mean
	m.Ledger = results.Ledger{ACalls: a.Calls, BCalls: b.Calls, CacheGets: counts.Gets, CacheHits: counts.Hits, CacheSets: counts.Sets}
	intended, late := 0.0, 0.0
	for _, l := range []lab.Ledger{a, b} {
		intended, late = intended+l.IntendedMS.Mean, late+l.DeliveredMS.Mean-l.IntendedMS.Mean
	}
	if late > why.MostLate*intended {
		s.refuse(name, round, fmt.Sprintf("requests waited %.1f ms in A and B as wanted, and %.1f ms more, bound %.0f %%", intended, late,
			100*why.MostLate))
	}
	return nil
}

// figuresOf are the figures of a run, by the names that a comparison has for them.
func figuresOf(r *single.Report, u procstat.Usage) seen {
	q := r.Requests
	f := results.Figures{
		Requests: q.Planned, Sent: q.Sent, Completed: q.Answered, TimedOut: q.TimedOut, Refused: q.Refused, Reset: q.Reset,
		Aborted: q.Aborted, Dropped: q.Dropped, InFlightAtEnd: q.InFlightAtEnd, Late: q.Late, Failed: q.Sent - q.OK2xx,
		Non2xx: q.Non2xx, DurationS: r.DurationS, ThroughputRPS: r.ThroughputRPS, GoodputRPS: r.GoodputRPS,
		MeanMS: r.Response.MeanMS, SDMS: r.Response.SDMS, MinMS: r.Response.MinMS, MaxMS: r.Response.MaxMS,
		ServerCPUS: u.CPUSeconds, ServerRSSBytes: u.RSSBytes, ServerThreads: u.Threads,
		CtxSwitchesVoluntary: u.VoluntarySwitches, CtxSwitchesForced: u.InvoluntarySwitches,
		GeneratorCPUShare: r.Generator.BusiestLoop,
	}
	for percent, into := range map[float64]*float64{
		50: &f.P50MS, 66: &f.P66MS, 75: &f.P75MS, 80: &f.P80MS, 90: &f.P90MS, 95: &f.P95MS, 98: &f.P98MS, 99: &f.P99MS, 99.9: &f.P999MS,
	} {
		*into = percentile(r.Response, percent)
	}
	f.SendLagP99MS = percentile(r.SendLag, 99)
	n := float64(q.Answered)
	if n == 0 {
		f.MeanMS, f.SDMS, f.MinMS, f.MaxMS = math.NaN(), math.NaN(), math.NaN(), math.NaN()
	} else {
		f.ServerCPUUSPerRequest = 1e6 * f.ServerCPUS / n
		f.CtxSwitchesPerRequest = float64(f.CtxSwitchesVoluntary+f.CtxSwitchesForced) / n
	}
	return seen{Figures: f, Starved: r.Fairness.Starved, course: courseOf(r.Series, r.Timeline), Crowds: r.Crowds}
}

// percentile is one of those that a run tells, NaN for others and for a run that does not tell it.
func percentile(t single.Times, percent float64) float64 {
	for _, p := range t.Percentiles {
		if p.Percent == percent && p.MS != nil {
			return *p.MS
		}
	}
	return math.NaN()
}

// middle is the round with the median goodput; of an even number the lower one of the two in the middle. A round is taken
// as a whole, since figures of several rounds belong to no run.
func middle(rounds []seen) seen {
	if len(rounds) == 0 {
		return seen{}
	}
	sorted := slices.Clone(rounds)
	slices.SortFunc(sorted, func(a, b seen) int {
		switch {
		case a.GoodputRPS < b.GoodputRPS:
			return -1
		case a.GoodputRPS > b.GoodputRPS:
			return 1
		}
		return 0
	})
	return sorted[(len(sorted)-1)/2]
}
