package compare

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"poolvsloop/internal/load"
	"poolvsloop/internal/procstat"
	"poolvsloop/internal/report"
)

func TestFiguresOfARound(t *testing.T) {
	m := sound(Slot{Order: 3, Round: 2, Server: EventLoop}, 200, 40_000)
	m.Load.OK2xx, m.Load.Non2xx = 190, 10
	f := figures(m)
	require.Equal(t, 3, f.Order)
	require.Equal(t, 200, f.Requests)
	require.Equal(t, 10, f.Failed)
	require.InDelta(t, 0.8, f.DurationS, 1e-9)
	require.InDelta(t, 250, f.ThroughputRPS, 1e-6)
	require.InDelta(t, 237.5, f.GoodputRPS, 1e-6)
	require.InDelta(t, 40, f.MeanMS, 0.001)
	require.InDelta(t, 39.2, f.MinMS, 0.001)
	require.InDelta(t, 40.8, f.MaxMS, 0.001)
	require.InDelta(t, 40, f.P50MS, 0.001)
	require.InDelta(t, 40.8, f.P99MS, 0.001)
	require.InDelta(t, 100, f.ServerCPUUSPerRequest, 1e-6)
	require.InDelta(t, 4, f.CtxSwitchesPerRequest, 1e-9)
	require.InDelta(t, 0.1, f.GeneratorCPUShare, 1e-6)
}

// TestPercentilesAreMerged: 100 requests of 10 ms and 100 of 90 ms have no request near the mean of the two p50.
func TestPercentilesAreMerged(t *testing.T) {
	for name, keep := range map[string]bool{"from single times": true, "from histograms": false} {
		t.Run(name, func(t *testing.T) {
			quick, slow := sound(Slot{Order: 1, Round: 1, Server: ThreadPool}, 100, 10_000), sound(Slot{Order: 4, Round: 2, Server: ThreadPool}, 100, 90_000)
			if !keep {
				quick.Load.Samples, slow.Load.Samples = nil, nil
			}
			before := quick.Load.Response.Count()
			f := figures(pooled([]Measurement{quick, slow}))
			require.Equal(t, before, quick.Load.Response.Count(), "the rounds stay as they are")
			require.Equal(t, 200, f.Completed)
			require.InDelta(t, 1.0, f.DurationS, 1e-9)
			require.InDelta(t, 200, f.ThroughputRPS, 1e-6)
			require.InDelta(t, 50, f.MeanMS, 0.01)
			require.InDelta(t, 90, f.P66MS, 1.9)
			require.InDelta(t, 10, f.MinMS, 0.3)
			require.InDelta(t, 91.8, f.MaxMS, 0.1)
			require.InDelta(t, 40.1, f.SDMS, 0.3)
		})
	}
}

func TestPooledUsageAndCounts(t *testing.T) {
	first, second := sound(Slot{Order: 1, Round: 1, Server: ThreadPool}, 100, 1000), sound(Slot{Order: 4, Round: 2, Server: ThreadPool}, 300, 1000)
	first.Usage, second.Usage = procstat.Usage{CPUSeconds: 1, RSSBytes: 50, Threads: 9}, procstat.Usage{CPUSeconds: 2, RSSBytes: 40, Threads: 11}
	first.A.IntendedMS.Mean, second.A.IntendedMS.Mean = 10, 30
	second.Load.AnswersPerClient[0], second.Load.AnswersPerClient[1] = 0, 60
	all := pooled([]Measurement{first, second})
	require.Equal(t, procstat.Usage{CPUSeconds: 3, RSSBytes: 50, Threads: 11}, all.Usage)
	require.Equal(t, load.Counts{Planned: 400, Sent: 400, Answered: 400}, all.Load.Counts)
	require.NoError(t, all.Load.Books())
	require.InDelta(t, 25, all.A.IntendedMS.Mean, 1e-9, "the mean over all calls")
	require.EqualValues(t, 400, all.A.Calls)
	require.Equal(t, 40, all.Misses)
	require.Equal(t, 400*time.Millisecond/clients, all.Load.Duration)

	f := fairness([]Measurement{first, second})
	require.Equal(t, 1, f.Starved, "a client that starved in one round starved")
	require.Equal(t, 10, f.Min)
	require.Equal(t, 70, f.Max)
	require.InDelta(t, 40, f.Median, 1e-9)
}

func TestLittlesLaw(t *testing.T) {
	m := sound(Slot{Order: 1, Round: 1, Server: ThreadPool}, 200, 40_000)
	require.InDelta(t, 1, little(m).Ratio, 0.001)
	m.Load.Duration *= 2
	require.InDelta(t, 0.5, little(m).Ratio, 0.001)
}

func TestQuotasAreShownWhereThereAreAny(t *testing.T) {
	e := soundEvidence(2)
	for i := range e.Rounds {
		e.Rounds[i].Host.Throttled = 1
	}
	e.Rounds[0].Host = nil
	text := report.Text(e.Run())
	require.Contains(t, text, "CPU quota             1.000 of 50      periods       2.0 %  ran out, of the lab's groups\n")
	require.Contains(t, text, "CPU quota             2.000 of 100     periods       2.0 %")
	for i := range e.Rounds {
		if e.Rounds[i].Host != nil {
			e.Rounds[i].Host.Periods = 0
		}
	}
	require.NotContains(t, report.Text(e.Run()), "CPU quota")
}
