package config

import (
	"testing"

	"github.com/stretchr/testify/require"
)

// FuzzSeconds: what the flag takes it prints in a form that means the same.
func FuzzSeconds(f *testing.F) {
	for _, text := range []string{"10", "1.5", "250ms", "-1", "0", "NaN", "1e300", "2h3m", ""} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		var first, second seconds
		if first.Set(text) != nil {
			return
		}
		require.NoError(t, second.Set(first.String()))
		require.Equal(t, first, second)
	})
}
