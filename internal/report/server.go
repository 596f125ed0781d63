package report

import (
	"fmt"
	"strings"

	"poolvsloop/internal/abreport"
	"poolvsloop/internal/results"
	"poolvsloop/internal/stats"
)

// serverBlock is the ab-style report about one server over all its rounds, and what ab does not say.
func serverBlock(c results.Config, t results.Target) string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s\n%s\n", t.Name, strings.Repeat("-", len(t.Name)))
	b.WriteString(remarks(t))
	if t.AB == nil {
		return b.String() + "not measured\n"
	}
	_ = abreport.WriteSummary(&b, t.AB, openLoop(c, t)) // a strings.Builder takes everything
	return b.String() + "\n" + below(t)
}

// openLoop is what the ab-style report says of the load of an open loop, nil for a closed one.
func openLoop(c results.Config, t results.Target) *abreport.Open {
	if !c.Open() {
		return nil
	}
	return &abreport.Open{Rate: c.Rate, InFlight: t.LittlesLaw.XTimesR, MostInFlight: t.AB.Concurrency}
}

// remarks are what the figures of a server must never be read without.
func remarks(t results.Target) string {
	settings := t.Settings()
	var b strings.Builder
	if mistake := settings["mistake"]; mistake != "" && mistake != "none" {
		b.WriteString(wrap(fmt.Sprintf("MISTAKE: this %s runs with --mistake=%s: it does it wrong on purpose. "+
			"Its figures are those of the mistake.", t.Name, mistake), "", "         "))
	}
	if burn := settings["burn"]; burn != "" && burn != "0" {
		b.WriteString(wrap(fmt.Sprintf("HANDICAP: this %s burns %s iterations of CPU in each request, on purpose.", t.Name, burn),
			"", "          "))
	}
	if settings["stack"] == "fiber" {
		b.WriteString(wrap("NOTE: --stack=fiber: these workers run libraries from the shelf (fiber, go-redis, fasthttp's "+
			"client), not the code that both servers share. The difference is the price of libraries and of the model "+
			"together.", "", "      "))
	}
	return b.String()
}

// below is what is said about a server below its ab-style report, in ab's columns.
func below(t results.Target) string {
	var b strings.Builder
	f := t.Total
	line := func(name, format string, args ...any) {
		fmt.Fprintf(&b, "%-24s"+format+"\n", append([]any{name}, args...)...)
	}

	line("Server CPU per request:", "%.3f [us] (%.2f cores busy)", f.ServerCPUUSPerRequest, f.Cores())
	if f.CtxSwitchesVoluntary+f.CtxSwitchesForced > 0 {
		line("Context switches:", "%.2f per request (%d voluntary, %d not)", f.CtxSwitchesPerRequest, f.CtxSwitchesVoluntary,
			f.CtxSwitchesForced)
	} else {
		line("Context switches:", "not known: threads that ended within a round took theirs with them")
	}
	line("Resident memory:", "%.1f [MiB] (most at the end of a round)", float64(f.ServerRSSBytes)/(1<<20))
	line("Threads of the OS:", "%d", f.ServerThreads)
	if t.LittlesLaw.Concurrency > 0 {
		line("Answers per client:", "%d to %d, median %g (%d clients, %d starved; Jain's index %.4f)", t.Fairness.Min,
			t.Fairness.Max, t.Fairness.Median, t.Fairness.Connections, t.Fairness.Starved, t.Fairness.Jain)
		line("Little's law:", "X*R = %.2f for %g clients (%.1f %%)", t.LittlesLaw.XTimesR, t.LittlesLaw.Concurrency,
			100*t.LittlesLaw.Ratio)
	} else {
		line("Schedule:", "%d planned, %d dropped, %d sent more than 10 ms late; send lag p99 %.3f [ms]", f.Requests, f.Dropped, f.Late,
			f.SendLagP99MS)
	}
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
	if t.LittlesLaw.Concurrency > 0 && t.Total.Completed >= stats.LeastForLittle*t.Fairness.Connections*max(1, len(t.Rounds)) &&
		t.LittlesLaw.Ratio < stats.LeastLittle {
		fmt.Fprintf(&b, "WARNING: X*R is %.1f %% of the clients: something waited that the times above do not show.\n",
			100*t.LittlesLaw.Ratio)
	}
	return b.String()
}
