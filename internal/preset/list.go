package preset

import (
	"fmt"
	"strings"
)

// List is the table of all presets.
func List() (string, error) {
	var b strings.Builder
	for i, name := range Names() {
		p, err := Find(name)
		if err != nil {
			return "", err
		}
		lesson := ""
		if i < len(Lessons) {
			lesson = fmt.Sprint(i + 1)
		}
		fmt.Fprintf(&b, "%2s  %-18s %s\n", lesson, name, p.Title)
	}
	return b.String(), nil
}

// Asking is what a guess is asked with.
func (p *Preset) Asking() string {
	return p.heading() + "\n" + p.Guess.question()
}
