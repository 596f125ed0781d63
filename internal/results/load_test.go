package results

import (
	"encoding/json"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestLoad(t *testing.T) {
	whole, err := json.Marshal(example())
	require.NoError(t, err)
	for name, c := range map[string]struct{ text, err string }{
		"whole":        {string(whole), ""},
		"cut":          {string(whole[:len(whole)/2]), "run.json: unexpected end"},
		"other schema": {`{"schema":"other/1"}`, `its schema is "other/1", want "poolvsloop/run/1"`},
		"no targets":   {`{"schema":"poolvsloop/run/1"}`, "it has 0 targets, want 2"},
		"no object":    {`[]`, "cannot unmarshal"},
	} {
		t.Run(name, func(t *testing.T) {
			dir := t.TempDir()
			require.NoError(t, os.WriteFile(filepath.Join(dir, Document), []byte(c.text), 0o600))
			run, err := Load(dir)
			if c.err == "" {
				require.NoError(t, err)
				require.Equal(t, example(), run)
				return
			}
			require.ErrorContains(t, err, c.err)
		})
	}
	_, err = Load(t.TempDir())
	require.ErrorIs(t, err, os.ErrNotExist)
}
