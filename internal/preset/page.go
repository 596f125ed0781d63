package preset

import (
	"os"
	"path/filepath"
	"strings"

	"poolvsloop/internal/page"
	"poolvsloop/internal/results"
)

// page is the page about what came out, with pictures of the steps that compared. Runs that are not there any more, or
// cannot be read, are errors.
func (o *Outcome) page() ([]results.File, error) {
	p := o.preset
	s := page.Story{
		ID: filepath.Base(o.folder), Name: p.Name, Subject: p.Title, Question: words(p.Question), Verdict: o.verdictText(), Law: words(p.Law),
		Theory: words(p.Theory), Lesson: words(p.Lesson), Next: words(p.Next),
	}
	for _, j := range o.Expectations {
		s.Expected = append(s.Expected, page.Expectation{Says: j.Says, Found: j.Found, Wanted: j.Wanted, Off: j.off(), Passed: j.Passed})
	}
	for i, step := range o.Steps {
		if !step.Valid && step.Expected == "" {
			s.Unsound = append(s.Unsound, step.Reasons...)
		}
		shown := page.StoryStep{Name: step.Name, Command: step.Command}
		if p.Steps[i].Compare != nil && len(step.Folders) > 0 {
			folder := filepath.Join(o.folder, step.Folders[0])
			run, err := results.Load(folder)
			if err != nil {
				return nil, err
			}
			shown.Folder, shown.Run = step.Folders[0], run
			shown.Open = func(name string) ([]byte, error) { return os.ReadFile(filepath.Join(folder, name)) }
		}
		s.Steps = append(s.Steps, shown)
	}
	return page.StoryFiles(s)
}

// words is a text of a file on one line.
func words(text string) string { return strings.Join(strings.Fields(text), " ") }
