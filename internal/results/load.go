package results

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
)

// Document is the name of run.json in a results folder.
const Document = "run.json"

// Load reads the run of a results folder. It is an error when there is none, or one of another schema.
func Load(dir string) (*Run, error) {
	text, err := os.ReadFile(filepath.Join(dir, Document))
	if err != nil {
		return nil, fmt.Errorf("read the results in %s: %w", dir, err)
	}
	var run Run
	if err := json.Unmarshal(text, &run); err != nil {
		return nil, fmt.Errorf("read %s: %w", filepath.Join(dir, Document), err)
	}
	if run.Schema != Schema {
		return nil, fmt.Errorf("read %s: its schema is %q, want %q: only results of this version can be read",
			filepath.Join(dir, Document), run.Schema, Schema)
	}
	if len(run.Targets) != servers {
		return nil, fmt.Errorf("read %s: it has %d targets, want %d", filepath.Join(dir, Document), len(run.Targets), servers)
	}
	return &run, nil
}

// servers is how many targets a run has.
const servers = 2
