package sweep

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"poolvsloop/internal/results"
)

// TestASweepCutAtAnyByteGoesOn puts on the disk what a process leaves that is killed behind any byte of any file of any
// cell: the next one finds the cells before it, all of them and no other, and none of the rest.
func TestASweepCutAtAnyByteGoesOn(t *testing.T) {
	p := plan(t, "c=1,2,3")
	for done, number := range p.Order {
		j := begin(t, "c=1,2,3")
		w, _ := working(j, nil)
		for _, before := range p.Order[:done] {
			c := p.Cells()[before-1]
			require.NoError(t, j.Commit(w.entry(c), filesOf(c)))
		}
		require.NoError(t, j.Close())
		next := p.Cells()[number-1]
		entry, err := marshal(entryFile, w.entry(next))
		require.NoError(t, err)
		cutEverywhere(t, j.Dir, p, done, append(filesOf(next), entry))
	}
}

// cutEverywhere tries every place in the files of the cell behind so many that are done; at one place of each file the
// sweep goes on to its end.
func cutEverywhere(t *testing.T, dir string, p Plan, done int, files []results.File) {
	t.Helper()
	for n, file := range files {
		for cut := range len(file.Body) + 1 {
			leaveUnfinished(t, dir, append(append([]results.File{}, files[:n]...), results.File{Name: file.Name, Body: file.Body[:cut]}))
			if cut == len(file.Body)/2 {
				goOn(t, dir, p)
			}
			j, err := Open(dir)
			require.NoError(t, err)
			require.Equal(t, p.Order[:done], numbers(j.entries), "%s cut at %d", file.Name, cut)
			require.NoError(t, j.Close())
			require.Empty(t, unfinishedIn(t, dir))
		}
	}
}

// leaveUnfinished writes what [commitFolder] has written before the folder has its name.
func leaveUnfinished(t *testing.T, dir string, files []results.File) {
	t.Helper()
	for _, f := range files {
		write(t, dir, unfinishedPrefix+"1/"+f.Name, string(f.Body))
	}
}

// goOn measures the rest of a copy of the sweep.
func goOn(t *testing.T, dir string, p Plan) {
	t.Helper()
	copied := filepath.Join(t.TempDir(), "copy")
	require.NoError(t, os.CopyFS(copied, os.DirFS(dir)))
	j, err := Open(copied)
	require.NoError(t, err)
	w, _ := working(j, func(Cell) error { return nil })
	require.NoError(t, w.Run(t.Context()))
	require.NoError(t, j.Close())
	require.Equal(t, len(p.Order), requireWholeCells(t, copied))
	requireOrder(t, copied, p)
	require.Empty(t, unfinishedIn(t, copied))
}

func numbers(entries []Entry) []int {
	all := []int{}
	for _, e := range entries {
		all = append(all, e.Cell)
	}
	return all
}

func unfinishedIn(t *testing.T, dir string) []string {
	t.Helper()
	left, err := filepath.Glob(filepath.Join(dir, unfinishedPrefix+"*"))
	require.NoError(t, err)
	return left
}
