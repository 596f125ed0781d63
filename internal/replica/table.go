package replica

import (
	"bytes"
	"encoding/csv"
	"fmt"
	"strings"
)

// Table is one of a report. A table without columns is the text of another tool.
type Table struct {
	// File is the name of the file that the report has it in, Title what stands above it.
	File, Title string
	Head        []string
	Rows        [][]string
	Text        string
}

// CSV is the table as comma-separated values, or its text.
func (t Table) CSV() ([]byte, error) {
	if len(t.Head) == 0 {
		return []byte(t.Text), nil
	}
	var b bytes.Buffer
	out := csv.NewWriter(&b)
	if err := out.WriteAll(append([][]string{t.Head}, t.Rows...)); err != nil {
		return nil, fmt.Errorf("write %s: %w", t.File, err)
	}
	return b.Bytes(), nil
}

// Markdown is the table in Markdown, or its text.
func (t Table) Markdown() string {
	if len(t.Head) == 0 {
		return "```\n" + t.Text + "```\n"
	}
	var b strings.Builder
	line := func(cells []string) {
		for i, cell := range cells {
			cells[i] = strings.ReplaceAll(cell, "|", `\|`)
		}
		b.WriteString("| " + strings.Join(cells, " | ") + " |\n")
	}
	line(append([]string{}, t.Head...))
	b.WriteString("|" + strings.Repeat("---|", len(t.Head)) + "\n")
	for _, row := range t.Rows {
		line(append([]string{}, row...))
	}
	return b.String()
}
