package report

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"poolvsloop/internal/results"
	"poolvsloop/internal/stats"
)

// comparison is the conclusion: the table of metrics, why it came out so, what to look at next, and how many checks passed.
func comparison(run *results.Run) string {
	var b strings.Builder
	if len(run.Comparison) > 0 {
		b.WriteString(table(run))
		for _, t := range run.Targets {
			if text := remarks(t); text != "" {
				b.WriteString("\n" + text)
			}
		}
		if run.LateTail {
			b.WriteString("\n" + wrap(lateTail, "", "         "))
		}
		b.WriteString("\n" + hanging(inShort(run)) + hanging(run.Why) + hanging(run.Next))
	}
	return b.String() + summary(run)
}

// inShort is the table in a few words: who wins, by what, and how sure that is.
func inShort(run *results.Run) string {
	a := AnswerOf(run)
	text := "In short: " + a.Verdict
	if len(a.Gains) > 0 {
		text += " " + strings.Join(a.Gains, "; ") + "."
	}
	return text + " " + a.Sure
}

// lateTail is what is said of a run in which a downstream was late.
const lateTail = "WARNING: in some rounds more than 1 % of the delays of A or B were too long. The slowest requests are theirs " +
	"in part, so no winner is named by p99 or p99.9."

// table is the comparison, at most 100 columns wide.
func table(run *results.Run) string {
	var b strings.Builder
	rows, rounds := run.Comparison, len(run.Targets[0].Rounds)
	first, second := run.Targets[0].Name, run.Targets[1].Name
	fmt.Fprintf(&b, "Comparison (medians of %s; %s / %s over all pairs of rounds, 95 %% interval)\n\n",
		roundsOf(rounds), second, first)
	fmt.Fprintf(&b, "  %-28s %11s %11s %7s  %-16s %s\n", "", first, second, "ratio", "interval", "verdict")
	for i, r := range rows {
		fmt.Fprintf(&b, "  %-28s %11s %11s %7s  %-16s %s\n", label(r), figure(r.ThreadPool), figure(r.EventLoop),
			number(r.Ratio), interval(r), r.Verdict+footnote(rows, i))
	}
	return b.String() + footnotes(rows) + ties(run) + family(rounds, len(rows))
}

// footnote refers to a row's note; rows with the same note have one.
func footnote(rows []results.Comparison, i int) string {
	if at := slices.Index(notes(rows), rows[i].Note); at >= 0 {
		return fmt.Sprintf(" (%d)", at+1)
	}
	return ""
}

// notes are the notes of the rows, each once.
func notes(rows []results.Comparison) []string {
	var all []string
	for _, r := range rows {
		if r.Note != "" && !slices.Contains(all, r.Note) {
			all = append(all, r.Note)
		}
	}
	return all
}

func footnotes(rows []results.Comparison) string {
	var b strings.Builder
	for i, note := range notes(rows) {
		fmt.Fprintf(&b, "  (%d) %s\n", i+1, note)
	}
	return b.String()
}

// ties says what a tie is, where a row is one although its interval leaves 1 out.
func ties(run *results.Run) string {
	for _, r := range run.Comparison {
		if r.Verdict == stats.Tie && (r.CILow > 1 || r.CIHigh < 1) {
			return wrap(fmt.Sprintf("tie: the whole interval is within ±%g %% of 1 (--margin), even where it leaves 1 out: a difference, "+
				"and too small to count.", 100*run.Config.Margin), "  ", "  ")
		}
	}
	return ""
}

// family says what the number of metrics means for the verdicts.
func family(rounds, metrics int) string {
	if rounds < stats.LeastRounds || stats.Corrected(rounds, rounds, metrics) {
		return ""
	}
	return wrap(fmt.Sprintf("%d rounds give an indication: without any difference, each metric names a server in 1 run of 35, "+
		"so one or another of the %d in up to %.0f %% of runs. For a claim take --rounds 10; the verdicts are then corrected for "+
		"the number of metrics.", rounds, metrics, min(100, 100*float64(metrics)/35)), "  ", "  ")
}

// titles are how metrics are called in tables, where that is not their name.
var titles = map[string]string{
	"server_cpu_per_request":   "server CPU per request",
	"rss":                      "server memory (RSS)",
	"ctx_switches_per_request": "context switches per request",
	"p99_9":                    "p99.9",

	"read_write_calls_per_request": "read and write calls/request",
	"syscalls_per_request":         "system calls per request",
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

// number prints a ratio in six columns at most: an interval that says nothing keeps its place, too.
func number(n results.Number) string {
	v := float64(n)
	switch {
	case math.IsNaN(v) || math.IsInf(v, 0):
		return "-"
	case v != 0 && v < 0.0005, v >= 99999.5:
		return strconv.FormatFloat(v, 'e', 0, 64)
	case v >= 1000:
		return strconv.FormatFloat(v, 'f', 0, 64)
	case v >= 99.9995:
		return strconv.FormatFloat(v, 'f', 1, 64)
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
