package preset

import (
	"encoding/json"
	"fmt"
	"math"
	"slices"
	"strings"
	"time"

	"poolvsloop/internal/results"
)

// SummarySchema is the version of the document about several presets.
const SummarySchema = "poolvsloop/presets/1"

// SummaryDocument is its name in the results folder, SummaryTable that of the table for people.
const (
	SummaryDocument = "presets.json"
	SummaryTable    = "presets.md"
)

// Summary is what became of presets that were run together.
type Summary struct {
	Schema  string    `json:"schema"`
	Started time.Time `json:"started"`
	Quick   bool      `json:"quick"`
	TookS   float64   `json:"took_s"`
	Presets []Line    `json:"presets"`
}

// Line is one of them. What it left behind is in the folder of its name.
type Line struct {
	Preset  string  `json:"preset"`
	Title   string  `json:"title"`
	Verdict string  `json:"verdict"`
	Error   string  `json:"error,omitempty"`
	TookS   float64 `json:"took_s"`
	// OtherLoadPercent is the most that programs which are not of the runs had of the processors in a round, null where that
	// is not known.
	OtherLoadPercent results.Number `json:"other_load_percent"`
	Expectations     []Judged       `json:"expectations"`
}

// key is the expectation that stands for all: the first that failed, or else the first of a figure that theory knows, of any
// figure, or at all.
func (l Line) key() Judged {
	for _, stands := range []func(Judged) bool{
		func(j Judged) bool { return !j.Passed },
		func(j Judged) bool { return !math.IsNaN(float64(j.Is)) },
		func(j Judged) bool { return !math.IsNaN(float64(j.Value)) },
		func(Judged) bool { return true },
	} {
		if i := slices.IndexFunc(l.Expectations, stands); i >= 0 {
			return l.Expectations[i]
		}
	}
	return Judged{}
}

// Text is the table for a terminal: of each preset the figure that stands for all.
func (s *Summary) Text() string {
	var b strings.Builder
	row := func(cells ...any) {
		b.WriteString(strings.TrimRight(fmt.Sprintf("%-17s %-21s %8s %6s %6s  %-28s %s", cells...), " ") + "\n")
	}
	row("preset", "verdict", "as exp.", "took", "others", "expected", "measured")
	passed := 0
	for _, l := range s.Presets {
		met := 0
		for _, j := range l.Expectations {
			if j.Passed {
				met++
			}
		}
		if l.Verdict == Passed {
			passed++
		}
		key := l.key()
		row(l.Preset, l.Verdict, fmt.Sprintf("%d of %d", met, len(l.Expectations)), fmt.Sprintf("%.0f s", l.TookS),
			percentage(l.OtherLoadPercent), key.Wanted, key.Found)
	}
	fmt.Fprintf(&b, "\n%d of %d passed, in %.0f s. Others: the most that other programs had of the processors in a round.\n", passed,
		len(s.Presets), s.TookS)
	return b.String()
}

// percentage is a figure in percent, or a dash.
func percentage(x results.Number) string {
	if math.IsNaN(float64(x)) {
		return "-"
	}
	return fmt.Sprintf("%.0f %%", float64(x))
}

// Markdown is the table with every expectation.
func (s *Summary) Markdown() string {
	var b strings.Builder
	form := ""
	if s.Quick {
		form = " --quick"
	}
	fmt.Fprintf(&b, "# `loadrunner preset run%s`, %s\n\n", form, s.Started.Format(time.RFC3339))
	fmt.Fprintf(&b, "%d presets in %.0f s. *Others* is the most that other programs had of the processors in a round.\n\n",
		len(s.Presets), s.TookS)
	b.WriteString("| preset | verdict | seconds | others | what has to come | expected | measured | off | |\n" +
		"| --- | --- | ---: | ---: | --- | --- | ---: | ---: | --- |\n")
	for _, l := range s.Presets {
		head := fmt.Sprintf("| [`%s`](%s/) | %s | %.0f | %s |", l.Preset, l.Preset, l.Verdict, l.TookS, percentage(l.OtherLoadPercent))
		if len(l.Expectations) == 0 {
			fmt.Fprintf(&b, "%s %s | | | | |\n", head, inCell(l.Error))
		}
		for _, j := range l.Expectations {
			fmt.Fprintf(&b, "%s %s | %s | %s | %s | %s |\n", head, inCell(j.Says), inCell(j.Wanted), inCell(j.Found), j.off(), j.word())
			head = "| | | | |"
		}
	}
	return b.String()
}

// inCell is a text as a table in markdown takes it.
func inCell(text string) string {
	return strings.NewReplacer("|", `\|`, "\n", " ", "<", "&lt;").Replace(text)
}

// files are what a series leaves behind beside the folders of its presets.
func (s *Summary) files() ([]results.File, error) {
	document, err := json.MarshalIndent(s, "", "  ")
	if err != nil {
		return nil, fmt.Errorf("write %s: %w", SummaryDocument, err)
	}
	return []results.File{
		{Name: SummaryDocument, Body: append(document, '\n')}, {Name: SummaryTable, Body: []byte(s.Markdown())},
	}, nil
}
