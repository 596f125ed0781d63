package report

import (
	"fmt"
	"strings"

	"poolvsloop/internal/results"
	"poolvsloop/internal/sweep"
)

// Sweep is the whole report about a sweep: what was measured, a line for each cell, and what the whole of it shows.
func Sweep(s *sweep.Sweep) string {
	text := sweepBanner(s) + "\n" + cellTable(s) + "\n"
	for _, part := range []string{scalingText(s), crossingText(s), capacityText(s)} {
		if part != "" {
			text += part + "\n"
		}
	}
	for _, remark := range s.Remarks {
		text += wrap(remark, "- ", "  ")
	}
	return text
}

// sweepBanner says what was measured, where.
func sweepBanner(s *sweep.Sweep) string {
	var b strings.Builder
	line := func(name, format string, args ...any) {
		b.WriteString(wrap(fmt.Sprintf(format, args...), fmt.Sprintf("%-14s", name), strings.Repeat(" ", 14)))
	}
	fmt.Fprintf(&b, "poolvsloop: sweep of %s, in an order drawn by seed %d\n\n", count(s.Planned, "cell"), s.Seed)
	for _, axis := range s.Axes {
		line(axis.Knob+":", "%s", strings.Join(axis.Values, ", "))
	}
	if s.Search != nil {
		line("looked for:", "the most load (%s, %g to %g) under which %s", s.Search.Over, s.Search.From, s.Search.To,
			strings.Join(s.Search.Conditions, " and "))
	}
	line("all cells:", "%s", baseWords(s.Base))
	if e := s.Environment; e.CPUs > 0 {
		line("machine:", "%d CPUs, Linux %s, %s, %s %s", e.CPUs, e.Kernel, e.Go, e.Redis.Kind, e.Redis.Version)
	}
	return b.String()
}

// baseWords are the flags of all cells as they are written.
func baseWords(base []string) string {
	if len(base) == 0 {
		return "the defaults of loadrunner compare"
	}
	return strings.Join(base, " ")
}

// cellHead are the heads of the columns of a table of cells, the settings first.
func cellHead(s *sweep.Sweep) []string {
	first, second := sides(s)
	return append(s.Knobs(), first, second, "ratio", "interval", "verdict", first, second, "ratio", "verdict")
}

// cellGroups says over which columns of that table what stands.
func cellGroups(s *sweep.Sweep) map[int]string {
	return map[int]string{len(s.Knobs()): "throughput [req/s]", len(s.Knobs()) + 5: "p99 [ms]"}
}

// sides are the names of both servers.
func sides(s *sweep.Sweep) (first, second string) {
	if len(s.Servers) < 2 {
		return "threadpool", "eventloop"
	}
	return s.Servers[0], s.Servers[1]
}

// cellRow is the line of a cell.
func cellRow(s *sweep.Sweep, c sweep.CellResult) []string {
	var cells []string
	for _, knob := range s.Knobs() {
		cells = append(cells, c.Settings[knob])
	}
	x, known := c.Row("throughput")
	tail, _ := c.Row("p99")
	if !known {
		return append(cells, "-", "-", "-", "-", strings.ToUpper(c.Status), "-", "-", "-", strings.ToUpper(c.Status))
	}
	return append(cells, figure(x.ThreadPool), figure(x.EventLoop), number(x.Ratio), interval(x), judged(c, x),
		figure(tail.ThreadPool), figure(tail.EventLoop), number(tail.Ratio), judged(c, tail))
}

// judged is the verdict of a cell by a metric; a cell that is not valid has none.
func judged(c sweep.CellResult, row results.Comparison) string {
	if c.Status != sweep.Valid {
		return strings.ToUpper(c.Status)
	}
	return row.Verdict
}

// cellTable is the table of cells for a terminal.
func cellTable(s *sweep.Sweep) string { return aligned(cellRows(s), cellGroups(s)) + faults(s) }

func cellRows(s *sweep.Sweep) [][]string {
	rows := [][]string{cellHead(s)}
	for _, c := range s.Cells {
		rows = append(rows, cellRow(s, c))
	}
	return rows
}

// faults name what is wrong with the cells that are not valid; their own reports say more.
func faults(s *sweep.Sweep) string {
	var b strings.Builder
	for _, c := range s.Cells {
		var names []string
		for _, reason := range c.Reasons {
			name, _, found := strings.Cut(reason, ": ")
			if c.Status == sweep.Failed || !found {
				name = reason
			}
			names = append(names, name)
		}
		if c.Status != sweep.Valid {
			b.WriteString(wrap(fmt.Sprintf("%s %s (%s): %s", strings.ToUpper(c.Status), sweep.Label(s.Knobs(), c.Settings), c.Folder,
				strings.Join(names, ", ")), "  ", "    "))
		}
	}
	return b.String()
}
