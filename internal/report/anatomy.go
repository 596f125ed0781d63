package report

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strings"

	"poolvsloop/internal/results"
	"poolvsloop/internal/stats"
)

// barColumns is how many marks the longest mean response time of a waterfall has.
const barColumns = 24

// anatomy says where the time of sampled requests went, in the means and in the slowest 1 %, both servers beside each
// other; "" when nothing was measured.
func anatomy(run *results.Run) string {
	told, slowest := 0, 0
	for _, t := range run.Targets {
		if t.Stages != nil {
			told, slowest = told+t.Stages.Samples, slowest+t.Stages.SlowestSamples
		}
	}
	const title = "Anatomy of a request"
	switch {
	case told == 0 && len(run.Comparison) == 0:
		return ""
	case told == 0:
		return title + ": not known, no request told its stages.\n\n"
	}
	text := title + " [ms], by what one in 20 told of its stages\n\n" + waterfall(run.Targets, means) + "\n"
	if slowest == 0 {
		return text + wrap(fmt.Sprintf("The slowest 1 %% and p99 take %d of them.", stats.Needs(99)), "  ", "  ") + "\n"
	}
	return text + waterfall(run.Targets, tail) + "\n" + tailWords(run.Targets) + "\n"
}

// view is one of the two waterfalls.
type view struct {
	// title names it, beside is the second column's.
	title, beside string
	// samples is how many requests it is of, mean its first column, and second its second one.
	samples      func(*results.Stages) int
	mean, second func(results.Stage) results.Number
	signed       bool
}

var means = view{
	title: "all", beside: "p99", samples: func(s *results.Stages) int { return s.Samples },
	mean:   func(s results.Stage) results.Number { return results.Number(s.MeanMS) },
	second: func(s results.Stage) results.Number { return s.P99MS },
}

var tail = view{
	title: "slowest 1 %", beside: "more", samples: func(s *results.Stages) int { return s.SlowestSamples },
	mean: func(s results.Stage) results.Number { return s.SlowestMeanMS }, second: more, signed: true,
}

// more is by how much a stage takes longer in the slowest 1 %.
func more(s results.Stage) results.Number { return s.SlowestMeanMS - results.Number(s.MeanMS) }

// waterfall is the table of a view, each row with a bar for each server. All bars have one scale.
func waterfall(targets []results.Target, v view) string {
	longest := 0.0
	for _, t := range targets {
		if t.Stages != nil {
			longest = max(longest, orZero(v.mean(t.Stages.Response)))
		}
	}
	const cell = " %7s %7s  %-*s"
	names, heads := fmt.Sprintf("  %-11s", v.title), fmt.Sprintf("  %-11s", "")
	lines := make([]string, len(rowsOf(nil, v)))
	for _, t := range targets {
		n := 0
		if t.Stages != nil {
			n = v.samples(t.Stages)
		}
		names += fmt.Sprintf("%-42s", fmt.Sprintf("   %s, %d requests", t.Name, n))
		heads += fmt.Sprintf(cell, "mean", v.beside, barColumns, "# = "+figure(longest/barColumns)+" ms")
		for i, r := range rowsOf(t.Stages, v) {
			if lines[i] == "" {
				lines[i] = fmt.Sprintf("  %-11s", r.name)
			}
			lines[i] += fmt.Sprintf(cell, known(r.mean), beside(r.second, v.signed), barColumns, bar(r.from, orZero(r.mean), longest))
		}
	}
	var b strings.Builder
	for _, line := range append([]string{names, heads}, lines...) {
		b.WriteString(strings.TrimRight(line, " ") + "\n")
	}
	return b.String()
}

// row is a stage of one server in a waterfall, and where its bar begins.
type row struct {
	name         string
	mean, second results.Number
	from         float64
}

// rowsOf are the parts of a response time, one after the other, and the whole; nil has none of which the time is known.
func rowsOf(s *results.Stages, v view) []row {
	told := s != nil
	if !told {
		s = &results.Stages{}
	}
	var all []row
	at := 0.0
	for _, part := range s.Parts() {
		all = append(all, row{part.Name, v.mean(part.Stage), v.second(part.Stage), at})
		at += max(0, orZero(v.mean(part.Stage)))
	}
	all = append(all, row{"response", v.mean(s.Response), v.second(s.Response), 0})
	if !told {
		for i := range all {
			all[i].mean, all[i].second = results.Unknown, results.Unknown
		}
	}
	return all
}

// bar draws a time that begins at from, of a whole that is [barColumns] wide; a time that is less than a mark is a point.
func bar(from, length, whole float64) string {
	if whole <= 0 || length <= 0 {
		return ""
	}
	column := func(x float64) int { return min(barColumns, int(math.Round(x/whole*barColumns))) }
	begin, end := column(from), column(from+length)
	if begin == end {
		return strings.Repeat(" ", min(begin, barColumns-1)) + "."
	}
	return strings.Repeat(" ", begin) + strings.Repeat("#", end-begin)
}

// fewSlowest is the number of requests below which the means of the slowest ones are called a hint.
const fewSlowest = 100

// tailWords say by which stage the slowest 1 % are slower.
func tailWords(targets []results.Target) string {
	var all []string
	for _, t := range targets {
		if t.Stages == nil || t.Stages.SlowestSamples == 0 {
			all = append(all, t.Name+" told too few")
			continue
		}
		parts := t.Stages.Parts()
		slices.SortStableFunc(parts, func(a, b results.Part) int { return cmp.Compare(more(b.Stage), more(a.Stage)) })
		text := fmt.Sprintf("%s %s ms longer than the mean request", t.Name, known(more(t.Stages.Response)))
		if gain := more(parts[0].Stage); gain > 0 {
			text += fmt.Sprintf(", of which %s in %s", known(gain), parts[0].Name)
			if next := more(parts[1].Stage); next > gain/4 {
				text += fmt.Sprintf(" and %s in %s", known(next), parts[1].Name)
			}
		}
		all = append(all, text)
	}
	text := "The slowest 1 % take: " + strings.Join(all, "; ") + "."
	if slices.ContainsFunc(targets, func(t results.Target) bool { return t.Stages != nil && t.Stages.SlowestSamples < fewSlowest }) {
		text += fmt.Sprintf(" A hint: fewer than %d requests each are means of little weight.", fewSlowest)
	}
	return wrap(text, "  ", "  ")
}

// beside prints the second column.
func beside(n results.Number, signed bool) string {
	if text := known(n); !signed || text == "-" || n < 0 {
		return text
	}
	return "+" + known(n)
}

func orZero(n results.Number) float64 {
	if math.IsNaN(float64(n)) {
		return 0
	}
	return float64(n)
}
