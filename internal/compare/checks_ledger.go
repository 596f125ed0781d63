package compare

import (
	"fmt"
	"slices"

	"poolvsloop/internal/results"
)

// ledgerLaw is one count of the servers' dependencies, and what it must be: asked per request that was answered with
// 2xx, and at most that for each that was not (it may have failed before or after).
type ledgerLaw struct {
	name, what string
	// ofCache says that it is the cache that counted.
	ofCache bool
	seen    func(Measurement) int64
	// wanted is the count when every request was answered with 2xx.
	wanted func(Measurement) int
}

var ledgerLaws = []ledgerLaw{
	{
		"ledger_a_calls", "calls of A = requests", false,
		func(m Measurement) int64 { return m.A.Calls }, func(m Measurement) int { return m.Load.Sent },
	},
	{
		"ledger_cache_gets", "cache reads = requests", true,
		func(m Measurement) int64 { return m.Cache.Gets }, func(m Measurement) int { return m.Load.Sent },
	},
	{
		"ledger_cache_hits", "cache hits = planned hits", true,
		func(m Measurement) int64 { return m.Cache.Hits }, func(m Measurement) int { return m.Load.Sent - m.Misses },
	},
	{
		"ledger_b_calls", "calls of B = requests", false,
		func(m Measurement) int64 { return m.B.Calls }, func(m Measurement) int { return m.Load.Sent },
	},
	{
		"ledger_cache_sets", "cache writes = planned misses", true,
		func(m Measurement) int64 { return m.Cache.Sets }, func(m Measurement) int { return m.Misses },
	},
}

// checkLedgers holds the counts of the dependencies against those of the load engine.
func checkLedgers(all []Measurement) []results.Check {
	checks := make([]results.Check, 0, len(ledgerLaws))
	for _, law := range ledgerLaws {
		if law.ofCache && slices.ContainsFunc(all, func(m Measurement) bool { return m.CacheStopped }) {
			checks = append(checks, results.Check{
				Name: law.name, OK: true, Status: results.NotChecked, Detail: "not checked: events stop the cache, on purpose",
			})
			continue
		}
		c := each(law.name, all, law.held(all), law.fault)
		checks = append(checks, withFigure(c, worst(all, law.off), 0, "calls"))
	}
	return checks
}

// fault compares exactly when every request was answered with 2xx. Of a request that was not, nobody here knows how far
// it came: then the count may be smaller by as many, and no smaller.
func (l ledgerLaw) fault(m Measurement) string {
	seen, most := l.seen(m), int64(l.wanted(m))
	least := max(0, most-unknown(m))
	switch {
	case least <= seen && seen <= most:
		return ""
	case least == most:
		return fmt.Sprintf("%s: seen %d, wanted %d", l.what, seen, most)
	}
	return fmt.Sprintf("%s: seen %d, wanted %d to %d, as %d requests failed", l.what, seen, least, most, unknown(m))
}

// off is how many calls the count lies outside of what it must be.
func (l ledgerLaw) off(m Measurement) float64 {
	seen, most := l.seen(m), int64(l.wanted(m))
	return float64(max(0, seen-most, max(0, most-unknown(m))-seen))
}

// unknown is the number of requests that may or may not have reached the dependencies.
func unknown(m Measurement) int64 { return int64(m.Load.Sent - m.Load.OK2xx) }

// held says what was found, and how sharply it could be looked at.
func (l ledgerLaw) held(all []Measurement) string {
	var seen, failed int64
	for _, m := range all {
		seen += l.seen(m)
		failed += unknown(m)
	}
	if failed == 0 {
		return fmt.Sprintf("%s: %d, exactly", l.what, seen)
	}
	return fmt.Sprintf("%s: %d, as far as can be said with %d requests that failed", l.what, seen, failed)
}
