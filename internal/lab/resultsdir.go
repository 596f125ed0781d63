package lab

import (
	"os"
	"path/filepath"
)

// ResultsDir is where the folders of runs go unless another directory is named: results in the root of the source tree
// when the working directory is in it, and below the working directory elsewhere.
func ResultsDir() string {
	const name = "results"
	dir, err := os.Getwd()
	if err != nil {
		return name
	}
	root, ok := moduleRoot(dir)
	if !ok {
		return name
	}
	path, err := filepath.Rel(dir, filepath.Join(root, name))
	if err != nil {
		return name
	}
	return path
}
