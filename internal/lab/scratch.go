package lab

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"golang.org/x/sys/unix"
)

const (
	// scratchPrefix begins the name of every temporary directory of a lab.
	scratchPrefix = "poolvsloop-lab-"
	// ownerFile is locked by the process that owns the directory, for as long as that lives.
	ownerFile = "owner"
)

// scratch is the temporary directory of one lab.
type scratch struct {
	dir   string
	owner *os.File
}

// newScratch makes a directory in parent. A lock on a file in it says that its owner lives; the kernel drops it when the
// owner dies, however.
func newScratch(parent string) (*scratch, error) {
	dir, err := os.MkdirTemp(parent, scratchPrefix)
	if err != nil {
		return nil, fmt.Errorf("make a temporary directory: %w", err)
	}
	s := &scratch{dir: dir}
	if s.owner, err = os.OpenFile(filepath.Join(dir, ownerFile), os.O_CREATE|os.O_RDWR, 0o600); err == nil {
		err = unix.Flock(int(s.owner.Fd()), unix.LOCK_EX|unix.LOCK_NB)
	}
	if err != nil {
		return nil, errors.Join(fmt.Errorf("lock the temporary directory %s: %w", dir, err), s.remove())
	}
	return s, nil
}

// remove deletes the directory and all in it.
func (s *scratch) remove() error {
	err := os.RemoveAll(s.dir)
	if s.owner != nil {
		_ = s.owner.Close()
	}
	return err
}

// sweep deletes the directories in parent whose owner is dead: what runs that were killed have left. One that belongs to
// someone else, or is just being made, is left alone.
func sweep(parent string) {
	dirs, _ := filepath.Glob(filepath.Join(parent, scratchPrefix+"*"))
	for _, dir := range dirs {
		removeStale(dir)
	}
}

func removeStale(dir string) {
	owner, err := os.OpenFile(filepath.Join(dir, ownerFile), os.O_RDWR|unix.O_NOFOLLOW, 0)
	if err != nil {
		return
	}
	defer owner.Close()
	if unix.Flock(int(owner.Fd()), unix.LOCK_EX|unix.LOCK_NB) == nil {
		_ = os.RemoveAll(dir)
	}
}

// isProgram says whether path is a file that may be executed.
func isProgram(path string) bool {
	info, err := os.Stat(path)
	return err == nil && info.Mode().IsRegular() && info.Mode()&fs.FileMode(0o111) != 0
}
