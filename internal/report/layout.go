package report

import (
	"fmt"
	"strings"
)

// columns is the width that no line of prose exceeds.
const columns = 100

// wrap breaks text into lines of at most [columns]; the first begins with first, the others with rest.
func wrap(text, first, rest string) string {
	var b strings.Builder
	line, indent := first, true
	for _, word := range strings.Fields(text) {
		if !indent && len([]rune(line))+1+len([]rune(word)) > columns {
			b.WriteString(line + "\n")
			line, indent = rest, true
		}
		if !indent {
			line += " "
		}
		line, indent = line+word, false
	}
	return b.String() + line + "\n"
}

// Wrap breaks a text into lines of at most 100 columns; the first begins with first, the others with rest.
func Wrap(text, first, rest string) string { return wrap(text, first, rest) }

// hanging wraps text so that all lines after the first stand below what follows its label ("Why: ").
func hanging(text string) string {
	label, _, _ := strings.Cut(text, " ")
	return wrap(text, "", strings.Repeat(" ", len(label)+1))
}

// roundsOf is "1 round" or "2 rounds".
func roundsOf(n int) string { return count(n, "round") }

// count is a number of things, of which the word is given for one.
func count(n int, thing string) string {
	if n == 1 {
		return "1 " + thing
	}
	return fmt.Sprintf("%d %ss", n, thing)
}
