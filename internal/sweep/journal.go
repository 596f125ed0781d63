package sweep

import (
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"time"

	"golang.org/x/sys/unix"

	"poolvsloop/internal/results"
)

// Files of a sweep's folder, and of a cell's.
const (
	PlanFile  = "plan.json"
	entryFile = "cell.json"
)

// ErrBusy says that another process works on a sweep.
var ErrBusy = errors.New("another process is measuring it")

// Journal is the folder of a sweep: plan.json, and a folder for each cell that was measured. A cell's folder appears whole,
// so that what is there is what was done: nothing is lost or done twice by a process that is killed. One process holds a
// journal at a time; its methods are for one goroutine.
type Journal struct {
	Dir  string
	Plan Plan

	lock    *os.File // plan.json, locked while this process lives; the kernel drops the lock of a killed one
	entries []Entry
}

// Entry is cell.json: a cell that was measured, or could not be.
type Entry struct {
	Cell int `json:"cell"`
	// Step is that of the search in the cell, from 1; 0 where there is none.
	Step     int               `json:"step"`
	Settings map[string]string `json:"settings"`
	// Position is the cell's place in the order of measuring, from 1.
	Position int       `json:"position"`
	Started  time.Time `json:"started"`
	// DurationS is how long it took in seconds, with everything around the rounds.
	DurationS float64 `json:"duration_s"`
	// Failure says why nothing could be measured, "" when it was: then run.json is beside it.
	Failure string `json:"failure"`
}

// Name is that of the cell's folder.
func (e Entry) Name() string { return Cell{Number: e.Cell, Step: e.Step}.Name() }

// Create makes the folder parent/plan.ID and returns its journal.
func Create(parent string, plan Plan) (*Journal, error) {
	if err := plan.check(); err != nil {
		return nil, fmt.Errorf("plan a sweep: %w", err)
	}
	text, err := marshal(PlanFile, plan)
	if err == nil {
		err = os.MkdirAll(parent, 0o755)
	}
	if err == nil {
		err = commitFolder(parent, plan.ID, []results.File{text})
	}
	if err != nil {
		return nil, fmt.Errorf("begin a sweep: %w; --results names another folder", err)
	}
	return Open(filepath.Join(parent, plan.ID))
}

// Open returns the journal of a sweep that was begun. The error wraps [ErrBusy] when another process has it open.
func Open(dir string) (j *Journal, err error) {
	j = &Journal{Dir: dir}
	if j.lock, err = os.Open(filepath.Join(dir, PlanFile)); err != nil {
		return nil, fmt.Errorf("go on with the sweep in %s: %w: want the folder of a sweep", dir, err)
	}
	if err = unix.Flock(int(j.lock.Fd()), unix.LOCK_EX|unix.LOCK_NB); errors.Is(err, unix.EWOULDBLOCK) {
		err = ErrBusy
	}
	if err == nil {
		err = tidy(dir)
	}
	if err == nil {
		j.Plan, j.entries, err = read(dir)
	}
	if err != nil {
		return nil, errors.Join(fmt.Errorf("go on with the sweep in %s: %w", dir, err), j.lock.Close())
	}
	return j, nil
}

// Close lets others have the journal.
func (j *Journal) Close() error { return j.lock.Close() }

// Entries are the cells that are done, in the order of measuring.
func (j *Journal) Entries() []Entry { return slices.Clone(j.entries) }

// Left is how many cells of a grid are not done.
func (j *Journal) Left() int { return len(j.Plan.Order) - len(j.entries) }

// Commit adds a cell that is done, with the files that it left.
func (j *Journal) Commit(e Entry, files []results.File) error {
	text, err := marshal(entryFile, e)
	if err == nil {
		err = commitFolder(j.Dir, e.Name(), append(slices.Clone(files), text))
	}
	if err != nil {
		return fmt.Errorf("save %s: %w", e.Name(), err)
	}
	j.entries = append(j.entries, e)
	return nil
}

// Discard takes out a cell, so that it will be measured anew. Its folder is kept under another name.
func (j *Journal) Discard(e Entry) error {
	for n := 1; ; n++ {
		kept := fmt.Sprintf("%s%s-%d", discardedPrefix, e.Name(), n)
		err := os.Rename(filepath.Join(j.Dir, e.Name()), filepath.Join(j.Dir, kept))
		if errors.Is(err, fs.ErrExist) && n < mostDiscarded {
			continue
		}
		if err != nil {
			return fmt.Errorf("discard %s: %w", e.Name(), err)
		}
		j.entries = slices.DeleteFunc(j.entries, func(other Entry) bool { return other.Name() == e.Name() })
		return nil
	}
}

// discardedPrefix begins the names of folders of cells that were measured anew, mostDiscarded is how often one can be.
const (
	discardedPrefix = "discarded-"
	mostDiscarded   = 1000
)

// Write writes files about the whole sweep, in place of older ones.
func (j *Journal) Write(files []results.File) error {
	for _, f := range files {
		if err := replaceFile(j.Dir, f); err != nil {
			return fmt.Errorf("save the sweep: %w", err)
		}
	}
	return nil
}

// read returns what is in the folder of a sweep.
func read(dir string) (plan Plan, entries []Entry, err error) {
	if err := decode(filepath.Join(dir, PlanFile), &plan); err != nil {
		return plan, nil, err
	}
	if err := plan.check(); err != nil {
		return plan, nil, fmt.Errorf("%s: %w", PlanFile, err)
	}
	cells := plan.Cells()
	folders, err := filepath.Glob(filepath.Join(dir, cellPrefix+"*"))
	if err != nil {
		return plan, nil, err
	}
	for _, folder := range folders {
		var e Entry
		if err := decode(filepath.Join(folder, entryFile), &e); err != nil {
			return plan, nil, err
		}
		if e.Cell < 1 || e.Cell > len(cells) || e.Name() != filepath.Base(folder) {
			return plan, nil, fmt.Errorf("%s is no cell of this sweep", folder)
		}
		entries = append(entries, e)
	}
	slices.SortFunc(entries, func(a, b Entry) int { return cmp.Or(a.Position-b.Position, a.Step-b.Step) })
	return plan, entries, nil
}

func decode(path string, into any) error {
	text, err := os.ReadFile(path)
	if err != nil {
		return err
	}
	strict := json.NewDecoder(bytes.NewReader(text))
	strict.DisallowUnknownFields()
	if err := strict.Decode(into); err != nil {
		return fmt.Errorf("read %s: %w", path, err)
	}
	return nil
}

func marshal(name string, content any) (results.File, error) {
	text, err := json.MarshalIndent(content, "", "  ")
	if err != nil {
		return results.File{}, fmt.Errorf("write %s: %w", name, err)
	}
	return results.File{Name: name, Body: append(text, '\n')}, nil
}

// Is says whether dir is the folder of a sweep.
func Is(dir string) bool {
	_, err := os.Stat(filepath.Join(dir, PlanFile))
	return !errors.Is(err, fs.ErrNotExist) && err == nil
}
