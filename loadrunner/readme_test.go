package main

import (
	"os"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// What the README shows of a run is what the committed example run printed.
func TestReadmeShowsTheExampleRun(t *testing.T) {
	readme, err := os.ReadFile("../README.md")
	require.NoError(t, err)
	_, rest, found := strings.Cut(string(readme), "<!-- example:compare -->\n```\n")
	require.True(t, found, "the README marks the example")
	shown, _, found := strings.Cut(rest, "```\n<!-- end -->")
	require.True(t, found, "the README ends the example")

	text, err := os.ReadFile("../results/example/compare.txt")
	require.NoError(t, err)
	require.NotEmpty(t, shown)
	require.Contains(t, string(text), shown)
}
