package report

import "strings"

// aligned sets rows, the first of which is their head, in columns: words to the left, figures to the right. groups stand
// over the columns from the given one on.
func aligned(rows [][]string, groups map[int]string) string {
	widths, words := columnWidths(rows)
	var b strings.Builder
	if len(groups) > 0 {
		line, at := "", 0
		for j, width := range widths {
			if group := groups[j]; group != "" {
				line += strings.Repeat(" ", max(0, at+2-len([]rune(line)))) + group
			}
			at += 2 + width
		}
		b.WriteString(line + "\n")
	}
	for _, row := range rows {
		line := ""
		for j, cell := range row {
			pad := strings.Repeat(" ", widths[j]-len([]rune(cell)))
			if words[j] {
				line += "  " + cell + pad
			} else {
				line += "  " + pad + cell
			}
		}
		b.WriteString(strings.TrimRight(line, " ") + "\n")
	}
	return b.String()
}

// columnWidths are those of the columns, and whether their cells are words.
func columnWidths(rows [][]string) (widths []int, words []bool) {
	widths, words = make([]int, len(rows[0])), make([]bool, len(rows[0]))
	for i, row := range rows {
		for j, cell := range row {
			widths[j] = max(widths[j], len([]rune(cell)))
			if i > 0 && (strings.Trim(cell, "0123456789.e+-") != "" || strings.Contains(cell, "..")) {
				words[j] = true
			}
		}
	}
	return widths, words
}

// markdownRows is a table with the first row as its head.
func markdownRows(rows [][]string) string {
	var b strings.Builder
	for i, row := range rows {
		cells := make([]string, len(row))
		for j, text := range row {
			cells[j] = cell(text)
		}
		b.WriteString("| " + strings.Join(cells, " | ") + " |\n")
		if i == 0 {
			b.WriteString("|" + strings.Repeat(" --- |", len(row)) + "\n")
		}
	}
	return b.String()
}
