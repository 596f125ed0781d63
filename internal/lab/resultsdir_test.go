package lab

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestResultsDir(t *testing.T) {
	root := t.TempDir()
	require.NoError(t, os.MkdirAll(filepath.Join(root, "servers", "threadpool"), 0o755))
	require.NoError(t, os.WriteFile(filepath.Join(root, "go.mod"), []byte("module "+modulePath+"\n"), 0o600))
	for _, c := range []struct{ dir, want string }{
		{root, "results"},
		{filepath.Join(root, "servers"), "../results"},
		{filepath.Join(root, "servers", "threadpool"), "../../results"},
		{t.TempDir(), "results"},
	} {
		t.Chdir(c.dir)
		require.Equal(t, c.want, ResultsDir(), c.dir)
	}
}
