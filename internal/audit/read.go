package audit

import (
	"cmp"
	"regexp"
	"slices"
	"strings"
)

var (
	poolSize = regexp.MustCompile(`(?i)(?:threads?[.\-_ ]?max|max[.\-_ ]?threads?|worker[.\-_ ]?threads?|workers|pool[.\-_ ]?size)["']?\s*[=: ]\s*["']?(\d{1,6})\b`)
	// target is a line whose numbers may be those of a URL.
	target    = regexp.MustCompile(`://|^Document Path:`)
	durations = regexp.MustCompile(`(?i)(warm-?\s?up|duration)[^.|]{0,60}?\b(\d{1,6}(?:\.\d{1,3})?) ?(ms|s|sec|seconds|min|minutes)\b`)
)

// Read finds all reports and tables of load tests in a text and holds them against the laws. The file is only named in
// the findings, which come in the order of their lines.
func Read(file, text string) *Document {
	var ab abReader
	var wrk wrkReader
	var tables tableReader
	var s stated
	var p prose
	for i, raw := range strings.Split(text, "\n") {
		raw = strings.ReplaceAll(raw, "\u00a0", " ") // as web pages have it
		line, plain := i+1, strings.TrimSpace(strings.TrimLeft(raw, " \t\r>"))
		tabbed := strings.Trim(raw, " \r\n>")
		if m := poolSize.FindStringSubmatch(plain); m != nil && !target.MatchString(plain) {
			ab.pool = figureOf(m[1], line).count()
			wrk.pool = ab.pool
		}
		s.read(plain, line)
		p.read(plain, line)
		ab.read(plain, line)
		wrk.read(plain, line)
		tables.read(tabbed, line)
	}
	ab.end()
	wrk.end()
	s.promised = tables.promised
	return judge(file, ab.runs, wrk.runs, tables.withRows(), s, p)
}

// read takes what a line says of the length of a test.
func (s *stated) read(text string, line int) {
	for _, m := range durations.FindAllStringSubmatch(text, -1) {
		f := figureOf(m[2], line)
		switch unit := strings.ToLower(m[3]); {
		case unit == "ms":
			f = f.scaled(1e-3)
		case strings.HasPrefix(unit, "min"):
			f = f.scaled(60)
		}
		switch {
		case !strings.EqualFold(m[1], "duration"):
			s.warmup = f
		case f.value > s.duration.value: // shorter ones are of something else
			s.duration = f
		}
	}
}

// withRows are the tables that have any.
func (r *tableReader) withRows() []*table {
	return slices.DeleteFunc(r.tables, func(t *table) bool { return len(t.rows) == 0 })
}

func judge(file string, ab []abRun, wrk []wrkRun, tables []*table, s stated, p prose) *Document {
	f := findings{}
	for i := range ab {
		ab[i].check(&f)
	}
	pairs(ab, &f)
	for i := range wrk {
		wrk[i].check(&f)
	}
	for _, t := range tables {
		t.check(&f, s)
	}
	p.check(&f, len(ab)+len(wrk)+len(tables) > 0)
	slices.SortStableFunc(f, func(a, b Finding) int { return cmp.Compare(a.Line, b.Line) })
	for i := range f {
		f[i].File = file
	}
	return &Document{File: file, AB: len(ab), Wrk: len(wrk), Tables: len(tables), Captions: len(p.pictures()), Findings: f}
}
