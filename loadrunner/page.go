package main

import (
	"os"
	"path/filepath"

	"poolvsloop/internal/page"
	"poolvsloop/internal/results"
)

// html is the format of the page: it is written to the folder, and what is printed says where.
const html = "html"

// writePage makes the page and the pictures of a run anew.
func writePage(run *results.Run, dir string) (string, error) {
	files, err := page.Files(run, func(name string) ([]byte, error) { return os.ReadFile(filepath.Join(dir, name)) })
	if err != nil {
		return "", err
	}
	if err := results.Replace(dir, files); err != nil {
		return "", err
	}
	return "Page: " + filepath.Join(dir, page.Name) + "\n", nil
}
