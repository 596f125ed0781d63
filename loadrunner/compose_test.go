package main

import (
	"os"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"poolvsloop/internal/contract"
)

func TestComposeHasTheDefaults(t *testing.T) { contract.Compose(t, "..", compareCommand().Flags()) }

// The load runner's requests and both downstreams' delays come from one seed.
func TestComposeGivesTheSeedToAll(t *testing.T) {
	text, err := os.ReadFile("../compose.yaml")
	require.NoError(t, err)
	require.Equal(t, 3, strings.Count(string(text), "LAB_SEED: ${SEED:-1}\n"))
}
