package preset

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"regexp"
	"strings"

	"go.yaml.in/yaml/v3"
)

// mostBytes bounds a preset's file.
const mostBytes = 64 << 10

// Parse reads the preset in a file of that name. Every error names the file, and the line where there is one.
func Parse(file string, text []byte) (*Preset, error) {
	p := &Preset{Name: strings.TrimSuffix(filepath.Base(file), ending)}
	if len(text) > mostBytes {
		return nil, fmt.Errorf("%s: %d bytes are no preset: want %d at most", file, len(text), mostBytes)
	}
	decoder := yaml.NewDecoder(bytes.NewReader(text))
	decoder.KnownFields(true)
	if err := decoder.Decode(p); err != nil {
		return nil, located(file, err)
	}
	if err := decoder.Decode(&yaml.Node{}); !errors.Is(err, io.EOF) {
		return nil, fmt.Errorf("%s: want one document", file)
	}
	if err := p.check(); err != nil {
		return nil, located(file, err)
	}
	return p, nil
}

// unknownKey is how the library words it.
var unknownKey = regexp.MustCompile(`field (\S+) not found in type \S+`)

// located puts file and line in front of what is wrong, each in a line of its own.
func located(file string, err error) error {
	var all []error
	for _, text := range strings.Split(messages(err), "\n") {
		text = strings.TrimPrefix(text, "yaml: ")
		text = unknownKey.ReplaceAllString(text, "unknown key $1")
		if line, rest, found := strings.Cut(strings.TrimPrefix(text, "line "), ": "); found && strings.HasPrefix(text, "line ") {
			all = append(all, fmt.Errorf("%s:%s: %s", file, line, rest))
			continue
		}
		all = append(all, fmt.Errorf("%s: %s", file, text))
	}
	return errors.Join(all...)
}

// messages are those of an error, a line for each.
func messages(err error) string {
	var several *yaml.TypeError
	if errors.As(err, &several) {
		return strings.Join(several.Errors, "\n")
	}
	return err.Error()
}
