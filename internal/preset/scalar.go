package preset

import (
	"fmt"

	"go.yaml.in/yaml/v3"
)

// Label is a text that knows its line, for errors.
type Label struct {
	Text string
	Line int
}

// UnmarshalYAML implements [yaml.Unmarshaler].
func (l *Label) UnmarshalYAML(node *yaml.Node) error {
	if node.Kind != yaml.ScalarNode {
		return atLine(node.Line, "want a text")
	}
	l.Text, l.Line = node.Value, node.Line
	return nil
}

// Flag is one flag, by its name or its letter, with its values: one, or more for a flag that may be repeated.
type Flag struct {
	Name   string
	Values []string
	Line   int
}

// Flags are flags in the order of the file.
type Flags []Flag

// UnmarshalYAML implements [yaml.Unmarshaler].
func (f *Flags) UnmarshalYAML(node *yaml.Node) error {
	if node.Kind != yaml.MappingNode {
		return atLine(node.Line, "want flags, as {workers: 20, c: 200}")
	}
	*f = Flags{}
	for i := 0; i+1 < len(node.Content); i += 2 {
		key, value := node.Content[i], node.Content[i+1]
		flag := Flag{Name: key.Value, Line: key.Line}
		for _, other := range *f {
			if other.Name == flag.Name {
				return atLine(key.Line, "%s is given twice, first in line %d", key.Value, other.Line)
			}
		}
		switch value.Kind {
		case yaml.ScalarNode:
			flag.Values = []string{value.Value}
		case yaml.SequenceNode:
			for _, item := range value.Content {
				flag.Values = append(flag.Values, item.Value)
			}
		default:
			return atLine(value.Line, "%s: want a value, or a list of them", key.Value)
		}
		*f = append(*f, flag)
	}
	return nil
}

// lineError is what is wrong in a line of a file.
type lineError struct {
	line int
	text string
}

// Error implements error.
func (e *lineError) Error() string { return fmt.Sprintf("line %d: %s", e.line, e.text) }

func atLine(line int, format string, args ...any) error {
	return &lineError{line, fmt.Sprintf(format, args...)}
}
