package compare

import (
	"fmt"
	"math"
	"strconv"
	"strings"

	"poolvsloop/internal/results"
)

// Table returns the comparison as text, at most 100 columns wide.
func Table(rows []results.Comparison, rounds int) string {
	var b strings.Builder
	fmt.Fprintf(&b, "Comparison (medians of %s; ratio = eventloop / threadpool with its 95 %% interval)\n\n",
		counted(rounds, "round"))
	fmt.Fprintf(&b, "  %-31s %10s %10s %7s  %-17s %s\n", "", "threadpool", "eventloop", "ratio", "interval", "verdict")
	for _, r := range rows {
		fmt.Fprintf(&b, "  %-31s %10s %10s %7s  %-17s %s\n", label(r), figure(r.ThreadPool), figure(r.EventLoop),
			number(r.Ratio), interval(r), r.Verdict)
	}
	return b.String()
}

// MarkdownTable returns the comparison as a table in Markdown.
func MarkdownTable(rows []results.Comparison) string {
	var b strings.Builder
	b.WriteString("| metric | threadpool | eventloop | ratio | 95 % interval | verdict |\n")
	b.WriteString("| --- | ---: | ---: | ---: | :---: | --- |\n")
	for _, r := range rows {
		fmt.Fprintf(&b, "| %s | %s | %s | %s | %s | %s |\n", label(r), figure(r.ThreadPool), figure(r.EventLoop),
			number(r.Ratio), interval(r), r.Verdict)
	}
	return b.String()
}

// titles are how metrics are called in tables, where that is not their name.
var titles = map[string]string{
	"server_cpu_per_request":   "server CPU per request",
	"rss":                      "server memory (resident)",
	"ctx_switches_per_request": "context switches per request",
}

func title(metric string) string {
	if t, ok := titles[metric]; ok {
		return t
	}
	return metric
}

func label(r results.Comparison) string {
	if r.Unit == "" {
		return title(r.Metric)
	}
	return title(r.Metric) + " [" + r.Unit + "]"
}

// figure prints a value in four digits or more.
func figure(v float64) string {
	decimals := 0
	for bound := 1000.0; decimals < 3 && math.Abs(v) < bound; bound /= 10 {
		decimals++
	}
	return strconv.FormatFloat(v, 'f', decimals, 64)
}

func number(n results.Number) string {
	v := float64(n)
	if math.IsNaN(v) || math.IsInf(v, 0) {
		return "-"
	}
	return strconv.FormatFloat(v, 'f', 3, 64)
}

func interval(r results.Comparison) string {
	low, high := number(r.CILow), number(r.CIHigh)
	if low == "-" || high == "-" {
		return "-"
	}
	return low + " .. " + high
}
