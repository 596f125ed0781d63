package sweep

import (
	"bufio"
	"bytes"
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"poolvsloop/internal/results"
)

// victim is the variable that makes this test binary a process that works on the sweep in that folder.
const victim = "SWEEP_TEST_VICTIM"

func TestMain(m *testing.M) {
	if dir := os.Getenv(victim); dir != "" {
		os.Exit(beVictim(dir))
	}
	os.Exit(m.Run())
}

// beVictim measures cells that take no time, and says a line before and after each.
func beVictim(dir string) int {
	j, err := Open(dir)
	if err == nil {
		w := Work{
			Journal: j, Now: time.Now, Say: func(line string) { fmt.Println(line) },
			Estimate: func(Cell) time.Duration { return time.Second },
			Measure:  func(_ context.Context, c Cell) (Outcome, error) { return Outcome{Files: filesOf(c), Says: "done"}, nil },
		}
		err = w.Run(context.Background())
	}
	if err != nil {
		fmt.Println("ERROR", err)
		return 1
	}
	return 0
}

// filesOf are the files of a cell, of which every byte can be checked.
func filesOf(c Cell) []results.File {
	var files []results.File
	for _, name := range []string{"one.json", "two.txt"} {
		sum := sha256.Sum256([]byte(c.Name() + name))
		files = append(files, results.File{Name: name, Body: bytes.Repeat(sum[:], 1+c.Number%100)})
	}
	return files
}

// TestAKilledSweepGoesOn kills the process that works on a sweep at random moments until all cells are there.
func TestAKilledSweepGoesOn(t *testing.T) {
	p := plan(t, "workers=1..6+1;c=1..10+1")
	parent := t.TempDir()
	j, err := Create(parent, p)
	require.NoError(t, err)
	require.NoError(t, j.Close())
	random := rand.New(rand.NewPCG(7, 7))
	kills, committed := 0, 0
	for ended := false; !ended; {
		var output string
		output, ended = killAfter(t, j.Dir, random.IntN(12), time.Duration(random.IntN(4000))*time.Microsecond)
		require.NotContains(t, output, "ERROR")
		now := requireWholeCells(t, j.Dir)
		require.GreaterOrEqual(t, now, committed, "no cell is lost")
		committed = now
		if !ended {
			kills++
		}
	}
	t.Logf("killed %d times", kills)
	require.Greater(t, kills, 5)
	require.Equal(t, len(p.Order), committed)
	require.Empty(t, unfinishedIn(t, j.Dir))
	requireOrder(t, j.Dir, p)
}

// killAfter starts a victim and kills it after so many of its lines and some time more; ended says that it was faster.
func killAfter(t *testing.T, dir string, lines int, more time.Duration) (output string, ended bool) {
	t.Helper()
	cmd := exec.Command(os.Args[0])
	cmd.Env = append(os.Environ(), victim+"="+dir)
	out, err := cmd.StdoutPipe()
	require.NoError(t, err)
	require.NoError(t, cmd.Start())
	said := bufio.NewScanner(out)
	for range lines {
		if !said.Scan() {
			break
		}
		output += said.Text() + "\n"
	}
	killing := time.AfterFunc(more, func() { _ = cmd.Process.Kill() })
	for said.Scan() {
		output += said.Text() + "\n"
	}
	err = cmd.Wait()
	killing.Stop()
	var exit *exec.ExitError
	if err == nil || errors.As(err, &exit) && exit.Exited() {
		return output, true
	}
	return output, false
}

// requireWholeCells looks at every cell that is there, with the eyes of one who knows nothing of the journal.
func requireWholeCells(t *testing.T, dir string) int {
	t.Helper()
	folders, err := os.ReadDir(dir)
	require.NoError(t, err)
	cells := 0
	for _, folder := range folders {
		var number int
		if _, err := fmt.Sscanf(folder.Name(), "cell-%d", &number); err != nil {
			require.True(t, folder.Name() == PlanFile || strings.HasPrefix(folder.Name(), unfinishedPrefix), folder.Name())
			continue
		}
		cells++
		for _, file := range filesOf(Cell{Number: number}) {
			body, err := os.ReadFile(filepath.Join(dir, folder.Name(), file.Name))
			require.NoError(t, err)
			require.True(t, bytes.Equal(file.Body, body), "%s of %s is whole", file.Name, folder.Name())
		}
	}
	return cells
}

// requireOrder: each cell is there once, at its place in the order of the plan.
func requireOrder(t *testing.T, dir string, p Plan) {
	t.Helper()
	j, err := Open(dir)
	require.NoError(t, err)
	defer j.Close()
	for _, e := range j.Entries() {
		require.Equal(t, p.Cells()[e.Cell-1].Settings, e.Settings)
	}
	require.Equal(t, p.Order, numbers(j.Entries()))
}
