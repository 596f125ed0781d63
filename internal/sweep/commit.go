package sweep

import (
	"errors"
	"os"
	"path/filepath"

	"poolvsloop/internal/results"
)

// unfinishedPrefix begins the name of what is not whole yet.
const unfinishedPrefix = ".unfinished-"

// commitFolder writes the files to the folder dir/name, which must not be there. The folder is whole or not there, also
// after a power cut: everything is on the disk before the name is, and the name before commitFolder returns.
func commitFolder(dir, name string, files []results.File) (err error) {
	unfinished, err := os.MkdirTemp(dir, unfinishedPrefix+"*")
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, os.RemoveAll(unfinished)) }()
	if err := os.Chmod(unfinished, 0o755); err != nil {
		return err
	}
	for _, f := range files {
		if err := writeSynced(filepath.Join(unfinished, f.Name), f.Body); err != nil {
			return err
		}
	}
	if err := syncFolder(unfinished); err != nil {
		return err
	}
	// It is an error when there is a folder of that name.
	if err := os.Rename(unfinished, filepath.Join(dir, name)); err != nil {
		return err
	}
	return syncFolder(dir)
}

// replaceFile writes a file of which the old or the new content is there, never a part.
func replaceFile(dir string, f results.File) (err error) {
	unfinished := filepath.Join(dir, unfinishedPrefix+f.Name)
	if err := writeSynced(unfinished, f.Body); err != nil {
		return err
	}
	if err := os.Rename(unfinished, filepath.Join(dir, f.Name)); err != nil {
		return errors.Join(err, os.Remove(unfinished))
	}
	return syncFolder(dir)
}

func writeSynced(path string, body []byte) error {
	f, err := os.OpenFile(path, os.O_CREATE|os.O_TRUNC|os.O_WRONLY, 0o644)
	if err != nil {
		return err
	}
	_, err = f.Write(body)
	return errors.Join(err, f.Sync(), f.Close())
}

func syncFolder(dir string) error {
	f, err := os.Open(dir)
	if err != nil {
		return err
	}
	return errors.Join(f.Sync(), f.Close())
}

// tidy removes what processes that were killed have left unfinished. The caller has the lock.
func tidy(dir string) error {
	left, err := filepath.Glob(filepath.Join(dir, unfinishedPrefix+"*"))
	if err != nil {
		return err
	}
	for _, path := range left {
		if err := os.RemoveAll(path); err != nil {
			return err
		}
	}
	return nil
}
