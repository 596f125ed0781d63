package report

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"time"

	"poolvsloop/internal/results"
)

// Banner says what was compared, under which load, in which world, where.
func Banner(run *results.Run) string {
	c := run.Config
	var b strings.Builder
	line := func(name, format string, args ...any) {
		b.WriteString(wrap(fmt.Sprintf(format, args...), fmt.Sprintf("%-14s", name), strings.Repeat(" ", 14)))
	}
	b.WriteString("poolvsloop: one handler, on a bounded pool of blocking workers and on an event loop\n\n")
	for _, t := range run.Targets {
		line(t.Name+":", "%s", settingWords(t.Settings()))
	}
	line("load:", "%s; %s on each server%s", loadWords(c), roundsOf(c.Rounds), order(run))
	if len(c.With) > 0 {
		line("beside:", "%s; in no figure of the clients", strings.Join(c.With, "; "))
	}
	if len(c.At) > 0 {
		line("events:", "%s; put back behind each round", strings.Join(c.At, "; "))
	}
	line("world:", "A %s, B %s, %.0f %% cache hits, bodies of %d bytes, seed %d; %s lab, %s %s",
		c.LatencyA+limitWords(c.ConcurrencyLimitA, c.RateLimitA), c.LatencyB+limitWords(c.ConcurrencyLimitB, c.RateLimitB),
		100*c.HitRatio, c.BodySize, c.Seed, c.Lab, run.Environment.Redis.Kind, run.Environment.Redis.Version)
	line("machine:", "%d CPUs%s, Linux %s, %s", run.Environment.CPUs, quota(run.Targets[0].Settings()), run.Environment.Kernel,
		run.Environment.Go)
	return b.String()
}

// limitWords says what a downstream lets in, "" when that is all.
func limitWords(concurrency int, rate float64) string {
	var limits []string
	if concurrency > 0 {
		limits = append(limits, fmt.Sprintf("%d at once", concurrency))
	}
	if rate > 0 {
		limits = append(limits, fmt.Sprintf("%g/s", rate))
	}
	if len(limits) == 0 {
		return ""
	}
	return " (at most " + strings.Join(limits, ", ") + ")"
}

// settingWords says how a server is set; only the thread pool has workers.
func settingWords(s results.Settings) string {
	if workers := s["workers"]; workers != "" {
		return fmt.Sprintf("%s workers (%s), queue %s, dispatch by %s, stack %s", workers, s["worker"], s["queue"], s["dispatch"],
			s["stack"])
	}
	return fmt.Sprintf("loops %s, %s", orDefault(s["loops"], "by default"), inflight(s["max_inflight"]))
}

// quota says how much of the machine each server may use, where that is less: both have the same limits.
func quota(server results.Settings) string {
	if cpus := server["limits.cgroup_quota"]; cpus != "" && cpus != "0" {
		return " (at most " + cpus + " for each server)"
	}
	return ""
}

// loadWords describes the load of one round.
func loadWords(c results.Config) string {
	connections := "a connection per request"
	if c.KeepAlive {
		connections = "keep-alive"
	}
	var ends []string
	if c.Requests > 0 {
		ends = append(ends, fmt.Sprintf("%d requests", c.Requests))
	}
	if c.Duration > 0 {
		ends = append(ends, time.Duration(c.Duration).String())
	}
	clients := fmt.Sprintf("%d clients, closed loop", c.Concurrency)
	if c.Open() {
		words := map[string]string{"poisson": "Poisson", "constant": "evenly spaced"}
		clients = fmt.Sprintf("%g requests/s, %s arrivals, open loop, at most %d in flight", c.Rate, words[c.Arrivals], c.InFlight)
	}
	return fmt.Sprintf("%s, %s; a round is %s", clients, connections, strings.Join(ends, " or "))
}

// order is the order of the rounds that were measured, A for the first server.
func order(run *results.Run) string {
	const shown = 8
	type slot struct {
		order  int
		letter string
	}
	var slots []slot
	for i, letter := range []string{"A", "B"} {
		for _, round := range run.Targets[i].Rounds {
			slots = append(slots, slot{round.Order, letter})
		}
	}
	slices.SortFunc(slots, func(a, b slot) int { return cmp.Compare(a.order, b.order) })
	var letters []string
	for _, s := range slots[:min(len(slots), shown)] {
		letters = append(letters, s.letter)
	}
	switch {
	case len(slots) == 0:
		return ""
	case len(slots) > shown:
		letters = append(letters, "…")
	}
	return ", in the order " + strings.Join(letters, " ")
}

// orDefault replaces a setting that leaves the choice to the server.
func orDefault(number, words string) string {
	if number == "0" || number == "" {
		return words
	}
	return number
}

func inflight(most string) string {
	if most == "0" || most == "" {
		return "any number of requests in flight"
	}
	return "at most " + most + " requests in flight"
}
