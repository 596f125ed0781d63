package audit

import (
	"fmt"
	"math"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// stated is what the text around the tables says of the time of a test, in seconds; 0 when it says nothing.
type stated struct {
	duration, warmup figure
	promised         []figure
}

// check holds each row of the table against itself, and the rows against each other and against the text.
func (t *table) check(f *findings, s stated) {
	if isTimings(t.columns) {
		t.repeats(f)
		t.filled(f)
		return
	}
	for i := range t.rows {
		t.rows[i].check(f)
	}
	t.spans(f, s)
	t.errorsOfLess(f)
	t.allFailed(f)
	t.total(f)
	t.promises(f, s.promised)
}

// span is the time that a row's requests took at its rate, in seconds.
type span struct {
	row     *row
	seconds float64
}

// spans: requests by rate give the time that was measured.
func (t *table) spans(f *findings, s stated) {
	var all []span
	for i := range t.rows {
		r := &t.rows[i]
		if n, x := r.get(samples), r.get(rate); n.positive() && x.positive() && !r.isTotal() {
			all = append(all, span{r, n.value / x.value})
		}
	}
	if len(all) < 2 || t.rows[0].text(users) == "" {
		return // the samples of one test begin and end when they like
	}
	slices.SortStableFunc(all, func(a, b span) int { return int(math.Copysign(1, a.seconds-b.seconds)) })
	t.warmupInside(f, all, s)
	middle := all[len(all)/2]
	usual := middle.seconds
	for _, x := range all {
		slowest := max(x.row.longest(), middle.row.longest()) / 1000
		if math.Abs(x.seconds-usual) > uneven*usual+slowest {
			f.add(Doubtful, "uneven", x.row.line, x.row.subject(),
				fmt.Sprintf("requests / rate = %s s, the other rows %s s", short(x.seconds), short(usual)), away(x.seconds, usual),
				"This row was not measured as long as the others, so it was not measured like them.")
		}
	}
}

// uneven is by which share the time of one row may differ from that of the others. A test lasts until its last answer is
// there: so the longest answer is allowed as well.
const uneven = 0.1

// warmupInside: the time measured is what is left of the test without its warm-up.
func (t *table) warmupInside(f *findings, all []span, s stated) {
	first, last := all[0].seconds, all[len(all)-1].seconds
	usual := all[len(all)/2].seconds
	figures := fmt.Sprintf("requests / rate = %s to %s s in %d rows", short(first), short(last), len(all))
	const start = "connections that open, caches and pools that fill, code that is compiled"
	if !s.warmup.positive() {
		f.add(Doubtful, "warm-up", t.line, fmt.Sprintf("table of %d rows", len(t.rows)), figures+", no warm-up is stated", "unknown",
			"Nothing says that the start of each test was left out: "+start+".")
		return
	}
	if !s.duration.positive() || s.duration.value <= s.warmup.value {
		return
	}
	left := s.duration.value - s.warmup.value
	if math.Abs(usual-s.duration.value) < math.Abs(usual-left) {
		f.add(Refuted, "warm-up", t.line, fmt.Sprintf("table of %d rows", len(t.rows)),
			fmt.Sprintf("%s; %s s (line %d) without a warm-up of %s s (line %d) are %s s", figures, s.duration.text, s.duration.line, s.warmup.text, s.warmup.line, short(left)),
			away(usual, left), "The warm-up was not left out of the figures: "+start+".")
	}
}

// errorsOfLess: where load makes requests fail, more load makes more of them fail.
func (t *table) errorsOfLess(f *findings) {
	sound := map[string]*row{} // by settings, the row of the most users of which next to none failed
	for i := range t.rows {
		r := &t.rows[i]
		if s := r.settings(); r.get(errorShare).known() && r.get(errorShare).value < 1 &&
			(sound[s] == nil || sound[s].get(users).value < r.get(users).value) {
			sound[s] = r
		}
	}
	for i := range t.rows {
		less := &t.rows[i]
		more := sound[less.settings()]
		if more != nil && less.get(errorShare).value >= most && more.get(users).value > less.get(users).value {
			f.add(Doubtful, "load and errors", less.line, less.subject(),
				fmt.Sprintf("errors %s %% with %s users, %s %% with %s (line %d)", less.get(errorShare).text, less.get(users).text,
					more.get(errorShare).text, more.get(users).text, more.line),
				short(less.get(errorShare).value-more.get(errorShare).value)+" points",
				"More users had hardly an error: this row failed for another reason than load.")
		}
	}
}

// allFailed: a share of errors of exactly 1 in every row is all requests, whatever the head of the column says.
func (t *table) allFailed(f *findings) {
	ones := 0
	for i := range t.rows {
		if text := t.rows[i].text(errorShare); cell(text, 0).value == 1 && !strings.Contains(text, "%") {
			ones++
		}
	}
	if ones < 2 || ones < len(t.rows) {
		return
	}
	f.add(Doubtful, "errors", t.line, fmt.Sprintf("table of %d rows", ones), fmt.Sprintf("errors %s in each of %d rows", t.rows[0].text(errorShare), ones),
		"the same in all", "The same share of exactly 1 in every row is hardly 1 %: as a fraction it says that no request succeeded.")
}

// settings is what the row was run with, but for its users.
func (r *row) settings() string {
	var parts []string
	for i, c := range r.table.columns {
		if c.kind == label || c.kind == key {
			parts = append(parts, r.cells[i])
		}
	}
	return strings.Join(parts, "\n")
}

// total: the samples of the row TOTAL are those of the others.
func (t *table) total(f *findings) {
	sum := 0.0
	for i := range t.rows {
		r := &t.rows[i]
		n := r.get(samples).count()
		if r.isTotal() {
			f.equal("total", "TOTAL", n, exactly(sum), fmt.Sprintf("samples of %d rows = %.0f", i, sum), "The last row is not the sum of the others.")
			return
		}
		sum += n.value
	}
}

// promises: a measurement that the text announces is a column.
func (t *table) promises(f *findings, promised []figure) {
	for _, p := range promised {
		if !slices.ContainsFunc(t.columns, func(c column) bool { return strings.EqualFold(c.name, p.text) }) {
			f.add(Doubtful, "promised", p.line, p.text, fmt.Sprintf("the table of line %d has %d columns, and none of that name", t.line, len(t.columns)),
				"missing", "The text says that this was measured, and the results leave it out.")
		}
	}
}

// repeats: one timing of each variant has no spread, and no difference between two variants can be told from noise.
func (t *table) repeats(f *findings) {
	seen := map[string]bool{}
	for i := range t.rows {
		r := &t.rows[i]
		if !r.get(timeTaken).known() {
			continue
		}
		var settings []string
		for j, c := range t.columns {
			if c.kind != timeTaken && !cell(r.cells[j], r.line).known() {
				settings = append(settings, r.cells[j])
			}
		}
		name := strings.Join(settings, "\n")
		if seen[name] {
			return
		}
		seen[name] = true
	}
	if len(seen) > 1 {
		f.add(Doubtful, "repeats", t.line, fmt.Sprintf("table of %d rows", len(t.rows)),
			fmt.Sprintf("%d variants, %d timings, no column of spread or of errors", len(seen), len(seen)), "1 timing each",
			"Nothing was timed twice and no column says whether the answers were right: which differences are noise cannot be told.")
	}
}

var lastNumber = regexp.MustCompile(`^(.*\D)(\d{1,6})$`)

// dragged is how many rows in a row a text may end in numbers that rise by one.
const dragged = 5

// filled: a version that rises by one from row to row was dragged down in a spreadsheet.
func (t *table) filled(f *findings) {
	for i, c := range t.columns {
		start := 0
		for j := 1; j <= len(t.rows); j++ {
			if j < len(t.rows) && follows(t.rows[j-1].cells[i], t.rows[j].cells[i]) {
				continue
			}
			if n := j - start; n > dragged {
				f.add(Doubtful, "filled", t.rows[start].line, "column "+c.name,
					fmt.Sprintf("%s to %s in %d rows one after another", t.rows[start].cells[i], t.rows[j-1].cells[i], n), fmt.Sprintf("%d rows", n),
					"A cell was dragged down in a spreadsheet, which counts on: these values were never read from anything.")
			}
			start = j
		}
	}
}

// follows says that b is a with its last number, behind some text, one higher.
func follows(a, b string) bool {
	x, y := lastNumber.FindStringSubmatch(a), lastNumber.FindStringSubmatch(b)
	if x == nil || y == nil || x[1] != y[1] || figureOf(a, 0).known() {
		return false
	}
	m, errM := strconv.Atoi(x[2])
	n, errN := strconv.Atoi(y[2])
	return errM == nil && errN == nil && n == m+1
}
