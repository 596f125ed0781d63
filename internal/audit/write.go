package audit

import (
	"encoding/json"
	"fmt"
	"strings"
)

// Text prints documents for people: each finding with its figures, and a line of counts for each text.
func Text(all []*Document) string {
	var b strings.Builder
	for _, d := range all {
		for _, f := range d.Findings {
			fmt.Fprintf(&b, "%s:%d: %s: %s: %s\n    figures: %s\n    off:     %s\n    means:   %s\n",
				f.File, f.Line, f.Severity, f.Law, f.Subject, f.Figures, f.Off, f.Meaning)
		}
		fmt.Fprintf(&b, "%s: %s\n", d.File, d.counts())
	}
	return b.String()
}

func (d *Document) counts() string {
	return fmt.Sprintf("read %s, %s, %s, %s; %d refuted, %d doubtful", plural(d.AB, "report of ab", "reports of ab"),
		plural(d.Wrk, "report of wrk", "reports of wrk"), plural(d.Tables, "table", "tables"), plural(d.Captions, "caption", "captions"), d.Count(Refuted), d.Count(Doubtful))
}

func plural(n int, one, many string) string {
	if n == 1 {
		return "1 " + one
	}
	return fmt.Sprintf("%d %s", n, many)
}

// Markdown prints documents as a table for each text.
func Markdown(all []*Document) string {
	var b strings.Builder
	for i, d := range all {
		if i > 0 {
			b.WriteString("\n")
		}
		fmt.Fprintf(&b, "### %s\n\n%s\n", escape(d.File), d.counts())
		if len(d.Findings) == 0 {
			continue
		}
		b.WriteString("\n| line | severity | law | what | figures | off | meaning |\n| ---: | --- | --- | --- | --- | --- | --- |\n")
		for _, f := range d.Findings {
			fmt.Fprintf(&b, "| %d | %s | %s | %s | %s | %s | %s |\n",
				f.Line, f.Severity, f.Law, escape(f.Subject), escape(f.Figures), escape(f.Off), escape(f.Meaning))
		}
	}
	return b.String()
}

// escape keeps what others wrote from ending a cell or from being read as markup.
func escape(text string) string {
	return strings.NewReplacer("|", `\|`, "<", "&lt;", "\n", " ").Replace(text)
}

// JSON prints documents as an array.
func JSON(all []*Document) (string, error) {
	text, err := json.MarshalIndent(all, "", "  ")
	if err != nil {
		return "", fmt.Errorf("print the findings: %w", err)
	}
	return string(text) + "\n", nil
}
