package main

import (
	"encoding/json"
	"fmt"
	"io"
)

// show prints a text.
func show(out io.Writer, text string) error {
	if _, err := io.WriteString(out, text); err != nil {
		return fmt.Errorf("print: %w", err)
	}
	return nil
}

// indented is content as indented JSON, with a line break at its end.
func indented(content any) (string, error) {
	text, err := json.MarshalIndent(content, "", "  ")
	if err != nil {
		return "", fmt.Errorf("write as JSON: %w", err)
	}
	return string(text) + "\n", nil
}
