// Package report prints a run: the text that the runner shows and leaves in the results folder, and the same in
// Markdown. Everything in it is a function of run.json alone, so that a run can be printed again at any time.
//
// A section is a file: banner.go, server.go, comparison.go, …
package report
