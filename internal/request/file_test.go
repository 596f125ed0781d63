package request

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestReadFile(t *testing.T) {
	name := filepath.Join(t.TempDir(), "body")
	require.NoError(t, os.WriteFile(name, []byte("{}"), 0o600))
	content, err := ReadFile(name)
	require.NoError(t, err)
	require.Equal(t, "{}", string(content))

	_, err = ReadFile(name + "?")
	require.ErrorIs(t, err, os.ErrNotExist)
	_, err = ReadFile(filepath.Dir(name))
	require.ErrorContains(t, err, "is a directory")
	_, err = ReadFile("/dev/zero")
	require.ErrorContains(t, err, "more than 64 MiB")
}
