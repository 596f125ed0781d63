package report

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"poolvsloop/internal/results"
)

// costs are what a request and an idle connection cost each server; "" when that was not measured.
func costs(run *results.Run) string {
	c := run.Cost
	if c == nil {
		return ""
	}
	var b strings.Builder
	first, second := c.Targets[0].Name, c.Targets[1].Name
	if len(c.Requests) > 0 {
		b.WriteString(wrap(requestsHeading(c), "", "  ") + "\n" + requestTable(first, second, c.Requests) + countedWords(c) + "\n")
	}
	if len(c.Idle) > 0 {
		b.WriteString(wrap(idleHeading(c), "", "  ") + "\n" + idleTable(first, second, c.Idle) + machineWords(c) + "\n")
	}
	if text := notMeasured(c.NotMeasured); text != "" {
		b.WriteString(text + "\n")
	}
	return b.String()
}

// requestTable has the costs of a request, those of two sides of that name.
func requestTable(first, second string, rows []results.Comparison) string {
	var b strings.Builder
	fmt.Fprintf(&b, "  %-29s %10s %10s %7s  %-16s %s\n", "", first, second, "ratio", "interval", "verdict")
	for i, r := range rows {
		fmt.Fprintf(&b, "  %-29s %10s %10s %7s  %-16s %s\n", label(r), figure(r.ThreadPool), figure(r.EventLoop), number(r.Ratio),
			interval(r), r.Verdict+footnote(rows, i))
	}
	return b.String() + footnotes(rows)
}

// idleTable has the memory of an idle connection.
func idleTable(first, second string, rows []results.IdleCost) string {
	var b strings.Builder
	fmt.Fprintf(&b, "  %-18s %-21s %-21s %-21s %s\n", "", first, second, "difference", "verdict")
	for _, r := range rows {
		fmt.Fprintf(&b, "  %-18s %-21s %-21s %-21s %s\n", idleTitles[r.Metric]+" ["+r.Unit+"]", slope(r.ThreadPool), slope(r.EventLoop),
			slope(r.Difference), r.Verdict)
	}
	return b.String()
}

// requestsHeading says at which rate the costs of a request were measured.
func requestsHeading(c *results.Cost) string {
	return fmt.Sprintf("Cost of a request, both servers at %g requests/s (%s; medians of %d repetitions of %g s)", c.RateRPS, c.RateFrom,
		repetitions(c, false), c.RepetitionS)
}

// repetitions counts those of a server, with system calls counted or without.
func repetitions(c *results.Cost, counted bool) int {
	n := 0
	for _, r := range c.Targets[0].Repetitions {
		if r.Counted == counted {
			n++
		}
	}
	return n
}

// countedWords says what the counts of calls are.
func countedWords(c *results.Cost) string {
	has := func(name string) bool {
		return slices.ContainsFunc(c.Requests, func(r results.Comparison) bool { return r.Metric == name })
	}
	var words []string
	if has("read_write_calls_per_request") {
		words = append(words, "Read and write calls are what /proc/PID/io counts: read, write and their kin; no poll, epoll, futex, recv, send, "+
			"accept or close.")
	}
	if has("syscalls_per_request") {
		words = append(words, fmt.Sprintf("System calls are all that were entered (raw_syscalls:sys_enter), in %d repetitions of their own.",
			repetitions(c, true)))
	}
	if len(words) == 0 {
		return ""
	}
	return wrap(strings.Join(words, " "), "  ", "  ")
}

// idleTitles are what the kinds of memory are called in tables.
var idleTitles = map[string]string{"rss": "memory (RSS)", "kernel_memory": "kernel", "tcp_buffers": "TCP buffers"}

// idleHeading says over which numbers of connections the slope is.
func idleHeading(c *results.Cost) string {
	var steps []string
	for _, n := range c.Connections {
		steps = append(steps, strconv.Itoa(n))
	}
	return fmt.Sprintf("Cost of an idle keep-alive connection (slope over %s of them, %s being the most; 95 %% interval; each was answered "+
		"once, and garbage collected before memory was read)", strings.Join(steps, ", "), c.ConnectionsFrom)
}

// machineWords says whose memory it is that the machine told of.
func machineWords(c *results.Cost) string {
	if len(c.Idle) < 2 {
		return ""
	}
	return wrap("Kernel memory (slabs, thread stacks, page tables) and TCP buffers are those of the whole machine, so of both ends of each "+
		"connection; the client's end is the same for both servers.", "  ", "  ")
}

// slope prints a figure and its interval.
func slope(s results.Slope) string {
	return fmt.Sprintf("%s (%s..%s)", kib(s.KiB), kib(s.CILow), kib(s.CIHigh))
}

func kib(x float64) string {
	text := strconv.FormatFloat(x, 'f', 2, 64)
	if text == "-0.00" {
		return "0.00"
	}
	return text
}

// notMeasured says what is missing, and why.
func notMeasured(all []results.NotMeasured) string {
	var b strings.Builder
	for _, n := range all {
		b.WriteString(wrap(fmt.Sprintf("Not measured: %s: %s.", n.What, strings.TrimSuffix(n.Why, ".")), "", "  "))
	}
	return b.String()
}
