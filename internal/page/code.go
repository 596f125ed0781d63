package page

import (
	"regexp"
	"strings"
)

// run is a piece of text, as code or not.
type run struct {
	Text string
	Code bool
}

// flag is a flag of the command line with its value, in a sentence.
var flag = regexp.MustCompile(`(^|\s)--?[a-z][a-z-]*([= ][0-9]+)?`)

// runs parts text at its backticks, and at its flags: those are code.
func runs(text string) []run {
	var all []run
	add := func(text string, code bool) {
		if text != "" {
			all = append(all, run{text, code})
		}
	}
	for i, piece := range strings.Split(text, "`") {
		if i%2 == 1 {
			add(piece, true)
			continue
		}
		last := 0
		for _, at := range flag.FindAllStringSubmatchIndex(piece, -1) {
			add(piece[last:at[3]], false)
			add(piece[at[3]:at[1]], true)
			last = at[1]
		}
		add(piece[last:], false)
	}
	return all
}
