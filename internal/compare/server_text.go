package compare

import (
	"fmt"
	"strings"

	"poolvsloop/internal/results"
	"poolvsloop/internal/stats"
)

// ServerText returns what is said about one server below its ab-style report, in ab's columns.
func ServerText(t results.Target) string {
	var b strings.Builder
	f := t.Total
	line := func(name, format string, args ...any) {
		fmt.Fprintf(&b, "%-24s"+format+"\n", append([]any{name}, args...)...)
	}

	line("Server CPU per request:", "%.3f [us] (%.2f cores busy)", f.ServerCPUUSPerRequest, perSecond(f.ServerCPUS, f))
	line("Context switches:", "%.2f per request (%d voluntary, %d not)", f.CtxSwitchesPerRequest, f.CtxSwitchesVoluntary,
		f.CtxSwitchesForced)
	line("Resident memory:", "%.1f [MiB] (most at the end of a round)", float64(f.ServerRSSBytes)/(1<<20))
	line("Threads of the OS:", "%d", f.ServerThreads)
	line("Answers per client:", "%d to %d, median %g (%d clients, %d starved; Jain's index %.4f)", t.Fairness.Min,
		t.Fairness.Max, t.Fairness.Median, t.Fairness.Connections, t.Fairness.Starved, t.Fairness.Jain)
	line("Little's law:", "X*R = %.2f for %g clients (%.1f %%)", t.LittlesLaw.XTimesR, t.LittlesLaw.Concurrency,
		100*t.LittlesLaw.Ratio)
	line("Ledger:", "A %d, B %d, cache reads %d (%d hits), cache writes %d", t.Ledger.ACalls, t.Ledger.BCalls,
		t.Ledger.CacheGets, t.Ledger.CacheHits, t.Ledger.CacheSets)
	line("Load runner:", "%.2f of one core", f.GeneratorCPUShare)
	b.WriteString(warnings(t))
	return b.String()
}

// warnings are what the figures of a server need to be read with.
func warnings(t results.Target) string {
	var b strings.Builder
	if t.Fairness.Starved > 0 {
		fmt.Fprintf(&b, "WARNING: %d of %d clients got no answer in a round: the times above leave their waiting out.\n",
			t.Fairness.Starved, t.Fairness.Connections)
	}
	if t.Total.Completed > 0 && t.LittlesLaw.Ratio < stats.LeastLittle {
		fmt.Fprintf(&b, "WARNING: X*R is %.1f %% of the clients: something waited that the times above do not show.\n",
			100*t.LittlesLaw.Ratio)
	}
	return b.String()
}

// perSecond divides by the duration.
func perSecond(v float64, f results.Figures) float64 {
	if f.DurationS <= 0 {
		return 0
	}
	return v / f.DurationS
}
