package results

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
)

// Document is the name of run.json in a results folder.
const Document = "run.json"

// Load reads the run of a results folder. It is an error when there is none, or one of another schema or of a version
// that wrote other figures.
func Load(dir string) (*Run, error) {
	path := filepath.Join(dir, Document)
	text, err := os.ReadFile(path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, fmt.Errorf("read the results in %s: %w: want the folder of one run of loadrunner compare", dir, err)
	}
	if err != nil {
		return nil, fmt.Errorf("read the results in %s: %w", dir, err)
	}
	run, err := parse(text)
	if err != nil {
		return nil, fmt.Errorf("read %s: %w", path, err)
	}
	return run, nil
}

func parse(text []byte) (*Run, error) {
	var kind struct{ Schema string }
	if err := json.Unmarshal(text, &kind); err != nil {
		return nil, fmt.Errorf("no results of this program, or damaged: %w", err)
	}
	if kind.Schema != Schema {
		return nil, fmt.Errorf("its schema is %q, want %q: %w", kind.Schema, Schema, errVersion)
	}
	var run Run
	strict := json.NewDecoder(bytes.NewReader(text))
	strict.DisallowUnknownFields()
	if err := strict.Decode(&run); err != nil {
		return nil, fmt.Errorf("%w: %w", err, errVersion)
	}
	if len(run.Targets) != servers {
		return nil, fmt.Errorf("it has %d targets, want %d", len(run.Targets), servers)
	}
	for _, t := range run.Targets {
		if len(t.Rounds) > 0 && t.AB == nil {
			return nil, fmt.Errorf("%s has rounds and no key %q: %w", t.Name, "ab", errVersion)
		}
	}
	return &run, nil
}

var errVersion = errors.New("only results of this version can be read: measure again")

// servers is how many targets a run has.
const servers = 2
