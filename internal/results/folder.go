package results

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"time"
)

// File is one file of a results folder.
type File struct {
	Name string
	Body []byte
}

// ID is the name of a run's folder. Milliseconds tell apart the runs that were started at once.
func ID(started time.Time, name string) string {
	return started.UTC().Format("20060102T150405.000Z") + "-" + name
}

var runName = regexp.MustCompile(`^[A-Za-z0-9_][A-Za-z0-9._-]{0,63}$`)

// CheckName says what is wrong with the last part of a folder's name, the value of --name.
func CheckName(name string) error {
	if !runName.MatchString(name) {
		return fmt.Errorf("--name %q: want 1 to 64 letters, digits, '.', '_', '-', and no '.' or '-' first", name)
	}
	return nil
}

// CheckFolder makes dir when it is not there, and returns an error when [Save] could not write to it.
func CheckFolder(dir string) error {
	unfinished, err := begin(dir)
	if err != nil {
		return err
	}
	return os.Remove(unfinished)
}

// begin makes a folder in dir for what is not finished yet.
func begin(dir string) (unfinished string, err error) {
	if err = os.MkdirAll(dir, 0o755); err == nil {
		unfinished, err = os.MkdirTemp(dir, ".unfinished-*")
	}
	if err != nil {
		return "", fmt.Errorf("save the results: %w; --results names another folder", err)
	}
	return unfinished, nil
}

// Save writes the files to the folder dir/id and returns its path. They are written to another name first, so that the
// folder is either whole or not there. A folder of that name is never touched: that is an error wrapping [fs.ErrExist].
func Save(dir, id string, files []File) (path string, err error) {
	path = filepath.Join(dir, id)
	if _, err := os.Lstat(path); err == nil {
		return "", fmt.Errorf("save the results: %s: %w", path, fs.ErrExist)
	}
	unfinished, err := begin(dir)
	if err != nil {
		return "", err
	}
	defer func() { err = errors.Join(err, os.RemoveAll(unfinished)) }()
	if err := os.Chmod(unfinished, 0o755); err != nil {
		return "", fmt.Errorf("save the results: %w", err)
	}
	for _, f := range files {
		if err := os.WriteFile(filepath.Join(unfinished, f.Name), f.Body, 0o644); err != nil {
			return "", fmt.Errorf("save the results: %w", err)
		}
	}
	if err := os.Rename(unfinished, path); err != nil {
		return "", fmt.Errorf("save the results: %w", err)
	}
	return path, nil
}

// Replace writes files into a folder that is there, each whole or not at all, in place of those of the same names.
func Replace(dir string, files []File) error {
	for _, f := range files {
		if err := replace(dir, f); err != nil {
			return fmt.Errorf("write %s: %w", filepath.Join(dir, f.Name), err)
		}
	}
	return nil
}

func replace(dir string, f File) error {
	unfinished, err := os.CreateTemp(dir, ".unfinished-*")
	if err != nil {
		return err
	}
	_, err = unfinished.Write(f.Body)
	err = errors.Join(err, unfinished.Chmod(0o644), unfinished.Close())
	if err == nil {
		err = os.Rename(unfinished.Name(), filepath.Join(dir, f.Name))
	}
	if err != nil {
		return errors.Join(err, os.Remove(unfinished.Name()))
	}
	return nil
}
