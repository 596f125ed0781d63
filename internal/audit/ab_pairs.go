package audit

import (
	"fmt"
	"math"
	"regexp"
	"strings"
)

var (
	// abPace are options of ab that change no byte of a request, the first ones with a value.
	abPace = regexp.MustCompile(`^-(?:([nctsgebB])(.*)|[lrqdS])$`)
	abURL  = regexp.MustCompile(`^(https?://[^/?#]+)(/[^?#]*(?:\?[^#]*)?)$`)
)

// requestOf is what a command of ab says of the bytes of its requests: all that is the same for each path, and the path.
func requestOf(arguments string) (rest, path string, ok bool) {
	var kept []string
	words := strings.Fields(arguments)
	for i := 0; i < len(words); i++ {
		m := abPace.FindStringSubmatch(words[i])
		if m == nil {
			kept = append(kept, words[i])
		} else if m[1] != "" && m[2] == "" {
			i++ // its value
		}
	}
	if len(kept) == 0 {
		return "", "", false
	}
	last := len(kept) - 1
	m := abURL.FindStringSubmatch(strings.Trim(kept[last], `"'`))
	if m == nil {
		return "", "", false
	}
	kept[last] = m[1]
	return strings.Join(kept, " "), m[2], true
}

// each is the number of bytes that ab sent for one request; ok says that all requests were alike and none failed.
func (a *abRun) each() (bytes float64, ok bool) {
	n := a.complete.value
	if !a.sent.positive() || n < 1 || a.failed.value > 0 || a.asked.requests.value != n {
		return 0, false
	}
	return a.sent.value / n, math.Mod(a.sent.value, n) == 0
}

// pairs holds reports of commands that differ in their paths alone against each other: so must the bytes of their
// requests.
func pairs(runs []abRun, f *findings) {
	for i := 1; i < len(runs); i++ {
		a, b := &runs[i-1], &runs[i]
		restA, pathA, okA := requestOf(a.asked.arguments)
		restB, pathB, okB := requestOf(b.asked.arguments)
		bytesA, alikeA := a.each()
		bytesB, alikeB := b.each()
		if !okA || !okB || restA != restB || !alikeA || !alikeB {
			continue
		}
		explained, sent := float64(len(pathB)-len(pathA)), bytesB-bytesA
		if sent == explained {
			continue
		}
		f.add(Doubtful, "command", b.sent.line, b.subject(),
			fmt.Sprintf("%.0f bytes a request, %.0f those of line %d: %+.0f; the paths of the commands differ by %+.0f", bytesB, bytesA, a.sent.line, sent, explained),
			fmt.Sprintf("%+.0f bytes a request", sent-explained),
			"The commands differ in their paths alone, the requests by more: these were not the commands, or the body was changed between the runs.")
	}
}
