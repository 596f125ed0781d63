package preset

import (
	"fmt"
	"math"
	"strings"

	"github.com/spf13/pflag"

	"poolvsloop/internal/compare"
	"poolvsloop/internal/report"
	"poolvsloop/internal/results"
	"poolvsloop/internal/single"
)

// label wraps a text behind a label.
func label(name, text string) string {
	return report.Wrap(name+": "+strings.Join(strings.Fields(text), " "), "", "  ")
}

// heading is what is said of a preset before anything runs.
func (p *Preset) heading() string {
	return p.Name + ": " + p.Title + "\n\n" + label("Question", p.Question)
}

// Description is all that a file says, for who wants to read it.
func (p *Preset) Description(quick bool) (string, error) {
	text, err := p.Introduction(quick)
	if err != nil {
		return "", err
	}
	return text + "\n" + p.ending(), nil
}

// ending is what is learnt.
func (p *Preset) ending() string {
	return label("Law", p.Law) + label("Theory", p.Theory) + label("Lesson", p.Lesson) + "Next: " + strings.TrimSpace(p.Next) + "\n"
}

// Command is what one would type for a step, as far as one command says it.
func (s *Step) Command(quick bool) string {
	fs := pflag.NewFlagSet("", pflag.ContinueOnError)
	if s.Compare != nil {
		compare.Bind(fs, &results.Config{})
		return "loadrunner compare " + s.flags(fs, true, quick).commandLine(fs)
	}
	var l load
	single.Bind(fs, &l.Options)
	l.bindRounds(fs)
	asked := "URL" + s.Path
	switch {
	case s.Path == orderPath:
		asked = "URL/v1/sync (event loop: /v1/async)"
	case s.Targets != "":
		asked = "URL, for " + strings.Join(strings.FieldsFunc(s.Targets, func(r rune) bool { return r == '\n' }), ", ")
	}
	text := "loadrunner run " + s.flags(fs, false, quick).commandLine(fs) + " " + asked
	for _, program := range []struct {
		name  string
		flags Flags
	}{
		{"both servers", s.Servers}, {"thread pool", s.ThreadPool}, {"event loop", s.EventLoop}, {"downstream A", s.DownstreamA},
		{"downstream B", s.DownstreamB},
	} {
		if len(program.flags) > 0 {
			text += "; " + program.name + ": " + program.flags.commandLine(nil)
		}
	}
	return text
}

// predictionText is what theory expects, given what is known before the run.
func (p *Preset) predictionText(known map[string]any, quick bool) string {
	var b strings.Builder
	predicted := false
	for i := range p.Steps {
		s := &p.Steps[i]
		b.WriteString(report.Wrap("Step "+s.Name.Text+": "+s.Command(quick), "", "  "))
		predicted = predicted || s.Compare != nil
	}
	if predicted {
		b.WriteString("\nPredicted by queueing theory, with the cost of a request in results/example:\n" + p.predictionTable(known))
	}
	b.WriteString("\nExpected:\n")
	for i := range p.Expect {
		b.WriteString(report.Wrap(fmt.Sprintf("%d. %s", i+1, p.Expect[i].expected(known)), "  ", "     "))
	}
	return "\n" + b.String()
}

// expected says what has to come, with what is known before the run.
func (e *Expectation) expected(known map[string]any) string {
	j := e.judge(known)
	if strings.Contains(j.Wanted, "not known") || j.Wanted == "" {
		return e.Says.Text
	}
	return e.Says.Text + ": " + j.Wanted
}

// predictionTable has a line for each server of each step that compares.
func (p *Preset) predictionTable(known map[string]any) string {
	columns := []column{
		{"goodput [req/s]", "throughput_rps"}, {"mean [ms]", "mean_ms"}, {"p50 [ms]", "p50_ms"}, {"p99 [ms]", "p99_ms"},
		{"rejected", "blocked_share"},
	}
	return p.table(columns, known, func(s *Step, figures map[string]any) map[string]any {
		predicted, _ := figures["predicted"].(map[string]any)
		return predicted
	})
}

// measuredTable has a line for each server of each step.
func (p *Preset) measuredTable(figures map[string]any) string {
	columns := []column{
		{"goodput [req/s]", "goodput_rps"}, {"answers/s", "throughput_rps"}, {"mean [ms]", "mean_ms"}, {"p50 [ms]", "p50_ms"},
		{"p99 [ms]", "p99_ms"}, {"failed", "failed_share"},
	}
	return p.table(columns, figures, func(_ *Step, figures map[string]any) map[string]any { return figures })
}

// column is a figure of a table, by its name in formulas.
type column struct{ title, name string }

func (p *Preset) table(columns []column, all map[string]any, of func(*Step, map[string]any) map[string]any) string {
	var b strings.Builder
	fmt.Fprintf(&b, "  %-14s %-10s", "", "")
	for _, c := range columns {
		fmt.Fprintf(&b, " %15s", c.title)
	}
	b.WriteString("\n")
	for i := range p.Steps {
		s, name := &p.Steps[i], p.Steps[i].Name.Text
		step, _ := all[name].(map[string]any)
		for _, server := range servers {
			own, _ := step[server].(map[string]any)
			figures := of(s, own)
			if figures == nil {
				continue
			}
			fmt.Fprintf(&b, "  %-14s %-10s", name, server)
			name = ""
			for _, c := range columns {
				fmt.Fprintf(&b, " %15s", cell(figures[c.name]))
			}
			b.WriteString("\n")
		}
	}
	return b.String()
}

// cell is a figure in a table.
func cell(value any) string {
	if text := show(value); value != nil && text != "not known" {
		return text
	}
	return "-"
}

// text is what is said behind the run.
func (o *Outcome) text() string {
	var b strings.Builder
	b.WriteString("\nMeasured:\n" + o.preset.measuredTable(o.figures) + "\n")
	for _, s := range o.Steps {
		if s.Valid {
			continue
		}
		word := "INVALID"
		if s.Expected != "" {
			word = "refused by the lab, as it has to be"
		}
		b.WriteString(report.Wrap(fmt.Sprintf("Step %s is %s: %s", s.Name, word, strings.Join(s.Reasons, "; ")), "", "  "))
	}
	for _, j := range o.Expectations {
		b.WriteString(report.Wrap(j.String(), "  ", "          "))
	}
	b.WriteString("\n" + label("Verdict", o.verdictText()))
	if o.Guess != nil {
		b.WriteString(report.Wrap(o.Guess.String(), "", "  "))
	}
	b.WriteString("\n" + o.preset.ending())
	return b.String()
}

// String is the line about an expectation.
func (j Judged) String() string {
	text := fmt.Sprintf("%s  %s: %s", j.word(), j.Says, j.Found)
	if j.Wanted != "" {
		text += ", wanted " + j.Wanted
	}
	if off := j.off(); off != "" {
		text += " (" + off + ")"
	}
	return text
}

// word says whether it came as it should.
func (j Judged) word() string {
	if j.Passed {
		return "passed"
	}
	return "FAILED"
}

// off is how far a figure is from what theory says, or "" where that has no meaning.
func (j Judged) off() string {
	if off := float64(j.DeviationPercent); !math.IsNaN(off) && j.WithinPercent > 0 {
		return fmt.Sprintf("%+.1f %%", off)
	}
	return ""
}

func (o *Outcome) verdictText() string {
	text := fmt.Sprintf("%s, %d of %d as expected", o.Verdict, o.met(), len(o.Expectations))
	if o.Verdict == Invalid || o.Verdict == Busy {
		text += "; the lab does not stand behind these figures, so that says nothing"
	}
	return text
}
