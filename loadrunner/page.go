package main

import (
	"os"
	"path/filepath"

	"poolvsloop/internal/page"
	"poolvsloop/internal/results"
	"poolvsloop/internal/sweep"
)

// html is the format of the page: it is written to the folder, and what is printed says where.
const html = "html"

// writePage makes the page and the pictures of a run anew.
func writePage(run *results.Run, dir string) (string, error) {
	files, err := page.Files(run, func(name string) ([]byte, error) { return os.ReadFile(filepath.Join(dir, name)) })
	return replaced(dir, files, err)
}

// writeSweepPage makes the page and the pictures of a sweep anew.
func writeSweepPage(s *sweep.Sweep, dir string) (string, error) {
	files, err := page.SweepFiles(s)
	return replaced(dir, files, err)
}

// replaced writes the files of a page and returns what is printed.
func replaced(dir string, files []results.File, err error) (string, error) {
	if err != nil {
		return "", err
	}
	if err := results.Replace(dir, files); err != nil {
		return "", err
	}
	return "Page: " + filepath.Join(dir, page.Name) + "\n", nil
}
