package contract

import (
	"encoding/json"
	"regexp"
	"testing"

	"github.com/stretchr/testify/require"
)

var isKey = regexp.MustCompile(`^[a-z0-9_]+$`).MatchString

// SnakeCase requires that the keys of v's JSON, those of all objects in it, are in snake_case.
func SnakeCase(t *testing.T, v any) {
	t.Helper()
	text, err := json.Marshal(v)
	require.NoError(t, err)
	var decoded any
	require.NoError(t, json.Unmarshal(text, &decoded))
	snakeCase(t, decoded)
}

func snakeCase(t *testing.T, v any) {
	t.Helper()
	switch v := v.(type) {
	case []any:
		for _, element := range v {
			snakeCase(t, element)
		}
	case map[string]any:
		for key, value := range v {
			require.True(t, isKey(key), key)
			snakeCase(t, value)
		}
	}
}
