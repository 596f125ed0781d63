package compare

import (
	"fmt"
	"strings"
	"time"

	"poolvsloop/internal/abreport"
	"poolvsloop/internal/config"
	"poolvsloop/internal/results"
)

// columns is the width that no line of prose exceeds.
const columns = 100

// Invalid returns the block that stands above everything else of a run that is not valid, and "" for a valid one.
func Invalid(run *results.Run, interrupted bool) string {
	if run.Valid {
		return ""
	}
	rule := strings.Repeat("=", columns) + "\n"
	headline := "INVALID: these figures decide nothing."
	if interrupted {
		headline = "INTERRUPTED: a partial report. " + headline
	}
	var b strings.Builder
	b.WriteString(rule + headline + "\n")
	for _, reason := range run.InvalidReasons {
		b.WriteString(wrap("- "+reason, "  ", "    "))
	}
	return b.String() + rule
}

// Banner says what was compared, under which load, in which world, where.
func (e *Evidence) Banner() string {
	c, settings := e.Config, e.settings()
	pool, loop := settings[ThreadPool], settings[EventLoop]
	var b strings.Builder
	line := func(name, format string, args ...any) {
		b.WriteString(wrap(fmt.Sprintf(format, args...), fmt.Sprintf("%-14s", name), strings.Repeat(" ", 14)))
	}
	b.WriteString("poolvsloop: one handler, on a bounded pool of blocking workers and on an event loop\n\n")
	line("thread pool:", "workers %s (%s), queue %s, dispatch by %s, stack %s", pool["workers"], pool["worker"],
		pool["queue"], pool["dispatch"], pool["stack"])
	line("event loop:", "loops %s, %s", orDefault(loop["loops"], "by default"), inflight(loop["max_inflight"]))
	line("load:", "%s; %s on each server, in the order %s", loadWords(c), counted(c.Rounds, "round"), order(c.Rounds))
	line("world:", "A %s, B %s, %.0f %% cache hits, bodies of %d bytes, seed %d; %s lab, %s %s", c.LatencyA, c.LatencyB,
		100*c.HitRatio, c.BodySize, c.Seed, c.Lab, e.Environment.Redis.Kind, e.Environment.Redis.Version)
	line("machine:", "%d CPUs, Linux %s, %s", e.Environment.CPUs, e.Environment.Kernel, e.Environment.Go)
	return b.String()
}

// counted is "1 round" or "2 rounds".
func counted(n int, thing string) string {
	if n == 1 {
		return "1 " + thing
	}
	return fmt.Sprintf("%d %ss", n, thing)
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
	return fmt.Sprintf("%d clients, closed loop, %s; a round is %s", c.Concurrency, connections, strings.Join(ends, " or "))
}

// order is the order of the rounds, A for the thread pool.
func order(rounds int) string {
	const shown = 8
	var letters []string
	for _, slot := range Schedule(rounds) {
		if len(letters) == shown {
			letters = append(letters, "…")
			break
		}
		letters = append(letters, map[Server]string{ThreadPool: "A", EventLoop: "B"}[slot.Server])
	}
	return strings.Join(letters, " ")
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

// remarks are what the figures of a server must never be read without.
func remarks(s Server, settings Settings) string {
	var b strings.Builder
	if mistake := settings["mistake"]; mistake != "" && mistake != "none" {
		b.WriteString(wrap(fmt.Sprintf("MISTAKE: this %s runs with --mistake=%s: it does it wrong on purpose. "+
			"Its figures are those of the mistake.", s, mistake), "", "         "))
	}
	if settings["stack"] == "fiber" {
		b.WriteString(wrap("NOTE: --stack=fiber: these workers run libraries from the shelf (fiber, go-redis, fasthttp's "+
			"client), not the code that both servers share. The difference is the price of libraries and of the model "+
			"together.", "", "      "))
	}
	return b.String()
}

// ServerReport is the ab-style report about one server over all its rounds, and what ab does not say.
func (e *Evidence) ServerReport(t results.Target) string {
	server := Server(t.Name)
	var b strings.Builder
	fmt.Fprintf(&b, "%s\n%s\n", t.Name, strings.Repeat("-", len(t.Name)))
	b.WriteString(remarks(server, e.settings()[server]))
	own := of(server, e.Rounds)
	if len(own) == 0 {
		return b.String() + "not measured\n"
	}
	// A strings.Builder takes everything.
	_ = abreport.Write(&b, report(pooled(own).Load, server, config.AddressOf(e.URLs[server]), e.Config))
	b.WriteString("\n" + ServerText(t))
	return b.String()
}

// CompareReport is the comparison, why it came out so, what to look at next, and how many checks it passed.
func (e *Evidence) CompareReport(run *results.Run) string {
	var b strings.Builder
	if len(run.Comparison) > 0 {
		b.WriteString(Table(run.Comparison, len(run.Targets[0].Rounds)))
		for _, s := range Servers {
			if text := remarks(s, e.settings()[s]); text != "" {
				b.WriteString("\n" + text)
			}
		}
		if lateTail(e.Rounds) {
			b.WriteString("\n" + wrap("WARNING: in some rounds more than 1 % of the delays of A or B were too long. The slowest "+
				"requests are theirs in part, so no winner is named by p99.", "", "         "))
		}
		scene := e.scene(run)
		b.WriteString("\n" + wrap(scene.Why(), "", "     "))
		b.WriteString(wrap(scene.Next(), "", "      "))
	}
	passed := 0
	for _, c := range run.Checks {
		if c.OK {
			passed++
		}
	}
	fmt.Fprintf(&b, "Checks: %d of %d passed.\n", passed, len(run.Checks))
	return b.String()
}

// scene gathers what an explanation is derived from.
func (e *Evidence) scene(run *results.Run) Scene {
	settings := e.settings()
	pool, loop := settings[ThreadPool], settings[EventLoop]
	s := Scene{
		Clients: e.Config.Concurrency, WaitMS: waited(ledgers(e.Rounds)).intended,
		ByConnection: pool["dispatch"] == "connection", KeepAlive: e.Config.KeepAlive, Blocking: loop["mistake"] == "block",
		CPUs: e.Environment.CPUs, Pool: seen(run.Targets[0].Total), Loop: seen(run.Targets[1].Total),
	}
	for _, row := range run.Comparison {
		if row.Metric == "goodput" {
			s.Verdict = row.Verdict
		}
	}
	s.Workers, _ = pool.number("workers")
	s.Queue, _ = pool.number("queue")
	s.MaxInflight, _ = loop.number("max_inflight")
	if s.Loops, _ = loop.number("loops"); s.Loops == 0 {
		s.Loops, _ = loop.number("gomaxprocs")
	}
	return s
}

func seen(f results.Figures) Seen {
	return Seen{GoodputRPS: f.GoodputRPS, FailedShare: failedShare(f), Cores: perSecond(f.ServerCPUS, f)}
}

// wrap breaks text into lines of at most [columns]; the first begins with first, the others with rest.
func wrap(text, first, rest string) string {
	var b strings.Builder
	line, indent := first, true
	for _, word := range strings.Fields(text) {
		if !indent && len([]rune(line))+1+len([]rune(word)) > columns {
			b.WriteString(line + "\n")
			line, indent = rest, true
		}
		if !indent {
			line += " "
		}
		line, indent = line+word, false
	}
	return b.String() + line + "\n"
}
