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
	old := example()
	old.Targets[1].AB = nil
	older, err := json.Marshal(old)
	require.NoError(t, err)
	newer := append([]byte(`{"luck":7,`), whole[1:]...)
	for name, c := range map[string]struct{ text, err string }{
		"whole":        {string(whole), ""},
		"cut":          {string(whole[:len(whole)/2]), "run.json: no results of this program, or damaged: unexpected end"},
		"other schema": {`{"schema":"other/1"}`, `its schema is "other/1", want "poolvsloop/run/1"`},
		"no targets":   {`{"schema":"poolvsloop/run/1"}`, "it has 0 targets, want 2"},
		"older":        {string(older), `eventloop has rounds and no key "ab": only results of this version`},
		"newer":        {string(newer), `unknown field "luck": only results of this version`},
		"two":          {string(whole) + string(whole), "damaged: invalid character"},
		"empty":        {"", "damaged: unexpected end"},
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
			require.NotContains(t, err.Error(), "\n")
		})
	}
	_, err = Load(t.TempDir())
	require.ErrorIs(t, err, os.ErrNotExist)
}
