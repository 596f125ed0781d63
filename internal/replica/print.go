package replica

import (
	"fmt"
	"io/fs"
	"strconv"
	"strings"
	"time"

	"poolvsloop/internal/audit"
	"poolvsloop/internal/results"
	"poolvsloop/internal/sweep"
)

// Markdown prints the tables of the report with the figures of a sweep, then what the lab cannot do yet, what is not as it
// was, and what the laws of an audit find in these very tables.
func (r *Replica) Markdown(s *sweep.Sweep, files fs.FS) (string, error) {
	tables, err := r.Tables(s, files)
	if err != nil {
		return "", err
	}
	var b strings.Builder
	for _, t := range tables {
		fmt.Fprintf(&b, "### %s\n\n%s\n", t.Title, t.Markdown())
	}
	b.WriteString(r.notes(s))
	return b.String() + selfCheck(b.String()), nil
}

// CSV prints the tables as comma-separated values, each behind the name of its file when there are several.
func (r *Replica) CSV(s *sweep.Sweep, files fs.FS) (string, error) {
	tables, err := r.Tables(s, files)
	if err != nil {
		return "", err
	}
	var b strings.Builder
	for _, t := range tables {
		body, err := t.CSV()
		if err != nil {
			return "", err
		}
		if len(tables) > 1 {
			fmt.Fprintf(&b, "# %s\n", t.File)
		}
		b.Write(body)
	}
	return b.String(), nil
}

// Files are those that the report has, of the figures of a sweep.
func (r *Replica) Files(s *sweep.Sweep, files fs.FS) ([]results.File, error) {
	tables, err := r.Tables(s, files)
	if err != nil {
		return nil, err
	}
	var all []results.File
	for _, t := range tables {
		body, err := t.CSV()
		if err != nil {
			return nil, err
		}
		all = append(all, results.File{Name: r.Name + "-" + t.File, Body: body})
	}
	text, err := r.Markdown(s, files)
	return append(all, results.File{Name: r.Name + ".md", Body: []byte(text)}), err
}

// notes say what the tables must be read with.
func (r *Replica) notes(s *sweep.Sweep) string {
	var b strings.Builder
	b.WriteString("Not as it was:\n\n")
	for _, line := range r.differs {
		b.WriteString("- " + line + "\n")
	}
	if c, ok := config(s); ok {
		fmt.Fprintf(&b, "- Warm-up %s on each server, left out; %s. The report's times are scaled by %g.\n", inSeconds(c.Warmup), lengthWords(c), s.Scale)
		fmt.Fprintf(&b, "- A takes %s, B %s, %.0f %% of the requests find their entry in the cache.\n", c.LatencyA, c.LatencyB, 100*c.HitRatio)
	}
	if len(r.notYet) > 0 {
		b.WriteString("\nNot yet:\n\n")
		for _, g := range r.notYet {
			fmt.Fprintf(&b, "- %s: needs %s\n", g.test, g.needs)
		}
	}
	return b.String()
}

// config is that of the first cell that was measured.
func config(s *sweep.Sweep) (c results.Config, ok bool) {
	for _, cell := range s.Cells {
		if cell.Run != nil {
			return cell.Run.Config, true
		}
	}
	return c, false
}

// lengthWords say how long a test is.
func lengthWords(c results.Config) string {
	var ends []string
	if c.Requests > 0 {
		ends = append(ends, fmt.Sprintf("%d requests", c.Requests))
	}
	if c.Duration > 0 {
		ends = append(ends, inSeconds(c.Duration))
	}
	return fmt.Sprintf("%d rounds of %s", c.Rounds, strings.Join(ends, " or "))
}

// inSeconds writes a time as the laws of an audit read it.
func inSeconds(d results.Seconds) string {
	return strconv.FormatFloat(time.Duration(d).Seconds(), 'f', -1, 64) + " s"
}

// selfCheck holds the tables against their own arithmetic, as loadrunner audit does.
func selfCheck(text string) string {
	found := audit.Read("", text).Findings
	if len(found) == 0 {
		return "\nSelf-check: the laws of loadrunner audit find nothing against these tables.\n"
	}
	var b strings.Builder
	fmt.Fprintf(&b, "\nSelf-check: the laws of loadrunner audit say against these tables:\n\n")
	for _, f := range found {
		fmt.Fprintf(&b, "- %s, %s (%s): %s: %s\n", f.Severity, f.Law, f.Subject, f.Figures, f.Meaning)
	}
	return b.String()
}
