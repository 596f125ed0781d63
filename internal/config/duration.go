package config

import (
	"fmt"
	"strings"
	"time"
)

// Duration reads a time with its unit. The error says in plain words what is wanted.
func Duration(text string) (time.Duration, error) {
	d, err := time.ParseDuration(text)
	if err != nil {
		return 0, fmt.Errorf("%q: want a time with its unit, such as %s", text, example(text))
	}
	return d, nil
}

// example is a time that looks like the text, if that is a number that lacks its unit.
func example(text string) string {
	if text != "" && strings.Trim(text, "0123456789") == "" {
		return text + "ms or " + text + "s"
	}
	return "20ms or 1.5s"
}
