package sweep

import (
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"poolvsloop/internal/results"
)

// begin makes the journal of a grid.
func begin(t *testing.T, grid string) *Journal {
	t.Helper()
	j, err := Create(t.TempDir(), plan(t, grid))
	require.NoError(t, err)
	t.Cleanup(func() { _ = j.Close() })
	return j
}

func TestACellIsCommittedOnce(t *testing.T) {
	j := begin(t, "c=1,2")
	require.NoError(t, j.Commit(Entry{Cell: 1, Position: 2}, []results.File{{Name: "run.json", Body: []byte("{}")}}))
	err := j.Commit(Entry{Cell: 1, Position: 2}, []results.File{{Name: "run.json", Body: []byte("other")}})
	require.ErrorIs(t, err, fs.ErrExist)
	body, err := os.ReadFile(filepath.Join(j.Dir, "cell-0001", "run.json"))
	require.NoError(t, err)
	require.Equal(t, "{}", string(body))
	require.Equal(t, 1, j.Left())
}

func TestAJournalIsOfOneProcess(t *testing.T) {
	j := begin(t, "c=1,2")
	_, err := Open(j.Dir)
	require.ErrorIs(t, err, ErrBusy)
	require.NoError(t, j.Close())
	again, err := Open(j.Dir)
	require.NoError(t, err)
	require.NoError(t, again.Close())
}

func TestOpenRefuses(t *testing.T) {
	for name, c := range map[string]struct {
		spoil func(t *testing.T, dir string)
		says  string
	}{
		"no plan":           {func(t *testing.T, dir string) { require.NoError(t, os.Remove(filepath.Join(dir, PlanFile))) }, "want the folder of a sweep"},
		"plan of a run":     {func(t *testing.T, dir string) { write(t, dir, PlanFile, `{"schema":"other"}`) }, "only sweeps of this version"},
		"plan with surplus": {func(t *testing.T, dir string) { write(t, dir, PlanFile, `{"colour":1}`) }, "colour"},
		"cell of another":   {func(t *testing.T, dir string) { write(t, dir, "cell-0009/cell.json", `{"cell":9}`) }, "no cell of this sweep"},
		"cell renamed":      {func(t *testing.T, dir string) { write(t, dir, "cell-0002/cell.json", `{"cell":1}`) }, "no cell of this sweep"},
		"cell damaged":      {func(t *testing.T, dir string) { write(t, dir, "cell-0002/cell.json", `{"cell":`) }, "cell.json"},
	} {
		t.Run(name, func(t *testing.T) {
			j := begin(t, "c=1,2")
			require.NoError(t, j.Close())
			c.spoil(t, j.Dir)
			_, err := Open(j.Dir)
			require.ErrorContains(t, err, c.says)
		})
	}
}

func write(t *testing.T, dir, name, text string) {
	t.Helper()
	path := filepath.Join(dir, name)
	require.NoError(t, os.MkdirAll(filepath.Dir(path), 0o755))
	require.NoError(t, os.WriteFile(path, []byte(text), 0o644))
}

func TestADiscardedCellIsMeasuredAnew(t *testing.T) {
	j := begin(t, "c=1,2")
	for n := range 3 {
		require.NoError(t, j.Commit(Entry{Cell: 2, Position: 1}, []results.File{{Name: "n", Body: []byte{byte(n)}}}))
		require.Equal(t, 1, j.Left())
		require.NoError(t, j.Discard(j.Entries()[0]))
		require.Equal(t, 2, j.Left())
		body, err := os.ReadFile(filepath.Join(j.Dir, fmt.Sprintf("discarded-cell-0002-%d", n+1), "n"))
		require.NoError(t, err)
		require.Equal(t, []byte{byte(n)}, body)
	}
	require.Error(t, j.Discard(Entry{Cell: 1}), "there is none")
	s, err := Load(j.Dir)
	require.NoError(t, err)
	require.Equal(t, 3, s.Discarded)
	require.Empty(t, s.Cells)
}
