package compare

import (
	"testing"

	"github.com/stretchr/testify/require"

	"poolvsloop/internal/results"
)

func TestTakeVersions(t *testing.T) {
	env := results.Environment{Versions: map[string]string{"shared": "v1", "old": "v1"}}
	config := map[string]any{"workers": "20", "versions": map[string]any{"shared": "v1", "old": "v2", "own": "v3", "odd": 1.0}}
	for range 2 { // servers that are started anew are asked again
		takeVersions(&env, EventLoop, config)
		require.Equal(t, map[string]string{"shared": "v1", "old": "v1", "old in eventloop": "v2", "own": "v3"}, env.Versions)
	}
	require.Equal(t, map[string]any{"workers": "20"}, config, "versions are no setting")
	takeVersions(&env, ThreadPool, map[string]any{})
}
