package audit

import (
	"cmp"
	"encoding/csv"
	"fmt"
	"regexp"
	"slices"
	"strings"
)

// table is a summary of load tests, or one of single timings.
type table struct {
	line    int
	columns []column
	rows    []row
}

// row is a line of a table: its cells as printed and, where they are numbers, as figures.
type row struct {
	line  int
	cells []string
	table *table
}

// separators are what may stand between cells; a table without any has its cells between blanks.
var separators = []string{"|", "\t", ",", ";"}

// tableReader finds tables in lines.
type tableReader struct {
	tables []*table
	now    *table
	// between is the separator of the table at hand, "" for blanks.
	between string
	// promised are measurements that the text announces, in the first column of a table with the head "Measurement".
	promised  []figure
	promising bool
}

var markdownRule = regexp.MustCompile(`^\|?[\s:|-]+\|?$`)

// read takes the next line of the text, without blanks around it.
func (r *tableReader) read(text string, line int) {
	r.readPromise(text, line)
	if r.now != nil && r.row(text, line) {
		return
	}
	r.now = nil
	for _, between := range separators {
		if cells := split(text, between); len(cells) > 2 {
			r.begin(columnsOf(cells), between, line)
		}
		if r.now != nil {
			return
		}
	}
	r.begin(proseColumns(text), "", line)
}

func (r *tableReader) begin(columns []column, between string, line int) {
	if isSummary(columns) || isTimings(columns) {
		r.now, r.between = &table{line: line, columns: columns}, between
		r.tables = append(r.tables, r.now)
	}
}

// row adds a line to the table at hand; it says false when the line is no row of it.
func (r *tableReader) row(text string, line int) bool {
	if markdownRule.MatchString(text) && strings.Contains(text, "-") {
		return true
	}
	cells := split(text, r.between)
	if r.between == "" {
		cells = labelled(cells, len(r.now.columns))
	}
	next := row{line: line, cells: cells, table: r.now}
	if len(cells) != len(r.now.columns) || r.between == "" && !next.hasFigures() {
		return false
	}
	r.now.rows = append(r.now.rows, next)
	return true
}

// hasFigures tells a row from a sentence: there is a number in every column of figures.
func (r *row) hasFigures() bool {
	for i, c := range r.table.columns {
		if c.kind > key && !cell(r.cells[i], r.line).known() && !notANumber.MatchString(r.cells[i]) {
			return false
		}
	}
	return true
}

// labelled puts the words of a first cell together.
func labelled(words []string, columns int) []string {
	surplus := len(words) - columns
	if surplus <= 0 {
		return words
	}
	return append([]string{strings.Join(words[:surplus+1], " ")}, words[surplus+1:]...)
}

func (r *tableReader) readPromise(text string, line int) {
	cells := split(text, "|")
	if len(cells) != 2 {
		r.promising = false
		return
	}
	if r.promising && !markdownRule.MatchString(text) {
		r.promised = append(r.promised, figure{text: columnOf(cells[0]).name, line: line})
	}
	r.promising = r.promising || strings.EqualFold(cells[0], "Measurement")
}

// split cuts a line into trimmed cells.
func split(text, between string) []string {
	var cells []string
	switch between {
	case "":
		return strings.Fields(text)
	case "|":
		if !strings.Contains(text, "|") {
			return nil
		}
		cells = strings.Split(strings.TrimSuffix(strings.TrimPrefix(text, "|"), "|"), "|")
	case "\t":
		cells = strings.Split(text, "\t")
	default:
		reader := csv.NewReader(strings.NewReader(text))
		reader.Comma, reader.LazyQuotes = rune(between[0]), true
		fields, err := reader.Read()
		if err != nil {
			return nil // a line that is no CSV is no row
		}
		cells = fields
	}
	for i := range cells {
		cells[i] = strings.TrimSpace(cells[i])
	}
	return cells
}

func columnsOf(names []string) []column {
	all := make([]column, len(names))
	for i, name := range names {
		all[i] = columnOf(name)
	}
	return all
}

// text is the cell of the first column of that kind.
func (r *row) text(k kind) string {
	for i, c := range r.table.columns {
		if c.kind == k {
			return r.cells[i]
		}
	}
	return ""
}

// perUnit is how JMeter's listeners print rates.
var perUnit = map[string]float64{"/sec": 1, "/s": 1, "/min": 1.0 / 60, "/hour": 1.0 / 3600}

// get is the figure in the first column of that kind.
func (r *row) get(k kind) figure { return cell(r.text(k), r.line) }

// cell reads a number, with a per cent sign or a unit of rate behind it.
func cell(text string, line int) figure {
	text = strings.TrimSpace(strings.TrimSuffix(strings.Trim(text, "*` "), "%"))
	for unit, k := range perUnit {
		if number, ok := strings.CutSuffix(text, unit); ok {
			return figureOf(strings.TrimSpace(number), line).scaled(k)
		}
	}
	return figureOf(text, line)
}

// quantiles are those of the row, in rising order of q.
func (r *row) quantiles() []quantile {
	var all []quantile
	for i, c := range r.table.columns {
		f := cell(r.cells[i], r.line)
		switch {
		case !f.known():
		case c.kind == median:
			all = append(all, quantile{0.5, "median", f})
		case c.kind == percentileOf && c.q > 0:
			all = append(all, quantile{c.q, fmt.Sprintf("p%.6g", 100*c.q), f})
		}
	}
	slices.SortStableFunc(all, func(a, b quantile) int { return cmp.Compare(a.q, b.q) })
	return all
}

// subject names the row by what it was run with.
func (r *row) subject() string {
	var parts []string
	for i, c := range r.table.columns {
		switch c.kind {
		case label:
			parts = append(parts, r.cells[i])
		case key, users:
			parts = append(parts, c.name+" "+r.cells[i])
		}
	}
	if len(parts) == 0 {
		return "row " + r.cells[0]
	}
	return strings.Join(parts, ", ")
}

// isTotal says that the row sums up the others.
func (r *row) isTotal() bool { return strings.EqualFold(r.cells[0], "TOTAL") }
